/* t-saved - functions in files: what was saved computes the same when it is loaded, and so do
   its derivatives, planned or not; control ops with bodies, sparse patterns, random numbers.
   (Every op of the table: agnesi ops --verify.) What a file must not say is refused by name. */
#include "control.h"

#include <stdlib.h>

typedef const agn_tensor *T;
static const char *path = "t-saved.tmp.fn";

#define MAKE(call)                                          \
    do {                                                    \
        if (call)                                           \
            bail_out("%s: %s", #call, agn_error_message()); \
    } while (0)
#define BODY(name)                                                                \
    static agn_status name(void *user, agn_scope *s, const agn_tensor *const *in, \
                           const agn_tensor **out)

static agn_fn *fn(agn_body *body, void *user, int n_in, int n_out)
{
    agn_fn *f = NULL;
    MAKE(agn_fn_new(&f, body, user, NULL, n_in, n_out));
    return f;
}

/* ---- round trips ------------------------------------------------------------------------------ */

/* f as it is, loaded, and loaded and planned; with its gradient in the first argument */
static void round_trip(const agn_fn *f, const T *in, bool smooth, const char *name)
{
    agn_fn *g = NULL, *p = NULL, *df = NULL, *dg = NULL, *d2 = NULL;
    char what[120];
    agn_status st = agn_fn_save(path, f, in, agn_fn_n_in(f));
    if (!ok(!st, "%s: saved%s%s", name, st ? ": " : "", st ? agn_error_message() : ""))
        return;
    st = agn_fn_load(&g, path);
    if (!ok(!st, "%s: loaded%s%s", name, st ? ": " : "", st ? agn_error_message() : ""))
        return;
    snprintf(what, sizeof what, "%s, loaded", name);
    same(f, g, in, what);
    MAKE(agn_fn_compile(&p, g, NULL));
    snprintf(what, sizeof what, "%s, loaded and planned", name);
    same(f, p, in, what);
    if (smooth) {
        MAKE(agn_fn_grad(&df, f, NULL, 0));
        MAKE(agn_fn_grad(&dg, g, NULL, 0));
        snprintf(what, sizeof what, "%s: the gradient of what was loaded", name);
        same(df, dg, in, what);
        /* and the gradient itself, saved */
        st = agn_fn_save(path, df, in, agn_fn_n_in(df));
        st = st ? st : agn_fn_load(&d2, path);
        snprintf(what, sizeof what, "%s: the gradient, saved and loaded", name);
        if (st)
            ok(false, "%s: %s", what, agn_error_message());
        else
            same(df, d2, in, what);
    }
    agn_fn_release(g);
    agn_fn_release(p);
    agn_fn_release(df);
    agn_fn_release(dg);
    agn_fn_release(d2);
    remove(path);
}

static agn_tensor *kept; /* a constant of bodies */

BODY(plain)
{
    (void)user;
    out[0] = ag_sum_all(
        s, ag_mul(s, ag_tanh(s, ag_mul(s, in[0], kept)), ag_add_c(s, in[0], 0.5)));
    return agn_scope_status(s);
}
BODY(up)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_exp(s, ag_mul(s, in[0], kept)));
    return agn_scope_status(s);
}
BODY(down)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_cos(s, in[0]));
    return agn_scope_status(s);
}
BODY(choose)
{
    T a[] = {ag_gt(s, ag_sum_all(s, in[0]), ag_lit(s, 0)), in[0]};
    return agn_fn_apply(s, out, agn_fn_n_out(user), user, a, 2);
}
BODY(number)
{
    T a[] = {ag_cast(s, ag_floor(s, ag_sum_all(s, ag_abs(s, in[0]))), AGN_I64), in[0]};
    return agn_fn_apply(s, out, agn_fn_n_out(user), user, a, 2);
}
/* a step: carried c, slice x */
BODY(step)
{
    (void)user;
    out[0] = ag_tanh(s, ag_add(s, ag_mul_c(s, in[0], 0.9), in[1]));
    out[1] = ag_mul(s, out[0], in[1]);
    return agn_scope_status(s);
}
BODY(loop)
{
    T y[2], a[] = {ag_full(s, AGN_F64, 0, NULL, 0.25), in[0]};
    if (agn_fn_apply(s, y, 2, user, a, 2))
        return agn_scope_status(s);
    out[0] = ag_add(s, y[0], ag_sum_all(s, y[1]));
    return agn_scope_status(s);
}
BODY(small)
{
    (void)user;
    out[0] = ag_lt(s, ag_sum_all(s, in[0]), ag_lit(s, 40));
    return agn_scope_status(s);
}
BODY(doubled)
{
    (void)user;
    out[0] = ag_add_c(s, ag_mul_c(s, in[0], 1.5), 1);
    return agn_scope_status(s);
}
BODY(total)
{
    T y[2]; /* what was carried, and how many steps there were */
    if (agn_fn_apply(s, y, 2, user, in, agn_fn_n_in(user)))
        return agn_scope_status(s);
    out[0] = ag_sum_all(s, ag_sin(s, y[0]));
    return agn_scope_status(s);
}
BODY(with_name)
{
    (void)user;
    T h = ag_named(s, ag_tanh(s, ag_mul(s, in[0], kept)), "hidden");
    out[0] = ag_sum_all(s, ag_square(s, h));
    return agn_scope_status(s);
}
BODY(drawn)
{
    T u = ag_uniform(s, user, AGN_F64, 1, (int64_t[]){6}),
      n = ag_normal(s, user, AGN_F64, 1, (int64_t[]){6});
    out[0] = ag_sum_all(s, ag_mul(s, in[0], ag_add(s, u, n)));
    return agn_scope_status(s);
}
/* user: a sparse matrix whose pattern is taken; in: 4 values */
BODY(on_pattern)
{
    T a = ag_sparse_with_values(
        s, user, ag_slice(s, in[0], 1, (int64_t[]){0}, (int64_t[]){4}, (int64_t[]){1}));
    T x = ag_reshape(s, in[0], 2, (int64_t[]){3, 2}), y = ag_sparse_matmul(s, a, x),
      z = ag_sparse_matmul_t(s, a, y), d = ag_sparse_to_dense(s, a);
    out[0] = ag_add(s, ag_sum_all(s, ag_sin(s, z)), ag_sum_all(s, ag_square(s, d)));
    return agn_scope_status(s);
}

