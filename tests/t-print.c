/* Printing: every recorded case as NumPy prints it, then what NumPy has no word for. */
#include "tests/comma.h"
#include "tests/fake-backend.h"
#include "tests/tap.h"
#include "tensor/dispatch/op.h"
#include <agnesi/sparse.h>

/* ---- the recorded cases: see tests/data/make-print.py ---------------------------- */

static FILE *open_data(const char *name)
{
    char path[4096];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/data/%s", top ? top : ".", name);
    FILE *f = fopen(path, "r");
    if (!f)
        bail_out("cannot open %s", path);
    return f;
}

static int dtype_by_name(const char *name)
{
    for (int d = 0; d < AGN_NDTYPES; d++)
        if (!strcmp(agn_dtype_name(d), name))
            return d;
    bail_out("no dtype %s", name);
    return -1;
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

/* an array of hexadecimal elements, repeated to fill it */
static agn_tensor *array_of(int dtype, int ndim, const int64_t *shape, const char *hex)
{
    agn_tensor *x = NULL;
    void *p;
    if (agn_empty(&x, dtype, ndim, shape, AGN_CPU) || agn_data_mut(&p, x))
        bail_out("%s", agn_error_message());
    size_t bytes = (size_t)agn_numel(x) * agn_dtype_size(dtype), n = strlen(hex) / 2;
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte;
        sscanf(hex + 2 * (i % n), "%2x", &byte);
        ((unsigned char *)p)[i] = (unsigned char)byte;
    }
    return x;
}

/* the text of x in memory to be freed */
static char *text_with(const agn_tensor *x, const agn_format_options *o)
{
    size_t need = 0, again = 0;
    if (agn_format_with(NULL, 0, &need, x, o))
        return NULL;
    char *s = malloc(need);
    if (agn_format_with(s, need, &again, x, o) || again != need ||
        strlen(s) + 1 != need)
        bail_out("the length of a text depends on the buffer");
    return s;
}

static char *text_of(const agn_tensor *x)
{
    return text_with(x, NULL);
}

static int number_of(const char *s)
{
    int v = (int)strtol(s, NULL, 10);
    return v ? v : AGN_FORMAT_ZERO;
}

/* words such as p3,m1,r: see tests/data/make-print-options.py */
static agn_format_options parse_options(char *words)
{
    agn_format_options o = {.size = sizeof o};
    for (char *w = strtok(words, ","); w; w = strtok(NULL, ","))
        switch (*w) {
        case 'p':
            o.precision = number_of(w + 1);
            break;
        case 't':
            o.threshold = number_of(w + 1);
            break;
        case 'e':
            o.edgeitems = number_of(w + 1);
            break;
        case 'w':
            o.linewidth = number_of(w + 1);
            break;
        case 'm':
            o.floatmode = w[1] - '0';
            break;
        case 's':
            o.sign = w[1] == 'p' ? '+' : w[1] == 's' ? ' ' : '-';
            break;
        case 'u':
            o.suppress = true;
            break;
        case 'n':
            o.nanstr = w + 1;
            break;
        case 'i':
            o.infstr = w + 1;
            break;
        case 'r':
            o.style = AGN_FORMAT_ARRAY;
            break;
        default:
            break;
        }
    return o;
}

