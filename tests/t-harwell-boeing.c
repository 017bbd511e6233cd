/* Harwell-Boeing and Rutherford-Boeing files: every kind of matrix, right-hand sides, Fortran's ways
   with numbers, and files that lie. */
#include "exchange/text/mtx.h"
#include "tests/files.h"
#include "tests/values.h"

#include <agnesi/sparse.h>

/* ---- whole files ----------------------------------------------------------------------------- */

static void is_matrix(const char *file, int dtype, int64_t rows, int64_t cols, const double *want,
                      int64_t n_rhs, const double *rhs)
{
    agn_tensor *a = NULL, *b = NULL, *d = NULL;
    int parts = dtype == AGN_C128 ? 2 : 1;
    if (!is_int(agn_harwell_boeing_load(&a, &b, seed("harwell-boeing", file)), AGN_OK, "read %s", file)) {
        diag("%s", agn_error_message());
        return;
    }
    must_hold(agn_sparse_to_dense(&d, a));
    ok(agn_layout_of(a) == AGN_CSR && agn_dtype_of(d) == dtype && agn_shape(d)[0] == rows &&
           agn_shape(d)[1] == cols,
       "is csr %s [%d,%d]", agn_dtype_name(dtype), (int)rows, (int)cols);
    ok(!memcmp(agn_data(d), want, (size_t)(rows * cols * parts) * sizeof *want), "its elements");
    ok(agn_ndim(b) == 2 && agn_shape(b)[0] == rows && agn_shape(b)[1] == n_rhs &&
           (!n_rhs || !memcmp(agn_data(b), rhs, (size_t)(rows * n_rhs * parts) * sizeof *rhs)),
       "its %d right-hand sides", (int)n_rhs);
    agn_release(a);
    agn_release(b);
    agn_release(d);
}

static void test_kinds(void)
{
    static const double rua[25] = {11, 0, 0,  14, 0, 21, 22, 0,  0,  25, 0, 32, 33,
                                   0,  0, 0,  0,  43, 44, 0, 51, 0, 0, 54, 55.5};
    static const double rhs[10] = {1, -1, 2, -2, 3, -3, 4, -4, 5, -5e-3};
    static const double rsa[16] = {4, -1, 0, 0.5, -1, 3, 0, 0, 0, 0, 2, -0.25, 0.5, 0, -0.25, 1e-3};
    static const double pua[9] = {1, 0, 0, 0, 0, 1, 1, 0, 1};
    static const double cua[8] = {1, 2, 0, 0, 3, -4, 5, 0};
    static const double rra[12] = {1.5, 0, 0, 0, 3.25, 0, 0, 0, 1e10, -2.5, 0, -1e-10};
    static const double rza[9] = {0, -2.5, 1, 2.5, 0, -7, -1, 7, 0};
    static const double cha[8] = {2, 0, 1, -3, 1, 3, 0.5, 0};
    static const double rb[16] = {1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 5};
    static const double isa[9] = {7, 0, -3, 0, 2, 0, -3, 0, 9};
    is_matrix("real.rua", AGN_F64, 5, 5, rua, 2, rhs);
    is_matrix("real.rsa", AGN_F64, 4, 4, rsa, 0, NULL);
    is_matrix("pattern.pua", AGN_F64, 3, 3, pua, 0, NULL);
    is_matrix("complex.cua", AGN_C128, 2, 2, cua, 0, NULL);
    is_matrix("rectangle.rra", AGN_F64, 4, 3, rra, 0, NULL);
    is_matrix("skew.rza", AGN_F64, 3, 3, rza, 0, NULL);
    is_matrix("hermitian.cha", AGN_C128, 2, 2, cha, 0, NULL);
    is_matrix("real.rb", AGN_F64, 4, 4, rb, 0, NULL);
    is_matrix("integer.rb", AGN_F64, 3, 3, isa, 0, NULL);
    agn_tensor *a = NULL;
    is_int(agn_harwell_boeing_load(&a, NULL, seed("harwell-boeing", "real.rua")), AGN_OK,
           "without right-hand sides");
    agn_release(a);
}

/* ---- texts --------------------------------------------------------------------------------- */

static agn_status read_text(agn_tensor **x, agn_tensor **b, const char *text)
{
    agni_input in;
    agni_input_memory(&in, "harwell_boeing_load", text, strlen(text));
    return agni_harwell_boeing_read(x, b, &in);
}