/* the same: A^T A, and A + A^T, whose patterns are found of two */
BODY(on_patterns)
{
    T a = ag_sparse_with_values(
        s, user, ag_slice(s, in[0], 1, (int64_t[]){0}, (int64_t[]){4}, (int64_t[]){1}));
    T t = ag_transpose(s, a), p = ag_matmul(s, t, a), q = ag_add(s, a, ag_sin(s, t));
    out[0] = ag_add(s, ag_sum_all(s, ag_sin(s, ag_sparse_to_dense(s, p))),
                    ag_sum_all(s, ag_square(s, ag_sparse_to_dense(s, q))));
    return agn_scope_status(s);
}

static void test_control(const T *in)
{
    agn_fn *one = fn(up, NULL, 1, 1), *two = fn(down, NULL, 1, 1),
           *st = fn(step, NULL, 2, 2), *cond = NULL, *pick = NULL, *scan = NULL,
           *few = NULL, *w = NULL, *ck = NULL, *keep = NULL;
    const agn_fn *three[] = {one, two, one};
    agn_scan_options log = {.size = sizeof log, .keep = AGN_KEEP_LOG};
    agn_fn *c = fn(small, NULL, 1, 1), *b = fn(doubled, NULL, 1, 1),
           *named = fn(with_name, NULL, 1, 1);
    MAKE(agn_fn_cond(&cond, one, two));
    MAKE(agn_fn_switch(&pick, three, 3));
    MAKE(agn_fn_scan(&scan, st, 1, 0, 6, true));
    MAKE(agn_fn_scan_with(&few, st, 1, 0, 6, &log));
    MAKE(agn_fn_while(
        &w, c, b,
        &(agn_while_options){.size = sizeof(agn_while_options), .max_steps = 20}));
    MAKE(agn_fn_checkpoint(&ck, one));
    MAKE(agn_fn_checkpoint_with(
        &keep, named,
        &(agn_checkpoint_options){.size = sizeof(agn_checkpoint_options),
                                  .save = AGN_SAVE_NAMED,
                                  .names = (const char *[]){"hidden"},
                                  .n_names = 1}));
    agn_fn *f[] = {fn(choose, cond, 1, 1),
                   fn(number, pick, 1, 1),
                   fn(loop, scan, 1, 1),
                   fn(loop, few, 1, 1),
                   fn(total, w, 1, 1),
                   ck,
                   named,
                   keep};
    static const char *const names[] = {
        "cond",  "switch",     "scan",  "scan with few states",
        "while", "checkpoint", "named", "checkpoint of a name"};
    for (int k = 0; k < 8; k++)
        round_trip(f[k], in, true, names[k]);
    for (int k = 0; k < 5; k++)
        agn_fn_release(f[k]);
    agn_fn *all[] = {one, two, st, cond, pick, scan, few, w, ck, keep, c, b, named};
    for (int k = 0; k < (int)(sizeof all / sizeof *all); k++)
        agn_fn_release(all[k]);
}