/* one check for a file: thousands of cases would drown the log; those that fail are shown */
static void compare_recorded(const char *file, bool with_options, int least)
{
    static char line[1 << 16], want[1 << 16];
    FILE *f = open_data(file);
    int cases = 0, wrong = 0;
    while (fgets(line, sizeof line, f)) {
        char name[16], sizes[256], options[256] = "", *hex;
        int lines, at, more = 0;
        int64_t shape[AGN_MAX_RANK];
        if (sscanf(line, "@ %15s %255s %d %n", name, sizes, &lines, &at) != 3 ||
            (with_options && sscanf(line + at, "%255s %n", options, &more) != 1))
            bail_out("bad line in %s: %s", file, line);
        hex = line + at + more;
        hex[strcspn(hex, "\n")] = 0;
        size_t len = 0;
        for (int i = 0; i < lines; i++) {
            if (!fgets(want + len, (int)(sizeof want - len), f))
                bail_out("%s ends early", file);
            len += strlen(want + len);
        }
        want[len - 1] = 0;
        char given[256];
        strcpy(given, options);
        agn_format_options o = parse_options(options);
        agn_tensor *x = array_of(dtype_by_name(name), parse_sizes(sizes, shape), shape,
                                 hex);
        char *have = text_with(x, with_options ? &o : NULL);
        if (!have || strcmp(have, want) != 0) {
            wrong++;
            is_str(have, want, "%s %s %s %.40s", name, sizes, given, hex);
        }
        free(have);
        agn_release(x);
        cases++;
    }
    ok(cases >= least && !wrong, "%d of %d recorded cases of %s differ", wrong, cases,
       file);
    fclose(f);
}

static void test_recorded(void)
{
    compare_recorded("print.expected", false, 300);
    compare_recorded("print-options.expected", true, 2300);
}

/* ---- beyond NumPy ---------------------------------------------------------------- */

static void is_text(const agn_tensor *x, const char *want, const char *what)
{
    char *have = text_of(x);
    is_str(have, want, "%s", what);
    free(have);
}

static void test_bf16(void)
{
    static const struct {
        uint16_t bits;
        const char *text, *alone;
    } rows[] = {
        {0x3f80, "[1.]", "1.0"},       {0x3dcd, "[0.1]", "0.1"},
        {0x4049, "[3.14]", "3.14"},    {0xc2c6, "[-99.]", "-99.0"},
        {0x42c8, "[1.e+02]", "1e+02"}, {0x7f7f, "[3.39e+38]", "3.39e+38"},
        {0x0001, "[9.e-41]", "9e-41"}, {0x7fc0, "[nan]", "nan"},
        {0xff80, "[-inf]", "-inf"},    {0x0080, "[1.18e-38]", "1.18e-38"},
    };
    for (int i = 0; i < AGNI_COUNT(rows); i++) {
        agn_tensor *x = NULL, *y = NULL;
        if (agn_from_host(&x, AGN_BF16, 1, (int64_t[]){1}, &rows[i].bits) ||
            agn_from_host(&y, AGN_BF16, 0, NULL, &rows[i].bits))
            bail_out("%s", agn_error_message());
        is_text(x, rows[i].text, "a bf16 array");
        is_text(y, rows[i].alone, "a bf16 number");
        agn_release(x);
        agn_release(y);
    }
}

/* every finite f16 reads back from its text: the digits are right, and few enough */
static void test_f16_all(void)
{
    int wrong = 0;
    for (uint32_t bits = 0; bits < 0x7c00; bits++) {
        uint16_t h = (uint16_t)bits;
        agn_tensor *x = NULL, *y = NULL, *z = NULL;
        char s[64];
        double v = 0;
        if (agn_from_host(&x, AGN_F16, 0, NULL, &h) ||
            agn_format(s, sizeof s, NULL, x) || !agni_parse_double(s, NULL, &v) ||
            agn_full(&y, AGN_F64, 0, NULL, v) || agn_cast(&z, y, AGN_F16))
            bail_out("%s", agn_error_message());
        wrong += *(const uint16_t *)agn_data(z) != h;
        agn_release(x);
        agn_release(y);
        agn_release(z);
    }
    is_int(wrong, 0, "every finite f16 number reads back from its text");
}

