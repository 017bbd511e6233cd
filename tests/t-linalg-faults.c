/* t-linalg-faults - every status that the comment of a function of agnesi/linalg.h names is
   provoked: by tables made from the header, by arguments of the wrong kind in each place, by
   allocations and LAPACK's iterations that fail, and by rows. What is refused has a status of the
   comment and the name of the function, and writes nothing. */
#include "calls.h"
#include "lapack-stops.h"

enum { LISTED = 2, STATUSES = 16, LINE = 200 };
struct documented {
    const char *name, *errors, *nullable;
};
#include "tests/linalg-calls.inc"
#include "tests/linalg-errors.inc"

static bool met[COUNT(calls)][STATUSES];

static const struct documented *doc_of(const struct call *c)
{
    for (int i = 0; i < COUNT(documented); i++)
        if (!strcmp(documented[i].name, c->name))
            return documented + i;
    bail_out("%s has no comment", c->name);
    return NULL;
}

/* ---- arguments -------------------------------------------------------------------------- */

/* tensors by name; "spd" is what an argument is unless a row says another */
static struct named {
    const char *name;
    agn_tensor *x;
} pool[40];

static const agn_tensor *tensor_by_name(const char *name)
{
    for (int i = 0; i < COUNT(pool) && pool[i].name; i++)
        if (!strcmp(pool[i].name, name))
            return pool[i].x;
    bail_out("no tensor is called %s", name);
    return NULL;
}
static agn_tensor *to_pool(const char *name, agn_tensor *x)
{
    for (int i = 0; i < COUNT(pool); i++)
        if (!pool[i].name) {
            pool[i] = (struct named){name, x};
            return x;
        }
    bail_out("no room for %s", name);
    return NULL;
}
static void empty_pool(void)
{
    for (int i = 0; i < COUNT(pool); i++)
        agn_release(pool[i].x);
    memset(pool, 0, sizeof pool);
}

/* with fitting arguments a function succeeds */
static const struct row {
    const char *name, *arguments;
    agn_status want;
} fitting[] = {
    {"householder_product", "tau=vector", AGN_OK},
    {"ormqr", "tau=vector", AGN_OK},
    {"leslie", "births=vector survival=shorter", AGN_OK},
    {"dft", "dtype=c128", AGN_OK},
    {"lu_solve", "perm=order form=0", AGN_OK},
    {"lu_unpack", "perm=order", AGN_OK},
    {"tensorsolve", "b=vector", AGN_OK},
    {"cholesky_downdate", "x=vector upper=0", AGN_OK},
    {"solve_banded", "ab=bands b=vector", AGN_OK},
    {"solve_tridiagonal", "dl=shorter d=vector du=shorter b=vector", AGN_OK},
    {"solveh_banded", "ab=corner b=vector", AGN_OK},
    {"cholesky_banded", "ab=corner", AGN_OK},
    {"cho_solve_banded", "l=corner b=vector", AGN_OK},
    {"eig_banded", "ab=corner", AGN_OK},
    {"eigvals_banded", "ab=corner", AGN_OK},
    {"eigh_tridiagonal", "d=vector e=shorter", AGN_OK},
    {"eigvalsh_tridiagonal", "d=vector e=shorter", AGN_OK},
    {"solve_toeplitz", "c=falling r=falling b=vector", AGN_OK},
    {"solve_circulant", "c=falling b=vector", AGN_OK},
    {"ldl_solve", "l=unit d=spd perm=order", AGN_OK},
    {"tsqr", "rows=4", AGN_OK},
    {"lstsq_constrained", "c=vector b=flat d=shorter", AGN_OK},
    {"gauss_markov", "a=thin d=vector", AGN_OK},
    {"cossin", "x=unit p=2 q=2", AGN_OK},
    {"matrix_norm_with", "p=0 rows=0", AGN_OK},
    {"cov_weighted", "f=order a=vector", AGN_OK},
    {"schur_complex", "t=unit z=unit", AGN_OK},
    {"clarkson_woodruff", "key=key", AGN_OK},
    {"ridge_gcv", "alpha=vector", AGN_OK},
    {"ridge_lcurve", "alpha=vector", AGN_OK},
    {"orthogonal", "key=key ndim=2", AGN_OK},
};