static void test_more(const T *in)
{
    agn_generator *g = NULL;
    agn_tensor *key = NULL, *ptr = NULL, *idx = NULL, *val = NULL, *a = NULL,
               *wide = NULL;
    MAKE(agn_generator_new(&g, 5));
    MAKE(agn_key(&key, g));
    MAKE(agn_from_host(&ptr, AGN_I64, 1, (int64_t[]){4}, (int64_t[]){0, 2, 2, 4}));
    MAKE(agn_from_host(&idx, AGN_I64, 1, (int64_t[]){4}, (int64_t[]){0, 2, 1, 2}));
    val = vec(4, (double[]){1, 2, 3, 4});
    MAKE(agn_sparse_csr(&a, 3, 3, ptr, idx, val));
    MAKE(agn_sparse_with_index(&wide, a, AGN_I64));
    agn_fn *p = fn(plain, NULL, 1, 1), *r = fn(drawn, key, 1, 1),
           *sp = fn(on_pattern, a, 1, 1), *sw = fn(on_pattern, wide, 1, 1),
           *ap = fn(on_patterns, a, 1, 1), *aw = fn(on_patterns, wide, 1, 1);
    round_trip(p, in, true, "a constant");
    agn_fn *fast = NULL, *again = NULL;
    MAKE(agn_fn_compile(&fast, p, NULL));
    round_trip(fast, in, true, "a compiled function");
    MAKE(agn_fn_save(path, p, in, agn_fn_n_in(p)));
    MAKE(agn_fn_load(&again, path));
    round_trip(again, in, true, "what was loaded");
    agn_fn_release(fast);
    agn_fn_release(again);
    round_trip(r, in, true, "random numbers");
    round_trip(sp, in, true, "a pattern");
    round_trip(sw, in, true, "a wide pattern");
    round_trip(ap, in, true, "a product and a sum of patterns");
    round_trip(aw, in, true, "those of wide patterns");
    agn_fn *fs[] = {p, r, sp, sw, ap, aw};
    for (int k = 0; k < 6; k++)
        agn_fn_release(fs[k]);
    agn_tensor *ts[] = {key, ptr, idx, val, a, wide};
    for (int k = 0; k < 6; k++)
        agn_release(ts[k]);
    agn_generator_release(g);
}

/* ---- what cannot be saved ------------------------------------------------------------------------ */

BODY(slope)
{
    (void)user;
    out[0] = ag_mul(s, in[0], in[2]);
    return agn_scope_status(s);
}
BODY(reads)
{
    double v = 0;
    (void)user;
    agn_scope_fail(s, agn_item_f64(&v, ag_sum_all(s, in[0])));
    out[0] = in[0];
    return agn_scope_status(s);
}
BODY(same_again)
{
    (void)user;
    out[0] = in[0];
    return agn_scope_status(s);
}

static void says(agn_status st, agn_status want, const char *a, const char *b)
{
    ok(st == want && strstr(agn_error_message(), a) && strstr(agn_error_message(), b),
       "%s", agn_error_message());
}

static bool exists(void)
{
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    return f != NULL;
}

static void test_unsaved(const T *in)
{
    agn_fn *one = fn(up, NULL, 1, 1), *two = fn(down, NULL, 1, 1), *own = NULL,
           *hook = NULL, *id = fn(same_again, NULL, 1, 1), *r = fn(reads, NULL, 1, 1),
           *cond = NULL, *f = NULL;
    MAKE(agn_fn_custom(
        &own, one, &(agn_custom_rule){.size = sizeof(agn_custom_rule), .vjp = slope}));
    MAKE(agn_fn_hook(&hook, one, id, id));
    says(agn_fn_save(path, own, in, agn_fn_n_in(own)), AGN_EUNSUPPORTED, "custom",
         "functions of the host");
    says(agn_fn_save(path, hook, in, agn_fn_n_in(hook)), AGN_EUNSUPPORTED, "hook",
         "functions of the host");
    MAKE(agn_fn_cond(&cond, own, two));
    f = fn(choose, cond, 1, 1);
    says(agn_fn_save(path, f, in, agn_fn_n_in(f)), AGN_EUNSUPPORTED, "cond", "functions of the host");
    says(agn_fn_save(path, r, in, agn_fn_n_in(r)), AGN_ESYMBOLIC, "item_f64", "");
    says(agn_fn_save(NULL, one, in, agn_fn_n_in(one)), AGN_ENULL, "fn_save", "path");
    says(agn_fn_save(path, NULL, in, 1), AGN_ENULL, "fn_save", "f is");
    says(agn_fn_save(path, one, NULL, 1), AGN_ENULL, "fn_save", "in");
    says(agn_fn_save(path, one, AGN_ARGS(NULL, NULL)), AGN_EARG, "2 arguments", "has 1");
    says(agn_fn_save(path, one, AGN_ARGS(NULL)), AGN_ENULL, "argument 0", "NULL");
    says(agn_fn_save("no-such-folder/f", one, in, agn_fn_n_in(one)), AGN_EIO, "fn_save",
         "no-such-folder");
    ok(!exists(), "nothing was written");
    agn_fn *all[] = {one, two, own, hook, id, r, cond, f};
    for (int k = 0; k < 8; k++)
        agn_fn_release(all[k]);
    /* a constant that is recorded, and one that was written */
    agn_tensor *old = kept, *w = NULL;
    MAKE(agn_watch(&w, kept));
    kept = w;
    agn_fn *p = fn(plain, NULL, 1, 1);
    says(agn_fn_save(path, p, in, agn_fn_n_in(p)), AGN_EARG, "recorded", "pass them");
    kept = old;
    agn_release(w);
    agn_fn_release(p);
}

