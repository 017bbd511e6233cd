/* .npy files: those NumPy writes, those that lie, and what a failure leaves behind. */
#include "tests/fake-backend.h"
#include "tests/files.h"
#include "exchange/formats/npy.h"
#include "tensor/dispatch/op.h"
#include <complex.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- a file in memory ------------------------------------------------------------ */

typedef struct memory {
    const char *p;
    size_t left;
    int at_once; /* bytes given per call */
} memory;

static int64_t read_memory(void *user, void *buf, size_t n)
{
    memory *m = user;
    n = n < m->left ? n : m->left;
    n = m->at_once && n > (size_t)m->at_once ? (size_t)m->at_once : n;
    memcpy(buf, m->p, n);
    m->p += n;
    m->left -= n;
    return (int64_t)n;
}

static agn_status load_bytes(agn_tensor **out, const char *p, size_t n, int at_once)
{
    memory m = {p, n, at_once};
    return agni_npy_read(out, &(agni_source){"npy_load", "bytes", (int64_t)n, read_memory, &m});
}

/* ---- what NumPy wrote: see tests/data/make-npy.py -------------------------------- */

static size_t parse_hex(char *dst, const char *hex)
{
    size_t n = 0;
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        dst[n++] = (char)byte;
    return n;
}

static int parse_sizes(const char *s, int64_t *shape)
{
    int n = 0;
    while (*s >= '0' && *s <= '9' && n < AGN_MAX_RANK) {
        char *end;
        shape[n++] = strtoll(s, &end, 10);
        s = end + (*end == ',');
    }
    return n;
}

static double complex element(int dtype, int64_t i)
{
    double v = (double)(3 * i + 1);
    if (dtype == AGN_BOOL)
        return i % 3 == 0;
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        return v - 4 + (0.5 - (double)i) * (double complex)I;
    return dtype == AGN_U8 ? v : v - 4;
}

static bool has_elements(const agn_tensor *x)
{
    agn_tensor *z = NULL;
    if (agn_cast(&z, x, AGN_C128))
        bail_out("%s", agn_error_message());
    const double complex *v = agn_data(z);
    bool same = true;
    for (int64_t i = 0; i < agn_numel(x); i++)
        same = same && creal(v[i]) == creal(element(agn_dtype_of(x), i)) &&
               cimag(v[i]) == cimag(element(agn_dtype_of(x), i));
    agn_release(z);
    return same;
}

static void check_loaded(const agn_tensor *x, const char *dtype, int ndim,
                         const int64_t *shape)
{
    is_str(agn_dtype_name(agn_dtype_of(x)), dtype, "dtype");
    ok(agn_ndim(x) == ndim &&
           !memcmp(agn_shape(x), shape, (size_t)ndim * sizeof *shape),
       "shape");
    ok(agn_is_contiguous(x), "row-major");
    ok(has_elements(x), "elements");
}

static void test_numpy(void)
{
    static char line[8192], bytes[4096], again[4096];
    const char *top = getenv("top_srcdir");
    snprintf(line, sizeof line, "%s/tests/data/npy.expected", top ? top : ".");
    FILE *f = fopen(line, "r");
    if (!f)
        bail_out("cannot open %s", line);
    int cases = 0;
    const char *file = in_folder("numpy.npy");
    while (fgets(line, sizeof line, f)) {
        char name[32], dtype[16], sizes[128];
        int at;
        int64_t shape[AGN_MAX_RANK];
        if (sscanf(line, "%31s %15s %127s %n", name, dtype, sizes, &at) != 3)
            bail_out("bad line in npy.expected: %s", line);
        int ndim = parse_sizes(sizes, shape);
        size_t n = parse_hex(bytes, line + at);
        write_file(file, bytes, n);
        agn_tensor *x = NULL, *y = NULL;
        is_int(agn_npy_load(&x, file), AGN_OK, "read %s %s %s", name, dtype, sizes);
        check_loaded(x, dtype, ndim, shape);
        is_int(load_bytes(&y, bytes, n, 1 + cases % 7), AGN_OK,
               "read it in small pieces");
        check_loaded(y, dtype, ndim, shape);
        is_int(agn_npy_save(file, x), AGN_OK, "write it");
        if (!strcmp(name, "plain"))
            ok(read_whole(file, again, sizeof again) == n && !memcmp(bytes, again, n),
               "the bytes NumPy writes");
        agn_release(y);
        y = NULL;
        is_int(agn_npy_load(&y, file), AGN_OK, "read what was written");
        check_loaded(y, dtype, ndim, shape);
        agn_release(x);
        agn_release(y);
        cases++;
    }
    ok(cases > 80, "%d files of NumPy", cases);
    fclose(f);
    unlink(file);
}