typedef struct operands {
    struct arg a[MOST];
    agn_tensor *out[MOST];
    const agn_tensor *xs[LISTED];
} operands;

static int dtype_by_name(const char *name)
{
    return strcmp(name, "c128") ? atoi(name) : AGN_C128;
}

/* "name=value name=value": a tensor of the pool, a number, NULL */
static void set_arguments(operands *o, const struct call *c, const char *arguments)
{
    char text[LINE], name[40], *rest = text;
    snprintf(text, sizeof text, "%s", arguments);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        int k = 0, found = -1;
        if (!value)
            bail_out("%s: '%s' sets nothing", c->name, word);
        *value++ = 0;
        for (; c->kinds[k]; k++) {
            name_of(name, sizeof name, c, k);
            found = strcmp(name, word) ? found : k;
        }
        if (found < 0)
            bail_out("%s has no argument %s", c->name, word);
        if (strchr("OT", c->kinds[found]) && !strcmp(value, "NULL"))
            o->a[found].out = NULL, o->a[found].x = NULL;
        else if (c->kinds[found] == 'T')
            o->a[found].x = tensor_by_name(value);
        else if (c->kinds[found] == 'E')
            o->a[found].i = dtype_by_name(value);
        else
            o->a[found].d = strtod(value, NULL),
            o->a[found].i = (int64_t)fmin(o->a[found].d, 0x1p62);
    }
}

static void prepare(operands *o, const struct call *c, const char *arguments)
{
    static const int64_t sizes[4] = {4, 4, 4, 4};
    memset(o, 0, sizeof *o);
    for (int k = 0; c->kinds[k]; k++) {
        o->out[k] = untouched;
        o->a[k] = (struct arg){.out = &o->out[k],
                               .x = tensor_by_name("spd"),
                               .sizes = sizes,
                               .i = c->kinds[k] == 'E' ? AGN_F64 : 1,
                               .d = 0.5};
    }
    for (int i = 0; i < COUNT(fitting); i++)
        if (!strcmp(fitting[i].name, c->name + strlen("agn_linalg_")))
            set_arguments(o, c, fitting[i].arguments);
    set_arguments(o, c, arguments);
}

/* refused with a status of the comment, in the name of the function, and nothing written */
static bool is_refusal(const struct call *c, const operands *o, agn_status st, const char *fact)
{
    const struct documented *d = doc_of(c);
    const char *m = agn_error_message(), *name = c->name + strlen("agn_");
    const size_t n = strlen(name);
    bool good = st && one_of(agn_status_name(st), d->errors) && (!fact || strstr(m, fact)) &&
                (st == AGN_ENOMEM || (!strncmp(m, name, n) && m[n] == ':'));
    for (int k = 0; c->kinds[k]; k++)
        good = good && (c->kinds[k] != 'O' || o->out[k] == untouched || !o->a[k].out);
    if (!good)
        diag("%s: %s \"%s\", of %s", c->name, agn_status_name(st), m, d->errors);
    if (good)
        met[c - calls][-st] = true;
    return good;
}

static void release_outs(const struct call *c, operands *o)
{
    for (int k = 0; c->kinds[k]; k++)
        if (c->kinds[k] == 'O' && o->out[k] != untouched)
            agn_release(o->out[k]);
}

/* the call is done as wanted: AGN_OK, a refusal by that status */
static void expect(tally *t, const struct call *c, const char *arguments, agn_status want,
                   const char *fact)
{
    operands o;
    prepare(&o, c, arguments);
    agn_status st = c->run(o.a);
    check(t, st == want && (!st || is_refusal(c, &o, st, fact)), "%s(%s): %s \"%s\", not %s",
          c->name, arguments, agn_status_name(st), st ? agn_error_message() : "",
          agn_status_name(want));
    release_outs(c, &o);
}
/* the call may succeed, or is refused as the comment says */
static void allow(tally *t, const struct call *c, const char *arguments)
{
    operands o;
    prepare(&o, c, arguments);
    agn_status st = c->run(o.a);
    check(t, !st || is_refusal(c, &o, st, NULL), "%s(%s): %s", c->name, arguments,
          agn_status_name(st));
    release_outs(c, &o);
}

