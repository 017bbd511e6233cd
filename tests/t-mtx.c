/* Matrix Market files: those SciPy writes (tests/data/make-exchange.py), every field and symmetry
   there and back, and files that lie. */
#include "exchange/text/mtx.h"
#include "tensor/dispatch/op.h"
#include "tests/files.h"
#include "tests/values.h"

/* ---- what SciPy wrote -------------------------------------------------------------- */

static agn_tensor *dense_of(agn_tensor *x)
{
    agn_tensor *y = NULL;
    if (agn_layout_of(x) == AGN_DENSE)
        return x;
    must_hold(agn_sparse_to_dense(&y, x));
    agn_release(x);
    return y;
}

static void is_matrix(const agn_tensor *x, int dtype, int64_t rows, int64_t cols,
                      const void *want)
{
    ok(agn_dtype_of(x) == dtype && agn_ndim(x) == 2 && agn_shape(x)[0] == rows &&
           agn_shape(x)[1] == cols,
       "is %s [%d,%d]", agn_dtype_name(dtype), (int)rows, (int)cols);
    ok(!memcmp(agn_data(x), want, (size_t)(rows * cols) * agn_dtype_size(dtype)),
       "its elements");
}

static void scipy(const char *file, int layout, int dtype, int64_t rows, int64_t cols,
                  const void *want)
{
    agn_tensor *x = NULL;
    if (!is_int(agn_mtx_load(&x, seed("mtx", file)), AGN_OK, "read %s", file)) {
        diag("%s", agn_error_message());
        return;
    }
    is_int(agn_layout_of(x), layout, "layout");
    x = dense_of(x);
    is_matrix(x, dtype, rows, cols, want);
    agn_release(x);
}

static const double a[9] = {4.5, 0, -1.25, 0, 1e-300, 0, -1.25, 0, 0.1};
static const double z[8] = {2, 0, 1, -3, 1, 3, 0.5, 0};

static void test_scipy(void)
{
    static const int64_t i[4] = {1, -((int64_t)1 << 62), 3, 4};
    static const double skew[4] = {0, 2.5, -2.5, 0}, whole[4] = {0, 7, -3, 0};
    static const double ones[9] = {1, 0, 1, 0, 1, 0, 1, 0, 1};
    scipy("array-real.mtx", AGN_DENSE, AGN_F64, 2, 3, a);
    scipy("array-symmetric.mtx", AGN_DENSE, AGN_F64, 3, 3, a);
    scipy("array-hermitian.mtx", AGN_DENSE, AGN_C128, 2, 2, z);
    scipy("array-integer.mtx", AGN_DENSE, AGN_I64, 2, 2, i);
    scipy("array-skew.mtx", AGN_DENSE, AGN_F64, 2, 2, skew);
    scipy("coordinate-real.mtx", AGN_CSR, AGN_F64, 3, 3, a);
    scipy("coordinate-symmetric.mtx", AGN_CSR, AGN_F64, 3, 3, a);
    scipy("coordinate-hermitian.mtx", AGN_CSR, AGN_C128, 2, 2, z);
    scipy("coordinate-integer.mtx", AGN_CSR, AGN_F64, 2, 2, whole);
    scipy("coordinate-pattern.mtx", AGN_CSR, AGN_F64, 3, 3, ones);
}

/* ---- texts --------------------------------------------------------------------------- */

static agn_status read_text(agn_tensor **x, const char *text)
{
    agni_input in;
    agni_input_memory(&in, "mtx_load", text, strlen(text));
    return agni_mtx_matrix(x, &in);
}