/* ---- writing what lies in memory in another way ---------------------------------- */

static void test_views(void)
{
    static const double a[] = {0, 1, 2, 3, 4, 5};
    const char *file = in_folder("view.npy");
    agn_tensor *x = NULL, *y = NULL;
    if (agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){3, 2}, (int64_t[]){-1, -3},
                      (void *)(uintptr_t)(a + 5), true, NULL, NULL))
        bail_out("%s", agn_error_message());
    is_int(agn_npy_save(file, x), AGN_OK, "write negative strides");
    is_int(agn_npy_load(&y, file), AGN_OK, "read them");
    static const double want[] = {5, 2, 4, 1, 3, 0};
    ok(!memcmp(agn_data(y), want, sizeof want), "in row-major order");
    agn_release(x);
    agn_release(y);
    x = y = NULL;
    agn_tensor *w = NULL;
    if (agn_arange(&x, AGN_F32, 0, 6, 1) || agn_watch(&w, x))
        bail_out("%s", agn_error_message());
    is_int(agn_npy_save(file, w), AGN_OK, "write a watched tensor");
    is_int(agn_npy_load(&y, file), AGN_OK, "read it");
    ok(!agn_is_watched(y), "the copy is a constant");
    agn_release(x);
    agn_release(w);
    agn_release(y);
    unlink(file);
}

/* from memory that the host cannot touch, seen through strides */
static void test_device(void)
{
    const char *file = in_folder("device.npy");
    int32_t device;
    agn_tensor *x = NULL, *d = NULL, *t = NULL, *y = NULL;
    static const double a[] = {0, 1, 2, 3, 4, 5}, want[] = {0, 3, 1, 4, 2, 5};
    if (agn_backend_register(&fake_backend) || agn_device_find(&device, "fake") ||
        agn_from_host(&x, AGN_F64, 2, (int64_t[]){2, 3}, a) ||
        agn_to_device(&d, x, device) || agn_permute(&t, d, (int32_t[]){1, 0}, 2))
        bail_out("%s", agn_error_message());
    is_int(agn_npy_save(file, t), AGN_OK, "write a view of another device's memory");
    is_int(agn_npy_load(&y, file), AGN_OK, "read it");
    ok(!memcmp(agn_data(y), want, sizeof want) && agn_device_of(y) == AGN_CPU,
       "on the host");
    agn_release(x);
    agn_release(d);
    agn_release(t);
    agn_release(y);
    unlink(file);
}

/* ---- files that lie -------------------------------------------------------------- */

/* a file of one version with this header and so many bytes of data; returns its size */
static size_t build(char *dst, int major, int minor, const char *head, size_t n,
                    size_t data)
{
    memcpy(dst, "\x93NUMPY", 6);
    dst[6] = (char)major;
    dst[7] = (char)minor;
    size_t at = major == 1 ? 10 : 12;
    for (size_t i = 0; i < at - 8; i++)
        dst[8 + i] = (char)(n >> 8 * i & 255);
    memcpy(dst + at, head, n);
    memset(dst + at + n, 0, data);
    return at + n + data;
}