static void test_views(void)
{
    double a[24];
    for (int i = 0; i < 24; i++)
        a[i] = i;
    agn_tensor *x = NULL;
    if (agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){2, 3}, (int64_t[]){1, 2}, a, true,
                      NULL, NULL))
        bail_out("%s", agn_error_message());
    is_text(x, "[[0. 2. 4.]\n [1. 3. 5.]]", "a column-major array");
    agn_release(x);
    x = NULL;
    if (agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){2, 3}, (int64_t[]){0, -2}, a + 5,
                      true, NULL, NULL))
        bail_out("%s", agn_error_message());
    is_text(x, "[[5. 3. 1.]\n [5. 3. 1.]]", "zero and negative strides");
    agn_release(x);
    x = NULL;
    if (agn_wrap_host(&x, AGN_F64, 2, (int64_t[]){1000, 50}, (int64_t[]){0, 0}, a + 7,
                      true, NULL, NULL))
        bail_out("%s", agn_error_message());
    is_text(
        x,
        "[[7. 7. 7. ... 7. 7. 7.]\n [7. 7. 7. ... 7. 7. 7.]\n [7. 7. 7. ... 7. 7. 7.]\n ...\n"
        " [7. 7. 7. ... 7. 7. 7.]\n [7. 7. 7. ... 7. 7. 7.]\n [7. 7. 7. ... 7. 7. 7.]]",
        "the corners of a repeated element");
    agn_release(x);
}

static void test_tracing(void)
{
    agn_tensor *x = NULL, *w = NULL, *y = NULL;
    if (agni_make_symbol(&x, AGN_F64, 2, (int64_t[]){3, 4}, false))
        bail_out("%s", agn_error_message());
    is_text(x, "<f64 [3,4] while tracing>", "a value while tracing");
    agn_release(x);
    x = NULL;
    if (agn_full(&x, AGN_F32, 1, (int64_t[]){2}, 1.5) || agn_watch(&w, x) ||
        agn_add(&y, w, w))
        bail_out("%s", agn_error_message());
    is_text(y, "[3. 3.]", "a recorded value");
    agn_release(x);
    agn_release(w);
    agn_release(y);
}

static void test_buffer(void)
{
    agn_tensor *x = NULL;
    if (agn_arange(&x, AGN_I64, 0, 5, 1))
        bail_out("%s", agn_error_message());
    char s[16];
    for (size_t n = 1; n <= 12; n++) {
        memset(s, '?', sizeof s);
        size_t need = 0;
        is_int(agn_format(s, n, &need, x), AGN_OK, "a buffer of %zu", n);
        is_int((int64_t)need, 12, "needs 12");
        ok(strlen(s) == n - 1 && !strncmp(s, "[0 1 2 3 4]", n - 1) && s[n] == '?',
           "begins the text, ends in its place");
    }
    is_int(agn_format(s, sizeof s, NULL, x), AGN_OK, "need may be NULL");
    is_str(s, "[0 1 2 3 4]", "the whole text");
    agn_release(x);
}

static void test_errors(void)
{
    agn_tensor *x = NULL;
    char s[8] = "as was";
    size_t need = 77;
    is_int(agn_format(s, sizeof s, &need, NULL), AGN_ENULL, "no tensor");
    is_str(agn_error_message(), "format: x is NULL", "says so");
    if (agn_full(&x, AGN_F32, 1, (int64_t[]){2000}, 0.1))
        bail_out("%s", agn_error_message());
    is_int(agn_format(NULL, 8, &need, x), AGN_ENULL, "no buffer");
    is_str(agn_error_message(), "format: buf is NULL", "says so");
    int fails = 0;
    for (;; fails++) {
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(fails);
        agn_status st = agn_format(s, sizeof s, &need, x);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        agn_memory_live(&after, NULL, NULL);
        is_int(st, AGN_ENOMEM, "allocation %d fails", fails);
        is_int(after, before, "nothing is lost");
        is_str(s, "as was", "the buffer is untouched");
        is_int((int64_t)need, 77, "and the length");
    }
    ok(fails > 0, "%d allocations", fails);
    agn_release(x);
}

static void test_locale(void)
{
    if (!set_comma_locale()) {
        skip("no locale with a decimal comma on this system, and none can be made");
        return;
    }
    agn_tensor *x = NULL;
    if (agn_from_host(&x, AGN_F64, 1, (int64_t[]){3}, (double[]){0.5, 1e-9, -3}))
        bail_out("%s", agn_error_message());
    is_text(x, "[ 5.e-01  1.e-09 -3.e+00]", "a decimal comma changes nothing");
    agn_release(x);
    setlocale(LC_ALL, "C");
}