/* ---- what is refused -------------------------------------------------------------------------------- */

static unsigned char file[1 << 14];
static size_t length;

static void read_back(void)
{
    FILE *f = fopen(path, "rb");
    length = f ? fread(file, 1, sizeof file, f) : 0;
    if (f)
        fclose(f);
}
static agn_status load_bytes(size_t n)
{
    agn_fn *g = NULL;
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(file, 1, n, f) != n || fclose(f))
        bail_out("%s cannot be written", path);
    agn_status st = agn_fn_load(&g, path);
    if (st && g)
        ok(false, "a result beside a failure");
    agn_fn_release(g);
    return st;
}
/* CRC-32 of IEEE 802.3, bit by bit */
static void mend(void)
{
    uint32_t crc = ~0u;
    for (size_t i = 24; i < length - 4; i++) {
        crc ^= file[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    crc = ~crc;
    for (int k = 0; k < 4; k++)
        file[length - 4 + (size_t)k] = (unsigned char)(crc >> 8 * k);
}
/* where a text begins; the file has it */
static size_t find(const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 24; i + n < length; i++)
        if (!memcmp(file + i, text, n))
            return i;
    bail_out("the file has no \"%s\"", text);
    return 0;
}

static void test_refused(const T *in)
{
    agn_fn *p = fn(plain, NULL, 1, 1), *g = NULL;
    static unsigned char good[sizeof file];
    MAKE(agn_fn_save(path, p, in, agn_fn_n_in(p)));
    read_back();
    memcpy(good, file, length);
    is_int(load_bytes(length), AGN_OK, "the file of %zu bytes", length);
    int wrong = 0;
    for (size_t n = 0; n < length; n++)
        wrong += load_bytes(n) != AGN_EFORMAT;
    is_int(wrong, 0, "cut short at each of %zu lengths", length);
    for (size_t i = 0; i < length; i++) {
        file[i] ^= 0x11;
        wrong += i < 12 || i >= 16 ? load_bytes(length) != AGN_EFORMAT : 0;
        file[i] = good[i];
    }
    is_int(wrong, 0, "each byte changed");
    file[8] = 2;
    says(load_bytes(length), AGN_EFORMAT, "version 2", "1 to 1");
    memcpy(file, good, length);
    file[length] = 0;
    says(load_bytes(length + 1), AGN_EFORMAT, "bytes", "follow");
    struct {
        const char *text;
        int at;
        unsigned char to;
        const char *a, *b;
    } lies[] = {
        {"tanh", 0, 'x', "\"xanh\"", "nothing is known"},
        {"sum", 3, 9, "sum", "arguments"},         /* arguments */
        {"sum", 7, 3, "sum", "results"},           /* results */
        {"tanh", 23, 65, "value 65", "there are"}, /* the value it takes */
        {"tanh", 11, 1, "tanh", ""},               /* an integer it does not take */
    };
    for (int k = 0; k < (int)(sizeof lies / sizeof *lies); k++) {
        memcpy(file, good, length);
        file[find(lies[k].text) + (size_t)lies[k].at +
             (lies[k].at ? strlen(lies[k].text) - 3 : 0)] = lies[k].to;
        mend();
        agn_status st = load_bytes(length);
        ok(st == AGN_EFORMAT && strstr(agn_error_message(), lies[k].a) &&
               strstr(agn_error_message(), lies[k].b),
           "%s: %s", lies[k].text, agn_error_message());
    }
    static const struct {
        int at;
        unsigned char to;
        const char *a, *b;
    } kinds[] = {
        {40, 99, "dtype 99", "value 0"}, {41, 77, "rank 77", "value 0"},
        {42, 9, "flags 9", "value 0"},   {51, 0xff, "extent", "-"},
        {24, 0xff, "inputs", "bytes"},   {36, 0, "0 results", ""},
        {32, 200, "nodes", "bytes"},     {49, 1, "mul", "[1099511627782]"},
    };
    for (int k = 0; k < (int)(sizeof kinds / sizeof *kinds); k++) {
        memcpy(file, good, length);
        file[kinds[k].at] = kinds[k].to;
        mend();
        agn_status st = load_bytes(length);
        ok(st == AGN_EFORMAT && strstr(agn_error_message(), kinds[k].a) &&
               strstr(agn_error_message(), kinds[k].b),
           "byte %d: %s", kinds[k].at, st ? agn_error_message() : "no error");
    }
    memcpy(file, good, length);
    MAKE(load_bytes(length));
    char text[2000];
    size_t need;
    ok(!agn_fn_file_text(text, sizeof text, &need, path) && need == strlen(text) + 1 &&
           strstr(text, "= tanh") && strstr(text, "constant"),
       "as text");
    says(agn_fn_file_text(NULL, 4, &need, path), AGN_ENULL, "file_text", "buf");
    says(agn_fn_file_text(text, 4, &need, NULL), AGN_ENULL, "file_text", "path");
    says(agn_fn_load(NULL, path), AGN_ENULL, "fn_load", "out");
    says(agn_fn_load(&g, NULL), AGN_ENULL, "fn_load", "path");
    says(agn_fn_load(&g, "no-such-file"), AGN_EIO, "fn_load", "no-such-file");
    /* arguments that are not as saved */
    agn_tensor *y = NULL, *short_one = vec(2, (double[]){1, 2}), *single = NULL;
    MAKE(agn_cast(&single, in[0], AGN_F32));
    MAKE(agn_fn_load(&g, path));
    says(agn_fn_call(&y, 1, g, AGN_ARGS(short_one)), AGN_ESHAPE, "[2]", "[6]");
    says(agn_fn_call(&y, 1, g, AGN_ARGS(single)), AGN_EDTYPE, "f32", "f64");
    agn_release(short_one);
    agn_release(single);
    agn_fn_release(g);
    agn_fn_release(p);
    remove(path);
}

/* ---- each allocation in turn ---------------------------------------------------------------------- */

static void test_memory(const T *in)
{
    agn_fn *st = fn(step, NULL, 2, 2), *scan = NULL, *g = NULL;
    MAKE(agn_fn_scan(&scan, st, 1, 0, 6, false));
    agn_fn *f = fn(loop, scan, 1, 1);
    int failed = 0, wrong = 0;
    for (int64_t k = 0, done = 0; !done; k++) {
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(k);
        agn_status s1 = agn_fn_save(path, f, in, agn_fn_n_in(f));
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        wrong += s1 && (s1 != AGN_ENOMEM || after != before || exists());
        failed += s1 != AGN_OK;
        done = !s1;
    }
    ok(failed > 20 && !wrong, "saving: each of %d allocations fails cleanly", failed);
    failed = 0;
    for (int64_t k = 0, done = 0; !done; k++) {
        int64_t before, after;
        agn_memory_live(&before, NULL, NULL);
        agn_memory_fail_after(k);
        agn_status s1 = agn_fn_load(&g, path);
        agn_memory_fail_after(-1);
        agn_memory_live(&after, NULL, NULL);
        wrong += s1 && (s1 != AGN_ENOMEM || after != before || g);
        failed += s1 != AGN_OK;
        done = !s1;
    }
    ok(failed > 20 && !wrong, "loading: each of %d allocations fails cleanly", failed);
    agn_fn_release(g);
    agn_fn_release(f);
    agn_fn_release(scan);
    agn_fn_release(st);
    remove(path);
}

int main(void)
{
    agn_tensor *x = vec(6, (double[]){0.3, -0.2, 0.7, 0.1, -0.5, 0.4});
    const T in[] = {x};
    kept = vec(6, (double[]){1, 0.5, -1, 2, 0.25, -0.75});
    remove(path);
    test_more(in);
    test_control(in);
    test_unsaved(in);
    test_refused(in);
    test_memory(in);
    agn_release(kept);
    agn_release(x);
    return done();
}