/* the five lines of a header: numbers of lines, sizes, formats; then what is behind */
#define CARDS(total, p, i, v, r) "title\n" total p i v r "\n"
#define N(n) "             " n
#define ONE CARDS(N("3"), N("1"), N("1"), N("1"), "")
#define SIZES(type, m, n, nnz) type "           " N(m) N(n) N(nnz) N("0") "\n"
#define FORMATS(p, i, v) p i v "\n"
#define I8 "(10I8)          "
#define I5 "(16I5)          "

/* values as Fortran reads them, by the format */
static void test_numbers(void)
{
    static const struct {
        const char *format, *text;
        double want;
    } rows[] = {
        {"(E10.3)             ", " 0.125E+02", 12.5}, {"(D10.3)             ", " 1.25D-001", 0.125},
        {"(E10.3)             ", "1.25-100  ", 1.25e-100}, {"(E10.3)             ", "  +1.5+2  ", 150},
        {"(F10.3)             ", "      1250", 1.25}, {"(F8.0)              ", "    42", 42},
        {"(2PF10.3)           ", "    125.00", 1.25}, {"(1P,E12.4E3)        ", " 1.2500E-003", 1.25e-3},
        {"(1P3(1PE12.4))      ", "  1.2500E+00", 1.25}, {"(ES12.4)            ", "  1.2500E+00", 1.25},
        {"(G12.4)             ", "       -3.5 ", -3.5}, {"(1p,e12.4)          ", "  1.2500d+00", 1.25},
    };
    for (int k = 0; k < AGNI_COUNT(rows); k++) {
        char text[600];
        agn_tensor *a = NULL, *v = NULL;
        snprintf(text, sizeof text, "%s%s%s%s\n%s", ONE SIZES("RUA", "1", "1", "1"), I8 I5, rows[k].format,
                 "\n       1       2\n    1", rows[k].text);
        agn_status st = read_text(&a, NULL, text);
        if (!st)
            must_hold(agn_sparse_values(&v, a));
        double got = 0;
        ok(!st && !agn_to_host(&got, v, sizeof got) &&
               fabs(got - rows[k].want) <= 4e-16 * fabs(rows[k].want),
           "%s of '%s': %.17g %s", rows[k].format, rows[k].text, got, st ? agn_error_message() : "");
        agn_release(a);
        agn_release(v);
    }
}