/* B1, P11: the forms that NumPy has no word for, in both styles */
static void is_array_text(const agn_tensor *x, const char *want, const char *what)
{
    agn_format_options o = {.size = sizeof o, .style = AGN_FORMAT_ARRAY};
    char *have = text_with(x, &o);
    is_str(have, want, "%s", what);
    free(have);
}

static void test_forms(void)
{
    static const int64_t empty[][3] = {{0}, {0, 3}, {2, 0}, {2, 0, 1}};
    static const int ranks[] = {1, 2, 2, 3};
    static const char *const texts[] = {"array([], dtype=bfloat16)",
                                        "array([], shape=(0, 3), dtype=bfloat16)",
                                        "array([], shape=(2, 0), dtype=bfloat16)",
                                        "array([], shape=(2, 0, 1), dtype=bfloat16)"};
    agn_tensor *x = NULL, *y = NULL, *s = NULL;
    for (int i = 0; i < 4; i++) {
        if (agn_empty(&x, AGN_BF16, ranks[i], empty[i], AGN_CPU))
            bail_out("%s", agn_error_message());
        is_text(x, "[]", "B1 an empty tensor");
        is_array_text(x, texts[i], "B1 an empty array");
        agn_release(x);
    }
    if (agn_full(&x, AGN_BF16, 0, NULL, 0.1))
        bail_out("%s", agn_error_message());
    is_array_text(x, "array(0.1, dtype=bfloat16)", "B1 P11 a bf16 number as an array");
    agn_release(x);
    if (agn_full(&x, AGN_BF16, 2, (int64_t[]){30, 40}, -2.5))
        bail_out("%s", agn_error_message());
    is_array_text(x,
                  "array([[-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5],\n"
                  "       [-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5],\n"
                  "       [-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5],\n       ...,\n"
                  "       [-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5],\n"
                  "       [-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5],\n"
                  "       [-2.5, -2.5, -2.5, ..., -2.5, -2.5, -2.5]],\n"
                  "      shape=(30, 40), dtype=bfloat16)",
                  "P11 a large bf16 array");
    agn_release(x);
    if (agn_eye(&x, AGN_F32, 2, 3, 1) || agn_sparse_from_dense(&s, x))
        bail_out("%s", agn_error_message());
    is_text(s,
            "csr f32 [2,3], 2 entries\nindptr  [0 1 2]\nindices [1 2]\nvalues  [1. 1.]",
            "a sparse matrix");
    is_array_text(
        s,
        "csr f32 [2,3], 2 entries\nindptr  array([0, 1, 2], dtype=int32)\n"
        "indices array([1, 2], dtype=int32)\n"
        "values  array([1., 1.], dtype=float32)",
        "a sparse matrix as arrays");
    agn_format_options few = {.size = sizeof few,
                              .threshold = AGN_FORMAT_ZERO,
                              .edgeitems = 1,
                              .precision = AGN_FORMAT_ZERO};
    char *have = text_with(s, &few);
    is_str(
        have,
        "csr f32 [2,3], 2 entries\nindptr  [0 ... 2]\nindices [1 2]\nvalues  [1. 1.]",
        "options hold for its parts");
    free(have);
    int32_t device = 0;
    if (agn_backend_register(&fake_backend) || agn_device_find(&device, "fake:1") ||
        agn_to_device(&y, x, device))
        bail_out("%s", agn_error_message());
    is_text(y, "[[0. 1. 0.]\n [0. 0. 1.]]", "a tensor on a device");
    is_array_text(
        y,
        "array([[0., 1., 0.],\n       [0., 0., 1.]], dtype=float32, device='fake:1')",
        "and as an array");
    is_str(agn_brief(y), "f32 [2,3] on fake:1", "in a line: its memory is not touched");
    is_str(agn_brief(s), "f32 [2,3] csr 2 entries", "a sparse one in a line");
    agn_release(y);
    agn_release(s);
    agn_release(x);
}