static const struct {
    const char *head;
    int data; /* bytes behind it */
    const char *says;
} lies[] = {
    {"", 0, "header ends at byte 0, expected is '{'"},
    {"[]", 0, "header has '[' at byte 0, expected is '{'"},
    {"{", 0, "header ends at byte 1, expected is a quoted text"},
    {"{}", 0, "header of 2 bytes lacks 'descr'"},
    {"{'descr': '<f8'}", 8, "lacks 'fortran_order'"},
    {"{'descr': '<f8', 'fortran_order': False}", 8, "lacks 'shape'"},
    {"{'shape': (), 'fortran_order': False, }", 8, "lacks 'descr'"},
    {"{'descr': '<f8', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", 8,
     "has 'descr' twice, again at byte 18"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (), 'shape': (1,)}", 8,
     "has 'shape' twice"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (), 'colour': 1}", 8,
     "unknown key 'colour'"},
    {"{'descr': '<f8' 'fortran_order': False, 'shape': ()}", 8,
     "expected is ',' or '}'"},
    {"{'descr' '<f8', 'fortran_order': False, 'shape': ()}", 8, "expected is ':'"},
    {"{'descr': <f8, 'fortran_order': False, 'shape': ()}", 8,
     "expected is a quoted text"},
    {"{'descr': '<f8, }", 8, "expected is a closing quote"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': ()", 8,
     "expected is ',' or '}'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': ()} x", 8,
     "expected is its end"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': ()}}", 8,
     "expected is its end"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': ()}", 8,
     "expected is True or False"},
    {"{'descr': '<f8', 'fortran_order': Falsehood, 'shape': ()}", 8,
     "expected is ',' or '}'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': 3}", 24,
     "expected is '(' of the shape"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': [3]}", 24,
     "expected is '(' of the shape"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (3)}", 24,
     "is a number, not a tuple"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", 8, "expected is a size"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,,)}", 8,
     "expected is a size"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}", 8,
     "expected is ',' or ')'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': ((1,),)}", 8,
     "expected is a size"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (((((((((", 8,
     "expected is a size"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1.5,)}", 8,
     "expected is ',' or ')'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}", 8,
     "size of axis 0 is negative"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3)}", 8,
     "size of axis 1 is negative"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,)}", 8,
     "no array can have the shape [4611686018427387904]"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (4611686018427387904,)}", 8,
     "no array can have the shape [4611686018427387904]"},
    {"{'descr': '|u1', 'fortran_order': False, 'shape': (576460752303423487,)}", 8,
     "has 576460752303423487 bytes, behind the header are 8"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2147483648, 2147483648, 4)}",
     8, "no array can have"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4611686018427387904, 16)}",
     8, "no array can have"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808,)}", 8,
     "size of axis 0 is beyond 2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999999999,)}",
     8, "size of axis 0 is beyond 2^63"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", 47,
     "f64 [2,3] has 48 bytes, behind the header are 47"},
    {"{'descr': '<f8', 'fortran_order': True, 'shape': (1000000, 1000000)}", 47,
     "f64 [1000000,1000000] has 8000000000000 bytes"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1,1,1,1,1,1,1,1,1,1,1)}",
     8, "more axes than the 32"},
    {"{'descr': '', 'fortran_order': False, 'shape': ()}", 8,
     "no dtype for its elements ''"},
    {"{'descr': '<', 'fortran_order': False, 'shape': ()}", 8,
     "no dtype for its elements '<'"},
    {"{'descr': '<u4', 'fortran_order': False, 'shape': ()}", 8,
     "no dtype for its elements '<u4'"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': ()}", 16, "elements '<f16'"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': ()}", 8, "elements '|O'"},
    {"{'descr': '<U5', 'fortran_order': False, 'shape': ()}", 20, "elements '<U5'"},
    {"{'descr': '<M8[s]', 'fortran_order': False, 'shape': ()}", 8,
     "elements '<M8[s]'"},
    {"{'descr': '<<f8', 'fortran_order': False, 'shape': ()}", 8, "elements '<<f8'"},
    {"{'descr': '<f8x', 'fortran_order': False, 'shape': ()}", 8, "elements '<f8x'"},
    {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}", 8,
     "elements are records"},
};