#define GOOD_HEAD ONE SIZES("RUA", "1", "1", "1") FORMATS(I8, I5, "(E10.3)             ")
static const struct {
    const char *text, *says;
} lies[] = {
    {"", "ends after line 0, expected is a title"},
    {"title\n", "ends after line 1, expected is the numbers of lines"},
    {"title\n" N("x"), "line 2, column 1: expected is a number of lines, here is 'x'"},
    {"title\n" N("3") N("1"), "line 2, column 29: expected is a number of lines"},
    {ONE, "expected is the type of the matrix"},
    {ONE SIZES("RXA", "1", "1", "1"), "a matrix of type 'RXA' of 1 rows and 1 columns: three letters"},
    {ONE SIZES("RU ", "1", "1", "1"), "three letters"},
    {ONE SIZES("RUE", "1", "1", "1"), "not assembled"},
    {ONE SIZES("RSA", "1", "2", "1"), "not square"},
    {ONE SIZES("RHA", "1", "1", "1"), "Hermitian ones are complex"},
    {ONE SIZES("PZA", "1", "1", "1"), "a pattern has no signs"},
    {ONE SIZES("RUA", "-", "1", "1"), "expected is the number of rows, here is '-'"},
    {ONE SIZES("RUA", "1", "?", "1"), "expected is the number of columns"},
    {ONE SIZES("RUA", "1", "1", ""), "expected is the number of entries"},
    {ONE "RUA           " N("9") N("1") "      99999999" N("0") "\n", "99999999 entries cannot be in the"},
    {ONE "RUA                 99999999" N("1") N("1") N("0") "\n", "99999999 rows, 1 columns and 1 entries cannot"},
    {CARDS(N("3"), N("1"), N("1"), "", "") SIZES("RUA", "1", "1", "1") "        \n      \n",
     "no lines of values"},
    {ONE SIZES("RUA", "1", "1", "1") "          \n", "no format for numbers is ''"},
    {ONE SIZES("RUA", "1", "1", "1") FORMATS("(10E8)          ", I5, "(E10.3)"),
     "line 4, column 1: no format for numbers is '(10E8)'"},
    {ONE SIZES("RUA", "1", "1", "1") FORMATS(I8, "(16I)           ", "(E10.3)"),
     "line 4, column 17: no format for numbers is '(16I)'"},
    {ONE SIZES("RUA", "1", "1", "1") FORMATS(I8, I5, "(3X,E10.3)"), "no format for numbers is '(3X,E10.3)'"},
    {ONE SIZES("RUA", "1", "1", "1") FORMATS(I8, I5, "(0E10.3)"), "no format for numbers is '(0E10.3)'"},
    {GOOD_HEAD, "ends after line 4, expected is a pointer"},
    {GOOD_HEAD "       2       2\n", "line 5, column 1: a pointer is 2, not in 1 to 1"},
    {GOOD_HEAD "       1       3\n", "line 5, column 9: a pointer is 3, not in 1 to 2"},
    {GOOD_HEAD "       1       1\n    1\n", "the last pointer is 1, of 1 entries"},
    {GOOD_HEAD "       1       2\n    2\n", "line 6, column 1: a row is 2, not in 1 to 1"},
    {GOOD_HEAD "       1       2\n    1\n", "ends after line 6, expected is a value"},
    {GOOD_HEAD "       1       2\n    1\n       abc\n", "line 7, column 1: expected is a number, here is 'abc'"},
    {GOOD_HEAD "       1       2\n    1\n          \n", "expected is a number, here is ''"},
    {GOOD_HEAD "       1       2\n    1\n       nan\n", "expected is a number, here is 'nan'"},
    {GOOD_HEAD "       1       2\n    1\n       1.0\nmore\n",
     "line 8, column 1: expected is the end of the file, here is 'more'"},
    {ONE SIZES("RUA", "1", "1", "2") FORMATS(I8, I5, "(2E10.3)") "       1       3\n    1    1\n"
     "       1.0       2.0\n", "twice"},
    {ONE SIZES("RZA", "2", "2", "1") FORMATS(I8, I5, "(2E10.3)") "       1       2       2\n    1\n"
     "       1.0\n", "entry (1, 1) of a skew-symmetric matrix is there"},
    {ONE SIZES("CHA", "1", "1", "1") FORMATS(I8, I5, "(2E10.3)") "       1       2\n    1\n"
     "       1.0       2.0\n", "entry (1, 1) of a Hermitian matrix is not real"},
    {CARDS(N("3"), N("1"), N("1"), N("1"), N("1")) SIZES("RUA", "1", "1", "1")
         FORMATS(I8, I5, "(E10.3)             (E10.3)             ") "X\n",
     "line 5, column 1: expected is the type of right-hand sides, F or M, here is 'X'"},
    {CARDS(N("3"), N("1"), N("1"), N("1"), N("1")) SIZES("RUA", "1", "1", "1")
         FORMATS(I8, I5, "(E10.3)             (E10.3)             ")
     "M             " N("1") "\n       1       2\n    1\n       1.0\n",
     "1 right-hand sides are sparse columns"},
    {CARDS(N("3"), N("1"), N("1"), N("1"), N("1")) SIZES("RUA", "1", "1", "1")
         FORMATS(I8, I5, "(E10.3)             (E10.3)             ")
     "F                 9999999999\n       1       2\n    1\n       1.0\n",
     "9999999999 right-hand sides cannot be in the"},
};

static void test_lies(void)
{
    for (int k = 0; k < AGNI_COUNT(lies); k++) {
        agn_tensor *a = NULL, *b = NULL;
        agn_status st = read_text(&a, &b, lies[k].text);
        bool good = st == AGN_EFORMAT && strstr(agn_error_message(), lies[k].says) && !a && !b;
        ok(good, "refused: %s", lies[k].says);
        if (!good)
            diag("%d: %s", (int)st, agn_error_message());
        agn_release(a);
        agn_release(b);
    }
    agn_tensor *a = NULL;
    fails(agn_harwell_boeing_load(NULL, NULL, "x"), AGN_ENULL, "out is NULL");
    fails(agn_harwell_boeing_load(&a, NULL, NULL), AGN_ENULL, "path is NULL");
    fails(agn_harwell_boeing_load(&a, NULL, "/nowhere/x"), AGN_EIO, "/nowhere/x");
}

int main(void)
{
    test_kinds();
    test_numbers();
    test_lies();
    return done();
}