#define HEAD "%%MatrixMarket matrix "
static const struct {
    const char *text, *says;
} lies[] = {
    {"", "do not begin with %%MatrixMarket"},
    {"%MatrixMarket matrix array real general\n0 0\n", "do not begin with"},
    {"%%MatrixMarket vector array real general\n1 1\n1\n",
     "line 1: expected is 'matrix', here is 'vector"},
    {HEAD "list real general\n", "expected is 'array' or 'coordinate', here is 'list"},
    {HEAD "array text general\n",
     "expected is 'real', 'integer', 'complex' or 'pattern'"},
    {HEAD "array real odd\n",
     "expected is 'general', 'symmetric', 'skew-symmetric' or 'hermitian'"},
    {HEAD "array real general now\n", "line 1: expected is its end, here is 'now'"},
    {HEAD "array pattern general\n1 1\n", "no matrix is 'array pattern general'"},
    {HEAD "coordinate pattern skew-symmetric\n1 1 0\n",
     "no matrix is 'coordinate pattern skew"},
    {HEAD "array real hermitian\n1 1\n1\n", "no matrix is 'array real hermitian'"},
    {HEAD "array real general\n", "ends after line 1, expected are sizes"},
    {HEAD "array real general\n% 1 1\n\n", "ends after line 3, expected are sizes"},
    {HEAD "array real general\nx\n",
     "line 2: expected is the number of rows, here is 'x'"},
    {HEAD "array real general\n1\n", "line 2: expected is the number of columns"},
    {HEAD "array real general\n1 1 1\n1\n", "line 2: expected is its end"},
    {HEAD "coordinate real general\n1 1\n1\n",
     "line 2: expected is the number of entries"},
    {HEAD "array real general\n-1 1\n", "line 2: -1 rows, 1 columns"},
    {HEAD "array real general\n2 2\n1\n2\n3\n",
     "2 rows, 2 columns, 4 numbers cannot be in the 6 bytes"},
    {HEAD "array real general\n2 2\n1\n2\n3\n  \n  \n", "ends after 3 of 4 numbers"},
    {HEAD "array real general\n1 1\n1\n2\n",
     "line 4: expected is the end of the file, here is '2'"},
    {HEAD "array real general\n1 2\n1 2\n3 \n",
     "line 3: expected is its end, here is '2'"},
    {HEAD "array real general\n1 1\none\n",
     "line 3: expected is a number, here is 'one'"},
    {HEAD "array real general\n1 1\n1x\n",
     "line 3: expected is a number, here is '1x'"},
    {HEAD "array integer general\n1 1\n1.5\n",
     "line 3: expected is an integer, here is '1.5'"},
    {HEAD "array integer general\n1 1\n9223372036854775808\n",
     "line 3: beyond 64 bits"},
    {HEAD "array complex general\n1 1\n1    \n", "line 3: expected is a number"},
    {HEAD "array real symmetric\n1 2\n1\n2\n",
     "symmetric and not square: 1 rows, 2 columns"},
    {HEAD "array complex hermitian\n1 1\n1 2\n",
     "element (1, 1) of a Hermitian matrix is not real"},
    {HEAD "array real general\n4611686018427387904 4\n1\n", "cannot be in the"},
    {HEAD "array real symmetric\n99999999999 99999999999\n1\n", "cannot be in the"},
    {HEAD "array real general\n9223372036854775808 1\n", "line 2: beyond 64 bits"},
    {HEAD "coordinate real general\n2 2 1\n3 1 1.0\n",
     "line 3: row is 3, not in 1 to 2"},
    {HEAD "coordinate real general\n2 2 1\n0 1 1.0\n",
     "line 3: row is 0, not in 1 to 2"},
    {HEAD "coordinate real general\n2 2 1\n1 -1 1.0\n",
     "line 3: column is -1, not in 1 to 2"},
    {HEAD "coordinate real general\n2 2 1\n1 1     \n", "line 3: expected is a number"},
    {HEAD "coordinate pattern general\n2 2 1\n1 1 1.0\n",
     "line 3: expected is its end"},
    {HEAD "coordinate real general\n2 2 2\n1 1 1.0\n1 1 2.0\n", "sparse_csr"},
    {HEAD "coordinate real symmetric\n2 2 2\n1 2 1.0\n2 1 2.0\n", "sparse_csr"},
    {HEAD "coordinate real general\n2 2 1000000000\n1 1 1.0\n",
     "1000000000 numbers cannot be"},
    {HEAD "coordinate real skew-symmetric\n2 2 1\n1 1 0.0\n",
     "line 3: an entry on the diagonal of a skew-symmetric matrix"},
    {HEAD "coordinate complex hermitian\n2 2 1\n1 1 0.0 1\n",
     "of a Hermitian matrix is not real"},
    {HEAD "coordinate integer general\n2 2 1\n1 1 9007199254740993\n",
     "the integer 9007199254740993 is no f64; mtx_load_entries takes it"},
    {HEAD "coordinate real general\n99999999 1 0\n",
     "99999999 rows and 1 columns, at most 10"},
    {HEAD "coordinate real general\n1 99999999 0\n",
     "1 rows and 99999999 columns, at most 10"},
};