static void is_brief(agn_tensor *x, const char *want, const char *what)
{
    is_str(agn_brief(x), want, "%s in a line", what);
    agn_release(x);
}

static agn_tensor *from(int dtype, int64_t n, const void *data)
{
    agn_tensor *x = NULL;
    if (agn_from_host(&x, dtype, 1, &n, data))
        bail_out("%s", agn_error_message());
    return x;
}

static void test_brief(void)
{
    agn_tensor *x = NULL, *y = NULL, *w = NULL;
    is_str(agn_brief(NULL), "no tensor", "nothing in a line");
    is_brief(from(AGN_BOOL, 2, "\1\0"), "bool [2] {true, false}", "bool");
    is_brief(from(AGN_U8, 2, "\377\0"), "u8 [2] {255, 0}", "u8");
    is_brief(from(AGN_I8, 2, "\377\0"), "i8 [2] {-1, 0}", "i8");
    is_brief(from(AGN_I16, 1, (int16_t[]){-300}), "i16 [1] {-300}", "i16");
    is_brief(from(AGN_I32, 1, (int32_t[]){INT32_MIN}), "i32 [1] {-2147483648}", "i32");
    is_brief(from(AGN_I64, 1, (int64_t[]){INT64_MIN}), "i64 [1] {-9223372036854775808}",
             "i64");
    is_brief(
        from(AGN_F16, 6, (uint16_t[]){0x3c00, 0xc000, 0x0001, 0x7c00, 0xfe00, 0x7bff}),
        "f16 [6] {1, -2, 5.96e-08, inf, nan, 6.55e+04}", "P11 f16");
    is_brief(from(AGN_BF16, 5, (uint16_t[]){0x3f80, 0xc2c6, 0x0001, 0xff80, 0x7fc0}),
             "bf16 [5] {1, -99, 9.184e-41, -inf, nan}", "P11 bf16");
    is_brief(from(AGN_F32, 1, (float[]){0.1f}), "f32 [1] {0.1}", "f32");
    is_brief(from(AGN_F64, 2, (double[]){0.1, -1e300}), "f64 [2] {0.1, -1e+300}",
             "f64");
    is_brief(from(AGN_C64, 1, (float[]){1, -0.5f}), "c64 [1] {1-0.5j}", "P11 c64");
    is_brief(from(AGN_C128, 1, (double[]){-1, HUGE_VAL}), "c128 [1] {-1+infj}",
             "P11 c128");
    if (agn_arange(&x, AGN_I64, 0, 1000, 1) ||
        agn_reshape(&y, x, 2, (int64_t[]){10, 100}) ||
        agn_permute(&w, y, (int32_t[]){1, 0}, 2))
        bail_out("%s", agn_error_message());
    agn_release(x);
    is_brief(
        y,
        "i64 [10,100] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "
        "20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, ...}",
        "many elements");
    ok(strlen(agn_brief(w)) < 160 &&
           strstr(agn_brief(w), "i64 [100,10] strided {0, 100, 200,"),
       "a transposed one: %s", agn_brief(w));
    agn_release(w);
    x = NULL;
    if (agni_make_symbol(&x, AGN_F64, 2, (int64_t[]){3, 4}, false))
        bail_out("%s", agn_error_message());
    ok(!strncmp(agn_brief(x), "f64 [3,4] while tracing", 23),
       "a value while tracing: %s", agn_brief(x));
    agn_release(x);
    x = y = w = NULL;
    if (agn_lit(&x, 2) || agn_empty(&y, AGN_F32, 2, (int64_t[]){0, 3}, AGN_CPU) ||
        agn_watch(&w, x))
        bail_out("%s", agn_error_message());
    is_brief(w, "i64 [] of watch {2}", "a recorded value");
    is_brief(x, "i64 [] literal {2}", "a literal");
    is_brief(y, "f32 [0,3] {}", "an empty tensor");
    agn_tensor *each[8];
    const char *line[8];
    char text[32];
    for (int k = 0; k < 8; k++) {
        each[k] = from(AGN_I32, 1, (int32_t[]){k});
        line[k] = agn_brief(each[k]);
    }
    for (int k = 0; k < 8; k++) {
        snprintf(text, sizeof text, "i32 [1] {%d}", k);
        is_str(line[k], text, "line %d of eight at once", k);
        agn_release(each[k]);
    }
    char before[1024];
    snprintf(before, sizeof before, "%s", agn_error_message());
    agn_memory_fail_after(0);
    agn_brief(NULL);
    agn_memory_fail_after(-1);
    is_str(agn_error_message(), before, "the message is left alone");
}

