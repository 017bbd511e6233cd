/* Printing: every recorded case as NumPy prints it, then what NumPy has no word for. */
#include "tests/comma.h"
#include "tests/tap.h"
#include "tensor/op.h"

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
    if (agn_format_with(s, need, &again, x, o) || again != need || strlen(s) + 1 != need)
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
    ok(cases >= least && !wrong, "%d of %d recorded cases of %s differ", wrong, cases, file);
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
    if (agni_symbol(&x, AGN_F64, 2, (int64_t[]){3, 4}, false))
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

int main(void)
{
    test_recorded();
    test_bf16();
    test_f16_all();
    test_views();
    test_tracing();
    test_buffer();
    test_errors();
    test_locale();
    return done();
}