static void test_texts(void)
{
    int64_t before, after, peak;
    agn_tensor *x = NULL;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    for (int i = 0; i < AGNI_COUNT(lies); i++) {
        fails(read_text(&x, lies[i].text), AGN_EFORMAT, lies[i].says);
        ok(!x, "nothing is written");
    }
    agn_memory_live(&after, NULL, &peak);
    is_int(after, before, "no lie costs memory");
    ok(peak - before < 16384, "and none is believed before it is checked");
    static const char loose[] =
        "%%matrixmarket\tMATRIX Array Double GENERAL\r\n%\r\n% comment\n\n 1  3 \r\n\n+1\r\n -.5e1 \n\n"
        "+inf";
    must_hold(read_text(&x, loose));
    is_matrix(x, AGN_F64, 1, 3, (double[]){1, -5, HUGE_VAL});
    agn_release(x);
    x = NULL;
    must_hold(read_text(&x, HEAD "array real general\n0 3\n"));
    is_int(agn_numel(x), 0, "no rows");
    agn_release(x);
    x = NULL;
    must_hold(read_text(&x, HEAD "coordinate real general\n3 0 0\n"));
    ok(agn_layout_of(x) == AGN_CSR && agn_shape(x)[0] == 3 && agn_shape(x)[1] == 0,
       "no columns");
    agn_release(x);
    x = NULL;
    must_hold(read_text(&x, HEAD
                        "array integer skew-symmetric\n2 2\n-9223372036854775808\n"));
    is_matrix(x, AGN_I64, 2, 2, (int64_t[]){0, INT64_MIN, INT64_MIN, 0});
    agn_release(x);
}

/* ---- entries -------------------------------------------------------------------------- */