/* ---- every function --------------------------------------------------------------------- */

static void test_fitting(void)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++)
        expect(&t, calls + i, "", AGN_OK, NULL);
    tell(&t, "%" PRId64 " functions with fitting arguments", t.checks);
}

static void test_null(void)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++)
        for (int k = 0; calls[i].kinds[k]; k++) {
            char name[40], fact[60], null[60];
            name_of(name, sizeof name, calls + i, k);
            if (!strchr("OT", calls[i].kinds[k]) || one_of(name, doc_of(calls + i)->nullable))
                continue;
            snprintf(fact, sizeof fact, "%s is NULL", name);
            snprintf(null, sizeof null, "%s=NULL", name);
            expect(&t, calls + i, null, AGN_ENULL, fact);
        }
    tell(&t, "pointers that are NULL, %" PRId64 " of them", t.checks);
}

/* one argument after the other is a stranger */
static void test_strangers(const char *kinds, const char *stranger)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++)
        for (int k = 0; calls[i].kinds[k]; k++) {
            char name[40], words[60];
            name_of(name, sizeof name, calls + i, k);
            snprintf(words, sizeof words, "%s=%s", name, stranger);
            if (strchr(kinds, calls[i].kinds[k]))
                allow(&t, calls + i, words);
        }
    tell(&t, "an argument of kind %s that is %s, %" PRId64 " times", kinds, stranger, t.checks);
}

/* every allocation fails in turn */
static void test_memory(void)
{
    tally t = {0, 0};
    int64_t failed = 0;
    for (int i = 0; i < COUNT(calls); i++)
        for (int64_t n = 0;; n++) {
            operands o;
            prepare(&o, calls + i, "");
            agn_memory_fail_after(n);
            agn_status st = calls[i].run(o.a);
            agn_memory_fail_after(-1);
            check(&t, !st || (st == AGN_ENOMEM && is_refusal(calls + i, &o, st, NULL)),
                  "%s, allocation %" PRId64 ": %s", calls[i].name, n, agn_status_name(st));
            failed += st == AGN_ENOMEM;
            release_outs(calls + i, &o);
            if (st != AGN_ENOMEM || n > 2000)
                break;
        }
    tell(&t, "%" PRId64 " allocations fail in turn", failed);
}

/* LAPACK's iterations do not converge */
static void test_iterations(void)
{
    static const struct row iterating[] = {
        {"lstsq_with", "driver=2", AGN_ENOCONV},
        {"matrix_norm_with", "p=1", AGN_ENOCONV},
        {"expm_cond", "a=six", AGN_ENOCONV}, /* values of a matrix of order 36 */
    };
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++)
        if (one_of("AGN_ENOCONV", doc_of(calls + i)->errors)) {
            lapack_stops = true;
            const char *arguments = "";
            for (int k = 0; k < COUNT(iterating); k++)
                if (!strcmp(iterating[k].name, calls[i].name + strlen("agn_linalg_")))
                    arguments = iterating[k].arguments;
            expect(&t, calls + i, arguments, AGN_ENOCONV, "converge");
            lapack_stops = false;
        }
    tell(&t, "%" PRId64 " functions whose iterations stop short", t.checks);
}

static const struct row rows[] = {
    {"matrix_power", "a=zero n=-1", AGN_EDOMAIN},
    {"corrcoef", "x=none", AGN_EARG},
    {"corrcoef_columns", "x=nothing", AGN_EARG},
    {"pascal", "n=516", AGN_EARG},
    {"invhilbert", "n=300", AGN_EARG},
    {"lu_solve", "perm=beyond", AGN_EINDEX},
    {"lu_unpack", "perm=beyond", AGN_EINDEX},
    {"ldl_solve", "perm=beyond", AGN_EINDEX},
    {"lu_factor_ex", "a=growing", AGN_EDOMAIN},
    {"ldl_factor_ex", "a=growing", AGN_EDOMAIN},
    {"solve_banded", "ab=zero_bands", AGN_EDOMAIN},
    {"solve_tridiagonal", "dl=zeros d=zero_vector", AGN_EDOMAIN},
    {"eigh_tridiagonal", "d=endless", AGN_EDOMAIN},
    {"eigvalsh_tridiagonal", "d=endless", AGN_EDOMAIN},
    {"tsqr", "a=nan", AGN_EDOMAIN},
    {"matrix_norm_with", "a=nan p=1", AGN_EDOMAIN},
};