static const char *const fine[] = {
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
    "{'shape':(2,3),'fortran_order':False,'descr':'<f8'}",
    "  {\n\"descr\"\t:\r\"<f8\" ,'fortran_order': True , \"shape\":( 2 , 3 , ) } \n",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 3L), }",
    "{'descr': 'f8', 'fortran_order': False, 'shape': (2, 3), }",
    "{'descr': '=f8', 'fortran_order': False, 'shape': (2, 3), }",
};

static agn_tensor *const untouched = (agn_tensor *)(uintptr_t)8;

static void is_refused(const char *p, size_t n, const char *says)
{
    agn_tensor *x = untouched;
    is_int(load_bytes(&x, p, n, 0), AGN_EFORMAT, "refused");
    ok(x == untouched, "nothing is written");
    if (!ok(strstr(agn_error_message(), says) &&
                strstr(agn_error_message(), "npy_load: bytes: "),
            "because %s", says))
        diag("message is \"%s\"", agn_error_message());
}

static void test_lies(void)
{
    static char file[1 << 18], head[1 << 17];
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    agn_memory_reset_peak();
    for (int i = 0; i < AGNI_COUNT(lies); i++)
        for (int major = 1; major <= 3; major++)
            is_refused(file,
                       build(file, major, 0, lies[i].head, strlen(lies[i].head),
                             (size_t)lies[i].data),
                       lies[i].says);
    int64_t peak;
    agn_memory_live(&after, NULL, &peak);
    is_int(after, before, "no lie costs memory");
    ok(peak - before < 1000, "and none is believed before it is checked");
    for (int i = 0; i < AGNI_COUNT(fine); i++) {
        agn_tensor *x = NULL;
        size_t n = build(file, 1 + i % 3, 0, fine[i], strlen(fine[i]), 48 + (size_t)i);
        is_int(load_bytes(&x, file, n, 0), AGN_OK, "accepted: spelling %d", i);
        is_int(agn_numel(x), 6, "six elements");
        agn_release(x);
    }
    /* NULs within */
    memcpy(head, fine[0], strlen(fine[0]));
    for (size_t i = 0; i < strlen(fine[0]); i++) {
        char kept = head[i];
        head[i] = 0;
        is_refused(file, build(file, 1, 0, head, strlen(fine[0]), 48),
                   "npy_load: bytes: ");
        head[i] = kept;
    }
    /* a long header, and one that is too long */
    memset(head, ' ', sizeof head);
    memcpy(head, fine[0], strlen(fine[0]));
    agn_tensor *x = NULL;
    is_int(load_bytes(&x, file, build(file, 2, 0, head, 65536, 48), 0), AGN_OK,
           "65536 spaces");
    agn_release(x);
    is_refused(file, build(file, 2, 0, head, 65537, 48), "header of 65537 bytes");
    /* lengths that nothing backs */
    size_t n = build(file, 1, 0, fine[0], strlen(fine[0]), 48);
    file[8] = (char)255;
    file[9] = (char)255;
    is_refused(file, n, "header of 65535 bytes, the file has 117");
    n = build(file, 2, 0, fine[0], strlen(fine[0]), 48);
    memset(file + 8, 255, 4);
    is_refused(file, n, "header of 4294967295 bytes");
    n = build(file, 4, 0, fine[0], strlen(fine[0]), 48);
    is_refused(file, n, "version 4.0, known are 1.0, 2.0 and 3.0");
    n = build(file, 1, 1, fine[0], strlen(fine[0]), 48);
    is_refused(file, n, "version 1.1");
    is_refused("PK\3\4 is no array", 16, "16 bytes that do not begin as a .npy file");
    is_refused("", 0, "ends after 0 of the 10 bytes of its first 10");
}