static void test_entries(void)
{
    const char *file = in_folder("a.mtx");
    agn_tensor *r = NULL, *c = NULL, *v = NULL, *i32 = NULL;
    int64_t shape[2];
    static const char text[] = HEAD
        "coordinate integer symmetric\n1000000000000 1000000000000 2\n"
        "1000000000000 2 9007199254740993\n5 5 -1\n";
    write_file(file, text, sizeof text - 1);
    must_hold(agn_mtx_load_entries(&r, &c, &v, shape, file));
    ok(shape[0] == 1000000000000 && shape[1] == shape[0],
       "a shape no memory would hold");
    ok(agn_numel(r) == 3 && agn_numel(c) == 3 && agn_numel(v) == 3 &&
           agn_dtype_of(v) == AGN_I64,
       "an entry, its mirror image, one of the diagonal");
    ok(!memcmp(agn_data(r), (int64_t[]){999999999999, 1, 4}, 24) &&
           !memcmp(agn_data(c), (int64_t[]){1, 999999999999, 4}, 24) &&
           !memcmp(agn_data(v), (int64_t[]){9007199254740993, 9007199254740993, -1},
                   24),
       "where and what");
    is_int(agn_mtx_save_entries(file, r, c, v, shape, AGN_MTX_GENERAL), AGN_OK,
           "written");
    char have[512] = "";
    read_whole(file, have, sizeof have - 1);
    is_str(
        have,
        HEAD
        "coordinate integer general\n1000000000000 1000000000000 3\n"
        "1000000000000 2 9007199254740993\n2 1000000000000 9007199254740993\n5 5 -1\n",
        "as text");
    memset(have, 0, sizeof have);
    must_hold(agn_cast(&i32, r, AGN_I32));
    fails(agn_mtx_save_entries(file, i32, c, v, shape, AGN_MTX_GENERAL), AGN_EINDEX,
          "entry 0 of rows is ");
    must_hold(agn_mtx_save_entries(file, r, c, NULL, shape, AGN_MTX_GENERAL));
    read_whole(file, have, sizeof have - 1);
    is_str(have,
           HEAD "coordinate pattern general\n1000000000000 1000000000000 3\n"
                "1000000000000 2\n2 1000000000000\n5 5\n",
           "a pattern");
    agn_release(v);
    v = NULL;
    agn_tensor *r2 = NULL, *c2 = NULL;
    must_hold(agn_mtx_load_entries(&r2, &c2, &v, NULL, file));
    ok(agn_dtype_of(v) == AGN_BOOL && !memcmp(agn_data(v), "\1\1\1", 3),
       "comes back as true");
    /* errors */
    agn_tensor *x = NULL;
    fails(agn_mtx_load_entries(NULL, &c2, &v, NULL, file), AGN_ENULL, "rows is NULL");
    fails(agn_mtx_load_entries(&x, NULL, &v, NULL, file), AGN_ENULL, "cols is NULL");
    fails(agn_mtx_load_entries(&x, &x, NULL, NULL, file), AGN_ENULL, "values is NULL");
    fails(agn_mtx_load_entries(&x, &x, &x, NULL, NULL), AGN_ENULL, "path is NULL");
    agn_tensor *y1 = NULL, *y2 = NULL, *y3 = NULL;
    fails(agn_mtx_load_entries(&y1, &y2, &y3, NULL, seed("mtx", "array-real.mtx")),
          AGN_EFORMAT, "is in array format, [2,3]; mtx_load reads it");
    ok(!x && !y1 && !y2 && !y3, "nothing is written");
    fails(agn_mtx_save_entries(NULL, r, c, v, shape, 0), AGN_ENULL, "path is NULL");
    fails(agn_mtx_save_entries(file, NULL, c, v, shape, 0), AGN_ENULL, "rows is NULL");
    fails(agn_mtx_save_entries(file, r, NULL, v, shape, 0), AGN_ENULL, "cols is NULL");
    fails(agn_mtx_save_entries(file, r, c, v, NULL, 0), AGN_ENULL, "shape is NULL");
    fails(agn_mtx_save_entries(file, v, c, v, shape, 0), AGN_EDTYPE,
          "rows is bool, integers are needed");
    fails(agn_mtx_save_entries(file, r, v, v, shape, 0), AGN_EDTYPE, "cols is bool");
    fails(agn_mtx_save_entries(file, r, c, v, shape, 4), AGN_EARG,
          "4 is no symmetry; there are 4");
    fails(agn_mtx_save_entries(file, r, c, v, (int64_t[]){3, 4}, 1), AGN_ESHAPE,
          "symmetric needs a square matrix, this is [3,4]");
    fails(agn_mtx_save_entries(file, r, c, v, (int64_t[]){-1, 4}, 0), AGN_ESHAPE,
          "of a matrix [-1,4]");
    fails(agn_mtx_save_entries(file, r, c, v, (int64_t[]){4, 4}, 0), AGN_EINDEX,
          "entry 0 of rows is 999999999999, not in 0 to 3");
    fails(
        agn_mtx_save_entries(file, r, c, v, shape, AGN_MTX_SYMMETRIC), AGN_EDOMAIN,
        "entry 1, (1, 999999999999), is not in the lower triangle of a symmetric matrix");
    fails(agn_mtx_save_entries(file, r, c, NULL, shape, AGN_MTX_HERMITIAN), AGN_EDOMAIN,
          "entry 1, (1, 999999999999), is not in the lower");
    agn_tensor *one = NULL, *two = NULL, *w = NULL, *few = NULL;
    must_hold(agn_full_i64(&one, AGN_I64, 1, (int64_t[]){1}, 1));
    must_hold(agn_full_i64(&two, AGN_I64, 1, (int64_t[]){1}, 2));
    must_hold(agn_full(&w, AGN_F32, 1, (int64_t[]){1}, 0.1));
    fails(agn_mtx_save_entries(file, two, one, w, (int64_t[]){3, 3}, AGN_MTX_HERMITIAN),
          AGN_EDOMAIN, "no matrix is both real and hermitian");
    fails(agn_mtx_save_entries(file, two, one, NULL, (int64_t[]){3, 3}, AGN_MTX_SKEW),
          AGN_EDOMAIN, "no matrix is both pattern and skew-symmetric");
    fails(agn_mtx_save_entries(file, one, one, w, (int64_t[]){3, 3}, AGN_MTX_SKEW),
          AGN_EDOMAIN, "entry 0, (1, 1), is not in the lower triangle");
    fails(agn_mtx_save_entries(file, two, one, v, (int64_t[]){3, 3}, 0), AGN_ESHAPE,
          "rows are [1], cols [1], values [3]");
    agn_tensor *im = values(AGN_C64, 1, (int64_t[]){1});
    fails(
        agn_mtx_save_entries(file, one, one, im, (int64_t[]){3, 3}, AGN_MTX_HERMITIAN),
        AGN_EDOMAIN, "entry 0, (1, 1), of a hermitian matrix is not real");
    must_hold(agn_mtx_save_entries(file, two, one, w, (int64_t[]){3, 3}, AGN_MTX_SKEW));
    memset(have, 0, sizeof have);
    read_whole(file, have, sizeof have - 1);
    is_str(have, HEAD "coordinate real skew-symmetric\n3 3 1\n3 2 0.1\n",
           "f32 in few digits");
    agn_tensor *all[] = {r, c, v, r2, c2, i32, one, two, w, few, im};
    for (int k = 0; k < AGNI_COUNT(all); k++)
        agn_release(all[k]);
    unlink(file);
}