static void test_rows(void)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(rows); i++) {
        const struct call *c = NULL;
        for (int k = 0; k < COUNT(calls); k++)
            c = strcmp(calls[k].name + strlen("agn_linalg_"), rows[i].name) ? c : calls + k;
        if (!c)
            bail_out("no function is called %s", rows[i].name);
        expect(&t, c, rows[i].arguments, rows[i].want, NULL);
    }
    tell(&t, "%d rows of faults", COUNT(rows));
}

/* what no table has arguments for */
static void note(tally *t, const char *name, agn_status st)
{
    for (int i = 0; i < COUNT(calls); i++)
        if (!strcmp(calls[i].name, name)) {
            operands none;
            memset(&none, 0, sizeof none);
            check(t, is_refusal(calls + i, &none, st, NULL), "%s: %s", name, agn_status_name(st));
            return;
        }
    bail_out("no function is called %s", name);
}
static agn_status draw_matrix(void *user, agn_scope *s, const agn_tensor *const *x,
                              const agn_tensor **y)
{
    (void)user;
    y[0] = ag_linalg_orthogonal(s, x[0], AGN_F64, 2, (int64_t[]){4, 4});
    return AGN_OK;
}
static void test_others(void)
{
    tally t = {0, 0};
    const agn_tensor *spd = tensor_by_name("spd"), *key = tensor_by_name("key");
    agn_tensor *y = NULL;
    note(&t, "agn_linalg_triangular_solve_with",
         agn_linalg_triangular_solve_with(&y, spd, spd, &(agn_triangular_options){.size = 1}));
    agn_fn *f, *plan;
    must(agn_fn_new(&f, draw_matrix, NULL, NULL, 1, 1));
    must(agn_fn_compile(&plan, f, NULL));
    note(&t, "agn_linalg_orthogonal", agn_fn_call(&y, 1, plan, &key, 1));
    agn_fn_release(f), agn_fn_release(plan);
    tell(&t, "refusals of options and symbols");
}

static void test_whole(void)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++)
        for (int s = 1; s < STATUSES; s++)
            if (one_of(agn_status_name((agn_status)-s), doc_of(calls + i)->errors))
                check(&t, met[i][s], "%s: nothing here is %s", calls[i].name,
                      agn_status_name((agn_status)-s));
    tell(&t, "%" PRId64 " documented errors were met", t.checks);
}