static void test_damage(void)
{
    static char file[256], copy[256];
    size_t n = build(file, 1, 0, fine[0], strlen(fine[0]), 48);
    int wrong = 0;
    for (size_t len = 0; len < n; len++) {
        agn_tensor *x = untouched;
        wrong += load_bytes(&x, file, len, 0) != AGN_EFORMAT || x != untouched;
    }
    is_int(wrong, 0, "each of %zu truncations is refused", n);
    /* every bit of the header turned: an array or a refusal, never a crash */
    int loaded = 0;
    for (size_t bit = 0; bit < 8 * (n - 48); bit++) {
        memcpy(copy, file, n);
        copy[bit / 8] = (char)(copy[bit / 8] ^ 1 << bit % 8);
        agn_tensor *x = NULL;
        agn_status st = load_bytes(&x, copy, n, 0);
        wrong += (st != AGN_OK && st != AGN_EFORMAT) || !st != (x != NULL);
        loaded += !st;
        agn_release(x);
    }
    is_int(wrong, 0, "each turned bit gives an array or a refusal");
    ok(loaded > 0, "%d of them an array", loaded);
    agn_tensor *x = NULL;
    static const char bools[] =
        "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }";
    n = build(file, 1, 0, bools, strlen(bools), 4);
    memcpy(file + n - 4, "\0\1\2\xff", 4);
    is_int(load_bytes(&x, file, n, 0), AGN_OK, "bools of other bytes");
    ok(x && !memcmp(agn_data(x), "\0\1\1\1", 4), "are true");
    agn_release(x);
}

/* a source that promises more than it has, and one that fails */
static int64_t read_failing(void *user, void *buf, size_t n)
{
    memory *m = user;
    if (!m->left)
        return agni_fail(AGN_EIO, "npy_load: sick: cannot be read");
    return read_memory(m, buf, n);
}

static void test_sources(void)
{
    static char file[256];
    size_t n = build(file, 1, 0, fine[0], strlen(fine[0]), 48);
    agn_tensor *x = untouched;
    memory m = {file, n - 20, 0};
    is_int(agni_npy_read(&x, &(agni_source){"npy_load", "shrunk", (int64_t)n, read_memory, &m}),
           AGN_EFORMAT, "a file that became shorter");
    is_str(agn_error_message(),
           "npy_load: shrunk: ends after 28 of the 48 bytes of its elements",
           "says so");
    for (size_t at = 0; at < n; at += 7) {
        m = (memory){file, at, 0};
        is_int(agni_npy_read(&x, &(agni_source){"npy_load", "sick", (int64_t)n, read_failing, &m}),
               AGN_EIO, "a disk that fails after %zu bytes", at);
    }
    is_str(agn_error_message(), "npy_load: sick: cannot be read",
           "says so");
    ok(x == untouched, "nothing is written");
}

/* ---- errors of opening and writing ----------------------------------------------- */

static void test_load_errors(void)
{
    agn_tensor *x = untouched;
    is_int(agn_npy_load(NULL, "x.npy"), AGN_ENULL, "no place for the result");
    is_message("npy_load: out is NULL");
    is_int(agn_npy_load(&x, NULL), AGN_ENULL, "no path");
    is_message("npy_load: path is NULL");
    is_int(agn_npy_load(&x, in_folder("none.npy")), AGN_EIO, "no such file");
    is_message("none.npy: cannot be opened: No such file");
    is_int(agn_npy_load(&x, folder), AGN_EIO, "a folder");
    is_message("is a folder, not a file");
    is_int(agn_npy_load(&x, "/dev/null"), AGN_EIO, "a device");
    const char *pipe = in_folder("pipe");
    if (!mkfifo(pipe, 0600)) {
        is_int(agn_npy_load(&x, pipe), AGN_EIO, "a pipe does not hold us up");
        is_message("is a device or pipe, not a file");
        unlink(pipe);
    }
    ok(x == untouched, "nothing is written");
}