/* ---- there and back ---------------------------------------------------------------------- */

/* 5 x 5 numbers with the symmetry, some of them zero */
static agn_tensor *symmetric(int dtype, int symmetry)
{
    double v[50] = {0};
    agn_tensor *w = NULL, *x = NULL;
    int parts = agni_kind(dtype) == AGNI_KIND_COMPLEX ? 2 : 1;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            int low = i > j ? i * 5 + j : j * 5 + i, turned = i < j;
            bool zero = low % 3 == 1 || (i == j && symmetry == AGN_MTX_SKEW);
            if (symmetry == AGN_MTX_GENERAL)
                low = i * 5 + j;
            double re = zero ? 0 : low - 11.25, im = zero ? 0 : low * 0.1 + 0.1;
            if (turned && symmetry == AGN_MTX_SKEW)
                re = -re, im = -im;
            if (symmetry == AGN_MTX_HERMITIAN)
                im = i == j ? 0 : turned ? -im : im;
            v[(i * 5 + j) * parts] = dtype == AGN_U8 ? fabs(re) : re;
            if (parts == 2)
                v[(i * 5 + j) * 2 + 1] = im;
        }
    must_hold(
        agn_from_host(&w, parts == 2 ? AGN_C128 : AGN_F64, 2, (int64_t[]){5, 5}, v));
    must_hold(agn_cast(&x, w, dtype));
    agn_release(w);
    return x;
}

static void there_and_back(const agn_tensor *x, int symmetry, const char *what)
{
    const char *file = in_folder("a.mtx");
    agn_tensor *y = NULL, *z2 = NULL;
    if (!is_int(agn_mtx_save(file, x, symmetry), AGN_OK, "%s %s %s is written", what,
                agn_dtype_name(x->dtype), agni_mtx_symmetries[symmetry]) ||
        !is_int(agn_mtx_load(&y, file), AGN_OK, "and read"))
        diag("%s", agn_error_message());
    agn_tensor *want = dense_of(agni_tensor_ref(x));
    y = dense_of(y);
    must_hold(agn_cast(&z2, y, x->dtype));
    ok(same(z2, want), "the same");
    agn_release(want);
    agn_release(y);
    agn_release(z2);
    unlink(file);
}