/* tensors of order n */
static void fill_pool(int n)
{
    const int64_t square[2] = {n, n};
    agn_scope *s = agn_scope_open(NULL);
    agn_tensor *r = to_pool("random", random_of(AGN_F64, 2, square, 0.5, 1));
    const agn_tensor *unit = ag_eye(s, AGN_F64, n, n, 0),
                     *spd = ag_add(s, ag_matmul(s, r, ag_swapaxes(s, r, -1, -2)),
                                   ag_mul_c(s, unit, 2 * n));
    to_pool("spd", agn_retain(spd));
    to_pool("zero", agn_retain(ag_mul_c(s, unit, 0)));
    to_pool("unit", agn_retain(unit));
    to_pool("minus", agn_retain(ag_neg(s, unit)));
    to_pool("lower", agn_retain(ag_tril(s, spd, 0)));
    to_pool("order", agn_retain(ag_arange(s, AGN_I64, 0, n, 1)));
    to_pool("complex", agn_retain(ag_cast(s, spd, AGN_C128)));
    to_pool("truth", agn_retain(ag_cast(s, unit, AGN_BOOL)));
    to_pool("integers", agn_retain(ag_cast(s, unit, AGN_I64)));
    to_pool("half", agn_retain(ag_cast(s, spd, AGN_F16)));
    to_pool("single", agn_retain(ag_cast(s, spd, AGN_F32)));
    to_pool("nan", agn_retain(ag_mul_c(s, spd, (double)NAN)));
    to_pool("vector", random_of(AGN_F64, 1, square, 1, 2));
    to_pool("shorter", random_of(AGN_F64, 1, (int64_t[]){n - 1}, 0.1, 0.5));
    to_pool("falling", agn_retain(ag_div(s, ag_ones(s, AGN_F64, 1, square),
                                         ag_exp(s, ag_arange(s, AGN_F64, 0, n, 1)))));
    agn_tensor *beside = to_pool("beside", random_of(AGN_F64, 2, (int64_t[]){3, n}, 0.1, 0.5));
    const agn_tensor *row = ag_reshape(s, ag_arange(s, AGN_F64, 0, 3, 1), 2, (int64_t[]){3, 1});
    for (int i = 1; i < 3; i++) /* the diagonal is row 1 or 2 */
        to_pool(i == 1 ? "bands" : "corner",
                agn_retain(ag_add(s, beside,
                                  ag_mul_c(s, ag_eq(s, row, ag_full(s, AGN_F64, 0, NULL, i)), 4))));
    to_pool("flat", random_of(AGN_F64, 2, (int64_t[]){n - 1, n}, 1, 2));
    to_pool("thin", random_of(AGN_F64, 2, (int64_t[]){n, n - 1}, 1, 2));
    to_pool("none", random_of(AGN_F64, 2, (int64_t[]){n, 0}, 1, 2));
    to_pool("nothing", random_of(AGN_F64, 2, (int64_t[]){0, n}, 1, 2));
    to_pool("six", random_of(AGN_F64, 2, (int64_t[]){6, 6}, 0, 0.1));
    to_pool("zero_bands", agn_retain(ag_mul_c(s, beside, 0)));
    to_pool("zeros", random_of(AGN_F64, 1, (int64_t[]){n - 1}, 0, 0));
    to_pool("zero_vector", random_of(AGN_F64, 1, square, 0, 0));
    to_pool("endless", agn_retain(ag_full(s, AGN_F64, 1, square, (double)INFINITY)));
    to_pool("beyond", agn_retain(ag_arange(s, AGN_I64, n, 2 * n, 1)));
    to_pool("growing",
            agn_retain(ag_mul_c(s, ag_sub(s, ag_ones(s, AGN_F64, 2, square), ag_mul_c(s, unit, 2)),
                                0x1.8p1023)));
    to_pool("key", agn_retain(ag_arange(s, AGN_I64, 3, 5, 1)));
    to_pool("number", scalar_of(AGN_F64, 2));
    to_pool("tall", random_of(AGN_F64, 2, (int64_t[]){n + 1, n - 1}, 1, 2));
    to_pool("wide", random_of(AGN_F64, 2, (int64_t[]){n - 1, n + 1}, 1, 2));
    agn_tensor *sparse = NULL;
    must(agn_sparse_from_dense(&sparse, spd));
    to_pool("sparse", sparse);
    must(agn_scope_close(s));
}

int main(void)
{
    fill_pool(4);
    ok(COUNT(calls) >= 138, "%d functions", COUNT(calls));
    test_fitting();
    test_null();
    static const char *const strangers[] = {"sparse",   "number", "tall",  "wide",    "vector",
                                            "nan",      "zero",   "minus", "complex", "truth",
                                            "integers", "half",   "single"};
    for (int i = 0; i < COUNT(strangers); i++)
        test_strangers("T", strangers[i]);
    static const char *const numbers[] = {"-7", "77", "-1", "0", "nan", "-0.5"};
    for (int i = 0; i < COUNT(numbers); i++)
        test_strangers("IDE", numbers[i]);
    test_memory();
    test_rows();
    test_others();
    empty_pool();
    fill_pool(36); /* of which no kernel of ours takes eigenvalues */
    test_iterations();
    test_whole();
    empty_pool();
    return done();
}