static void refused(agn_format_options o, const char *says)
{
    agn_tensor *x = NULL;
    char s[16] = "as was";
    size_t need = 77;
    if (agn_lit(&x, 2))
        bail_out("%s", agn_error_message());
    is_int(agn_format_with(s, sizeof s, &need, x, &o), AGN_EARG, "refused");
    is_str(agn_error_message(), says, "says why");
    ok(!strcmp(s, "as was") && need == 77, "nothing is written");
    agn_release(x);
}

static void test_option_errors(void)
{
    static const char long_[] = "123456789012345678901234567890123";
    enum { SIZE = sizeof(agn_format_options) };
    refused((agn_format_options){.size = 8},
            "format: unknown size: 8 bytes, agn_format_options has 56");
    refused((agn_format_options){.size = SIZE, .precision = 401},
            "format: precision is 401, not in 0 to 400");
    refused((agn_format_options){.size = SIZE, .precision = -2},
            "format: precision is -2, not in 0 to 400");
    refused((agn_format_options){.size = SIZE, .threshold = -2},
            "format: threshold is -2, not in 0 to 9223372036854775807");
    refused((agn_format_options){.size = SIZE, .edgeitems = -1},
            "format: edgeitems is -1, not in 1 to 1073741823");
    refused((agn_format_options){.size = SIZE, .linewidth = -1},
            "format: linewidth is -1, not in 1 to 1073741823");
    refused((agn_format_options){.size = SIZE, .floatmode = 4},
            "format: floatmode is 4, not in 0 to 3");
    refused((agn_format_options){.size = SIZE, .style = 2},
            "format: style is 2, not in 0 to 1");
    refused((agn_format_options){.size = SIZE, .sign = 'x'},
            "format: sign is 120, not '-', '+' or ' '");
    refused((agn_format_options){.size = SIZE, .nanstr = long_},
            "format: nanstr has 33 bytes, 32 are possible");
    refused((agn_format_options){.size = SIZE, .infstr = long_},
            "format: infstr has 33 bytes, 32 are possible");
    is_int(agn_format_with(NULL, 0, NULL, NULL, NULL), AGN_ENULL, "no tensor");
    /* as long as words can be */
    agn_tensor *x = from(AGN_C128, 2,
                         (double[]){99999999.5, 5e-324, -12345678, 1e-300});
    agn_format_options o = {.size = SIZE,
                            .precision = 400,
                            .floatmode = AGN_FORMAT_FIXED,
                            .suppress = true,
                            .sign = '+'};
    char *s = text_with(x, &o);
    is_int((int64_t)strlen(s),
           1 + (10 + 400 + 3 + 400 + 1) + 2 + (10 + 400 + 3 + 400 + 1) + 1,
           "400 digits behind each point");
    free(s);
    o.floatmode = AGN_FORMAT_UNIQUE;
    s = text_with(x, &o);
    ok(strstr(s, "0000000005j") != NULL, "324 places of the smallest number");
    free(s);
    agn_release(x);
}

int main(void)
{
    test_recorded();
    test_bf16();
    test_f16_all();
    test_views();
    test_tracing();
    test_buffer();
    test_errors();
    test_forms();
    test_brief();
    test_option_errors();
    test_locale();
    return done();
}