static void test_round_trips(void)
{
    for (int dtype = 0; dtype < AGN_NDTYPES; dtype++)
        for (int symmetry = 0; symmetry < 4; symmetry++) {
            bool cplx = agni_kind(dtype) == AGNI_KIND_COMPLEX;
            bool sign = dtype != AGN_U8 && dtype != AGN_BOOL;
            if ((symmetry == AGN_MTX_HERMITIAN && !cplx) ||
                (symmetry == AGN_MTX_SKEW && !sign))
                continue;
            agn_tensor *x = symmetric(dtype, symmetry), *s = NULL, *t = NULL;
            there_and_back(x, symmetry, "array");
            bool sparse = dtype == AGN_F32 || dtype == AGN_F64 || cplx;
            if (sparse) {
                must_hold(agn_sparse_from_dense(&s, x));
                there_and_back(s, symmetry, "coordinate");
            }
            if (symmetry == AGN_MTX_GENERAL) { /* B12: seen through strides */
                must_hold(agn_permute(&t, x, (int32_t[]){1, 0}, 2));
                agn_tensor *rows = NULL;
                must_hold(agn_contiguous(&rows, t));
                there_and_back(rows, symmetry, "transposed");
                agn_release(rows);
            }
            agn_release(t);
            agn_release(s);
            agn_release(x);
        }
    for (int rows = 0; rows < 3; rows++)
        for (int cols = 0; cols < 3; cols++) {
            agn_tensor *x = values(AGN_F64, 2, (int64_t[]){rows, cols}), *s = NULL;
            must_hold(agn_sparse_from_dense(&s, x));
            there_and_back(x, AGN_MTX_GENERAL, "small array");
            there_and_back(s, AGN_MTX_GENERAL, "small coordinate");
            agn_release(x);
            agn_release(s);
        }
    static const double odd[4] = {5e-324, -0.0, 1.7976931348623157e308, 1.0 / 3};
    agn_tensor *x = NULL;
    must_hold(agn_from_host(&x, AGN_F64, 2, (int64_t[]){2, 2}, odd));
    there_and_back(x, AGN_MTX_GENERAL, "every digit of");
    agn_release(x);
}

/* ---- errors ------------------------------------------------------------------------------- */

static agn_tensor *matrix;
static agn_status save_one(const char *path)
{
    return agn_mtx_save(path, matrix, AGN_MTX_SYMMETRIC);
}
static agn_status load_one(const char *path)
{
    agn_tensor *x = NULL;
    agn_status st = agn_mtx_load(&x, path);
    agn_release(x);
    return st;
}

static agn_status save_sparse(const char *path)
{
    agn_tensor *s = NULL;
    agn_status st = agn_sparse_from_dense(&s, matrix);
    st = st ? st : agn_mtx_save(path, s, AGN_MTX_SYMMETRIC);
    agn_release(s);
    return st;
}
static agn_status load_entries(const char *path)
{
    agn_tensor *r = NULL, *c = NULL, *v = NULL;
    agn_status st = agn_mtx_load_entries(&r, &c, &v, NULL, path);
    agn_release(r);
    agn_release(c);
    agn_release(v);
    return st;
}
static agn_status save_entries(const char *path)
{
    agn_tensor *r = NULL, *v = NULL;
    agn_status st = agn_full_i64(&r, AGN_I32, 1, (int64_t[]){3}, 1);
    st = st ? st : agn_full(&v, AGN_F32, 1, (int64_t[]){3}, 0.5);
    st = st ? st
            : agn_mtx_save_entries(path, r, r, v, (int64_t[]){2, 2}, AGN_MTX_GENERAL);
    agn_release(r);
    agn_release(v);
    return st;
}

/* what has no value cannot be written, by any writer */
static void test_valueless(void)
{
    agn_tensor *x = NULL, *stale = agni_tensor_alias(matrix), *zero = NULL, *v = NULL;
    agn_dict *d[2] = {NULL, NULL};
    must_hold(agni_make_symbol(&x, AGN_F64, 2, (int64_t[]){2, 2}, false));
    must_hold(agni_make_symbol(&v, AGN_F64, 1, (int64_t[]){1}, false));
    must_hold(agn_full_i64(&zero, AGN_I64, 1, (int64_t[]){1}, 0));
    fails(agn_mtx_save_entries(in_folder("a"), zero, zero, v, (int64_t[]){1, 1}, 0),
          AGN_ESYMBOLIC, "mtx_save_entries: no value while tracing");
    agn_release(v);
    v = agni_tensor_alias(zero);
    v->stale = true;
    fails(agn_mtx_save_entries(in_folder("a"), zero, v, zero, (int64_t[]){1, 1}, 0),
          AGN_ESTALE,
          "mtx_save_entries: a saved value i64 [1] was written after it was saved");
    agn_release(v);
    stale->stale = true; /* as a rule would see it whose argument was written */
    agn_tensor *const both[] = {x, stale};
    for (int k = 0; k < 2; k++) {
        agn_status want = k ? AGN_ESTALE : AGN_ESYMBOLIC;
        const char *says = k ? "was written after it was saved"
                             : "no value while tracing";
        must_hold(agn_dict_new(&d[k]));
        must_hold(agn_dict_put(d[k], "x", both[k]));
        fails(agn_npy_save(in_folder("a"), both[k]), want, says);
        fails(agn_npz_save(in_folder("a"), d[k], false), want, says);
        fails(agn_safetensors_save(in_folder("a"), d[k]), want, says);
        fails(agn_mtx_save(in_folder("a"), both[k], 0), want, says);
        agn_dict_release(d[k]);
    }
    is_int(files_in_folder(), 0, "nothing is written");
    agn_release(x);
    agn_release(stale);
    agn_release(zero);
}