static void test_save_errors(void)
{
    const char *file = in_folder("old.npy");
    agn_tensor *x = NULL, *s = NULL;
    if (agn_full(&x, AGN_F64, 2, (int64_t[]){300, 1000}, 0.5) ||
        agni_make_symbol(&s, AGN_F64, 1, (int64_t[]){3}, false))
        bail_out("%s", agn_error_message());
    write_file(file, "as it was", 9);
    is_int(agn_npy_save(NULL, x), AGN_ENULL, "no path");
    is_message("npy_save: path is NULL");
    is_int(agn_npy_save(file, NULL), AGN_ENULL, "no tensor");
    is_message("npy_save: x is NULL");
    is_int(agn_npy_save(file, s), AGN_ESYMBOLIC, "a value while tracing");
    is_message("npy_save: no value while tracing: f64 [3]");
    is_int(agn_npy_save(in_folder("none/x.npy"), x), AGN_EIO, "no such folder");
    is_message("No such file");
    is_int(agn_npy_save("", x), AGN_EIO, "an empty name");
    is_int(agn_npy_save(folder, x), AGN_EIO, "a folder");
    is_message("cannot be opened: Is a directory");
    is_int(agn_npy_save(in_folder("old.npy/x"), x), AGN_EIO, "a folder that is a file");
    is_message("Not a directory");
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    is_int(agn_npy_save(name, x), AGN_EIO, "a name of 4999 letters");
    is_message("name too long");
    if (!access("/dev/full", W_OK)) {
        is_int(agn_npy_save("/dev/full", x), AGN_EIO, "a full disk");
        is_message("/dev/full: cannot be written: No space left on device");
        ok(!access("/dev/full", W_OK), "the device is still there");
    }
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = 1000000, .rlim_max = old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    agn_status st = agn_npy_save(file, x);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    is_int(st, AGN_EIO, "no more than a megabyte");
    is_message("old.npy: cannot be written: File too large");
    char bytes[64];
    ok(read_whole(file, bytes, sizeof bytes) == 9 && !memcmp(bytes, "as it was", 9),
       "the old file is as it was");
    is_int(files_in_folder(), 1, "and alone");
    agn_release(x);
    agn_release(s);
    unlink(file);
}

/* as another user where we are root: nobody may write here */
static void test_folder_without_permission(void)
{
    const char *file = in_folder("old.npy");
    write_file(file, "as it was", 9);
    agn_tensor *x = NULL;
    if (agn_full(&x, AGN_F64, 0, NULL, 0.5))
        bail_out("%s", agn_error_message());
    chmod(folder, 0555);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534))
            _exit(77);
        agn_status st = agn_npy_save(file, x);
        _exit(st == AGN_EIO && strstr(agn_error_message(), "Permission denied") ? 0
                                                                                : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    chmod(folder, 0700);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip("cannot become another user");
    else
        is_int(status, 0, "a folder without permission");
    char bytes[64];
    ok(read_whole(file, bytes, sizeof bytes) == 9, "the old file is as it was");
    agn_release(x);
    unlink(file);
}

static void test_replacing(void)
{
    const char *file = in_folder("a.npy"), *link = in_folder("b.npy");
    agn_tensor *x = NULL, *y = NULL;
    if (agn_full(&x, AGN_F64, 1, (int64_t[]){3}, 0.5))
        bail_out("%s", agn_error_message());
    mode_t mask = umask(027);
    is_int(agn_npy_save(file, x), AGN_OK, "a new file");
    struct stat info;
    stat(file, &info);
    is_int(info.st_mode & 0777, 0640, "has the rights umask leaves");
    chmod(file, 0604);
    if (symlink("a.npy", link))
        bail_out("symlink");
    is_int(agn_npy_save(link, x), AGN_OK, "write through a link");
    umask(mask);
    lstat(link, &info);
    ok(S_ISLNK(info.st_mode), "the link stays");
    stat(file, &info);
    is_int(info.st_mode & 0777, 0604, "the file keeps its rights");
    is_int(agn_npy_load(&y, file), AGN_OK, "and has the new elements");
    is_int(agn_numel(y), 3, "all of them");
    is_int(files_in_folder(), 2, "nothing else is left");
    agn_release(x);
    agn_release(y);
    unlink(link);
    unlink(file);
    if (chdir(folder))
        bail_out("chdir");
    x = NULL;
    if (agn_lit(&x, 2))
        bail_out("%s", agn_error_message());
    is_int(agn_npy_save("here.npy", x), AGN_OK, "a name without a folder");
    is_int(files_in_folder(), 1, "is in the current one");
    agn_release(x);
    unlink("here.npy");
}