static void test_errors(void)
{
    const char *file = in_folder("a.mtx");
    agn_tensor *x = NULL, *y = symmetric(AGN_F64, AGN_MTX_GENERAL), *s = NULL,
               *w = NULL;
    fails(agn_mtx_load(NULL, "x"), AGN_ENULL, "mtx_load: out is NULL");
    fails(agn_mtx_load(&x, NULL), AGN_ENULL, "mtx_load: path is NULL");
    fails(agn_mtx_save(NULL, y, 0), AGN_ENULL, "mtx_save: path is NULL");
    fails(agn_mtx_save("x", NULL, 0), AGN_ENULL, "mtx_save: x is NULL");
    fails(agn_mtx_save(file, y, 4), AGN_EARG, "4 is no symmetry");
    fails(agn_mtx_save(file, y, -1), AGN_EARG, "-1 is no symmetry");
    fails(agn_mtx_save(file, y, AGN_MTX_SYMMETRIC), AGN_EDOMAIN,
          "mtx_save: x is not symmetric: elements (1, 0) and (0, 1)");
    fails(agn_mtx_save(file, y, AGN_MTX_HERMITIAN), AGN_EDOMAIN,
          "a hermitian matrix is complex");
    fails(agn_mtx_save(file, matrix, AGN_MTX_SKEW), AGN_EDOMAIN,
          "x is not skew-symmetric: elements (0, 0)");
    must_hold(agn_sparse_from_dense(&s, y));
    fails(agn_mtx_save(file, s, AGN_MTX_SYMMETRIC), AGN_EDOMAIN,
          "x is not symmetric: elements (");
    fails(agn_mtx_save(file, s, 7), AGN_EARG, "7 is no symmetry");
    agn_release(s);
    s = NULL;
    must_hold(agn_sum(&w, y, (int32_t[]){0}, 1, false));
    fails(agn_mtx_save(file, w, 0), AGN_ESHAPE,
          "mtx_save: x is [5], a matrix is needed");
    agn_release(w);
    w = values(AGN_F64, 2, (int64_t[]){2, 3});
    fails(agn_mtx_save(file, w, AGN_MTX_SYMMETRIC), AGN_ESHAPE,
          "needs a square matrix, this is [2,3]");
    ok(!x, "nothing is written");
    is_int(files_in_folder(), 0, "nor a file");
    agn_release(w);
    agn_release(y);
}

int main(void)
{
    open_folder();
    matrix = symmetric(AGN_F64, AGN_MTX_SYMMETRIC);
    test_scipy();
    test_texts();
    test_entries();
    test_round_trips();
    test_errors();
    test_valueless();
    test_failed_writes("mtx_save", save_one);
    test_failed_writes("mtx_save, sparse", save_sparse);
    test_failed_writes("mtx_save_entries", save_entries);
    test_failed_reads("mtx_load_entries", load_entries,
                      seed("mtx", "coordinate-symmetric.mtx"));
    test_failed_reads("mtx_load, array", load_one, seed("mtx", "array-real.mtx"));
    test_failed_reads("mtx_load, coordinate", load_one,
                      seed("mtx", "coordinate-symmetric.mtx"));
    test_many_times("mtx_load", load_one, seed("mtx", "coordinate-real.mtx"));
    test_many_times("mtx_save", save_one, in_folder("many"));
    unlink(in_folder("many"));
    agn_release(matrix);
    close_folder();
    return done();
}