/* NumPy has no bf16: what ml_dtypes writes for it are voids of two bytes */
static void test_bf16(void)
{
    static char file[256], ours[256];
    static const char head[] = "{'descr': '<V2', 'fortran_order': False, 'shape': (4,), }";
    static const uint16_t bits[] = {0x3f80, 0xc2c6, 0x7fc1, 0x0001};
    agn_tensor *x = NULL, *y = NULL;
    size_t n = build(file, 1, 0, head, strlen(head), 8);
    memcpy(file + n - 8, bits, 8);
    is_int(load_bytes(&x, file, n, 0), AGN_OK, "S4 bf16");
    ok(agn_dtype_of(x) == AGN_BF16 && !memcmp(agn_data(x), bits, 8), "S4 all bits");
    is_int(agn_npy_save(in_folder("b.npy"), x), AGN_OK, "S4 bf16 is written");
    n = read_whole(in_folder("b.npy"), ours, sizeof ours);
    ok(n > 64 && !memcmp(ours + 10, head, strlen(head)), "S4 as voids of two bytes");
    is_int(agn_npy_load(&y, in_folder("b.npy")), AGN_OK, "S4 and comes back");
    ok(y && !memcmp(agn_data(y), bits, 8), "S4 with all bits");
    agn_tensor *z = NULL;
    is_int(load_bytes(&z, file, build(file, 1, 0, "{'descr': '|V2', 'fortran_order': False, "
                                                 "'shape': (4,), }", strlen(head), 8), 0),
           AGN_OK, "S4 also where no order of bytes is said");
    agn_release(x);
    agn_release(y);
    agn_release(z);
    unlink(in_folder("b.npy"));
}

/* every allocation refused in turn */
static void test_memory(void)
{
    static char file[256];
    size_t n = build(file, 1, 0, fine[2], strlen(fine[2]), 48);
    write_file(in_folder("c.npy"), file, n);
    int64_t before, after;
    agn_memory_live(&before, NULL, NULL);
    int loads = 0, saves = 0;
    agn_tensor *x = NULL, *t = NULL;
    for (;; loads++) {
        agn_memory_fail_after(loads);
        agn_status st = agn_npy_load(&x, in_folder("c.npy"));
        agn_memory_fail_after(-1);
        if (!st)
            break;
        agn_memory_live(&after, NULL, NULL);
        ok(st == AGN_ENOMEM && !x && after == before, "reading without allocation %d",
           loads);
    }
    if (agn_permute(&t, x, (int32_t[]){1, 0}, 2))
        bail_out("%s", agn_error_message());
    write_file(in_folder("c.npy"), "as it was", 9);
    agn_memory_live(&before, NULL, NULL);
    for (;; saves++) {
        agn_memory_fail_after(saves);
        agn_status st = agn_npy_save(in_folder("c.npy"), t);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        agn_memory_live(&after, NULL, NULL);
        ok(st == AGN_ENOMEM && after == before &&
               read_whole(in_folder("c.npy"), file, 256) == 9,
           "writing without allocation %d", saves);
    }
    ok(loads > 2 && saves > 2, "%d and %d allocations", loads, saves);
    agn_release(x);
    agn_release(t);
    unlink(in_folder("c.npy"));
}

int main(void)
{
    open_folder();
    test_numpy();
    test_views();
    test_device();
    test_lies();
    test_damage();
    test_sources();
    test_load_errors();
    test_save_errors();
    test_folder_without_permission();
    test_replacing();
    test_bf16();
    test_memory();
    close_folder();
    return done();
}
