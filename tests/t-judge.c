/* tests/t-judge.c - random programs, judged by an interpreter that shares no rule with the
   library (tests/judge.py). The library's numbers come by random nestings of transforms, to order 5
   (X2-3).

     t-judge [COUNT [SEED]]   COUNT programs from SEED; a program's seed reproduces it  */
#include "deriv.h"
#include "graph/program/program.h"
#include <unistd.h>

enum { INPUTS = 3, POOL = 40, ORDERS = 5 };

/* values are [], [3] or [2,3] */
enum shape { SCALAR, VECTOR, MATRIX, SHAPES };
static const int64_t dims[SHAPES][2] = {{0, 0}, {3, 0}, {2, 3}};
static const enum shape input_shape[INPUTS] = {SCALAR, VECTOR, VECTOR};

typedef struct pool {
    agn_scope *s;
    int n;
    T v[POOL];
    enum shape shape[POOL];
} pool;

static enum shape shape_of(T x)
{
    return !x || agn_ndim(x) == 0 ? SCALAR : agn_ndim(x) == 1 ? VECTOR : MATRIX;
}
static void keep(pool *p, T x)
{
    if (!x || p->n == POOL)
        return;
    p->shape[p->n] = shape_of(x);
    p->v[p->n++] = x;
}
/* recent values more often, so that programs are deep */
static T some(const pool *p)
{
    int i = p->n - 1 - below(below(2) ? p->n : (p->n < 4 ? p->n : 4));
    return p->v[i];
}
static T some_of(const pool *p, enum shape shape)
{
    for (int i = p->n - 1, skip = below(3); i >= 0; i--)
        if (p->shape[i] == shape && skip-- <= 0)
            return p->v[i];
    for (int i = p->n - 1; i >= 0; i--)
        if (p->shape[i] == shape)
            return p->v[i];
    T x = some(p);
    if (shape_of(x) == SCALAR && shape != SCALAR)
        return ag_broadcast_to(p->s, x, shape == VECTOR ? 1 : 2, dims[shape]);
    if (shape == SCALAR)
        return ag_mean_all(p->s, x);
    if (shape == MATRIX)
        return ag_broadcast_to(p->s, x, 2, dims[MATRIX]);
    return ag_sum(p->s, x, (const int32_t[]){0}, 1, false);
}

/* x brought into (lo, hi) smoothly */
static T within(agn_scope *s, T x, double lo, double hi)
{
    double mid = (lo + hi) / 2, half = (hi - lo) / 2 * 0.9;
    return ag_add_c(s, ag_mul_c(s, below(2) ? ag_tanh(s, x) : ag_sin(s, x), half), mid);
}

/* ---- steps ------------------------------------------------------------------------------ */

static T row_step(const pool *p)
{
    for (;;) {
        const agni_op *op = agni_op_at(below(agni_op_count()));
        if (op->cls != AGNI_EW || !(op->dtypes >> AGN_F64 & 1))
            continue;
        int64_t order = below(3);
        T x[3] = {some(p), some(p), some(p)};
        const double lo[3] = {op->lo, op->lo2, op->lo3}, hi[3] = {op->hi, op->hi2, op->hi3};
        bool tame = !strcmp(op->name, "add") || !strcmp(op->name, "sub") ||
                    (op->bounded && op->lo <= -3);
        for (int i = 0; i < op->nin; i++)
            if (!tame || below(4) == 0)
                x[i] = within(p->s, x[i], lo[i], hi[i]);
        return apply(p->s, op->name, op->nin, x, strstr(op->takes, "order:") != NULL, &order);
    }
}

static T index_vector(agn_scope *s, int n, int top)
{
    int64_t v[8];
    for (int i = 0; i < n; i++)
        v[i] = below(2 * top) - top;
    return ag_from_host(s, AGN_I64, 1, (const int64_t[]){n}, v);
}

static T structure_step(const pool *p)
{
    agn_scope *s = p->s;
    T m = some_of(p, MATRIX), v = some_of(p, VECTOR), x = some(p);
    int32_t axis = below(2);
    switch (below(33)) {
    case 0: return ag_sum(s, m, (const int32_t[]){0}, 1, false);
    case 1: return below(2) ? ag_mean_all(s, x) : ag_sum_compensated(s, m, &axis, 1, true);
    case 2: return ag_reshape(s, ag_transpose(s, ag_reshape(s, m, 2, (const int64_t[]){3, 2})), 2,
                              dims[MATRIX]);
    case 3: return ag_flip(s, m, &axis, 1);
    case 4: return ag_stack(s, (const T[]){v, ag_mul(s, v, v)}, 2, 0);
    case 5: return ag_slice(s, ag_concat(s, (const T[]){v, v, v}, 3, 0), 1,
                            (const int64_t[]){below(3)}, (const int64_t[]){7}, (const int64_t[]){3});
    case 6: return ag_gather(s, v, index_vector(s, 3, 3), 0);
    case 7: return ag_gather(s, m, index_vector(s, 3, 3), 1);
    case 8: return ag_take_along_axis(s, v, index_vector(s, 3, 3), 0);
    case 9: return ag_scatter_add(s, v, index_vector(s, 3, 3), some_of(p, VECTOR), 0);
    case 10: {
        T i = index_vector(s, 3, 3);
        return below(2) ? ag_index_put(s, v, AGN_IX(agn_ix_array(i)), some_of(p, VECTOR))
                        : ag_index_add(s, m, AGN_IX(agn_ix_int(1), agn_ix_array(i)), v);
    }
    case 11: return ag_cumsum(s, m, axis);
    case 12: return ag_prod(s, within(s, m, -1.5, 1.5), &axis, 1, true);
    case 13: return ag_max(s, m, &axis, 1, true);
    case 14: return ag_min(s, v, NULL, 0, false);
    case 15: return ag_logsumexp(s, m, &axis, 1, true);
    case 16: return ag_sort(s, m, 1, below(2));
    case 17: return ag_matmul(s, m, ag_reshape(s, m, 2, (const int64_t[]){3, 2}));
    case 18: return ag_einsum(s, "ij,j->j", (const T[]){m, v}, 2);
    case 19: return ag_einsum(s, "i,i", (const T[]){v, some_of(p, VECTOR)}, 2);
    case 20: return ag_einsum(s, "i,j,ij->j", (const T[]){ag_slice(s, v, 1, (const int64_t[]){1},
                                                                  (const int64_t[]){3}, NULL),
                                                          v, m}, 3);
    case 21: return ag_where(s, ag_gt(s, x, some(p)), some(p), ag_sin(s, x));
    case 22: return ag_slice(s, ag_pad(s, v, 1, (const int64_t[]){1}, (const int64_t[]){1}, 0.3), 1,
                             (const int64_t[]){below(3)}, (const int64_t[]){below(3) ? 5 : 4},
                             NULL);
    case 23: return below(2) ? ag_index_axis(s, m, 0, below(2))
                             : ag_index_put(s, m, AGN_IX(agn_ix_int(below(2)), agn_ix_slice(2, 0, -1)),
                                            ag_index_axis(s, v, 0, below(3)));
    case 24: return ag_broadcast_to(s, v, 2, dims[MATRIX]);
    case 25: return ag_sub(s, m, ag_logsumexp(s, m, (const int32_t[]){1}, 1, true));
    case 26: return ag_cumprod(s, within(s, m, -1.5, 1.5), axis, below(4));
    case 27: return ag_logcumsumexp(s, m, axis, below(2));
    case 28: return ag_recurrence(s, within(s, m, -1.5, 1.5), v, axis, below(2));
    case 29: return ag_amax(s, m, &axis, 1, true);
    case 30: return ag_var(s, m, &axis, 1, below(2), true);
    case 31: return ag_sqrt(s, ag_add_c(s, ag_sum_all(s, ag_square(s, x)), 0.1));
    default: return ag_matmul(s, ag_transpose(s, m), ag_matmul(s, m, v));
    }
}

/* keeps only values of the shapes that steps know */
static T shaped(agn_scope *s, T x)
{
    if (!x)
        return NULL;
    const int64_t *d = agn_shape(x);
    int n = agn_ndim(x);
    if (n == 0 || (n == 1 && d[0] == 3) || (n == 2 && d[0] == 2 && d[1] == 3))
        return x;
    if (n == 2 && (d[0] == 2 || d[0] == 1) && (d[1] == 3 || d[1] == 1))
        return ag_broadcast_to(s, x, 2, dims[MATRIX]);
    return ag_mean_all(s, x);
}

static agn_status program(void *user, agn_scope *s, const T *in, T *out)
{
    pool p = {.s = s};
    uint64_t saved = deriv_seed;
    deriv_seed = *(const uint64_t *)user;
    for (int i = 0; i < INPUTS; i++)
        keep(&p, in[i]);
    int steps = 5 + below(16);
    for (int k = 0; k < steps && !agn_scope_status(s); k++)
        keep(&p, shaped(s, below(3) ? row_step(&p) : structure_step(&p)));
    /* the last values and the inputs, so that everything matters */
    T sum = ag_mul_c(s, ag_sum_all(s, ag_sin(s, in[0])), 0.1);
    for (int i = 1; i < INPUTS; i++)
        sum = ag_add(s, sum, ag_mul_c(s, ag_sum_all(s, ag_square(s, in[i])), 0.1 * i));
    for (int i = p.n - 1; i >= INPUTS && i >= p.n - 4; i--)
        sum = ag_add(s, sum, ag_mul_c(s, ag_mean_all(s, p.v[i]), between(0.5, 1)));
    out[0] = sum;
    deriv_seed = saved;
    return agn_scope_status(s);
}

/* ---- what the library says ------------------------------------------------------------------ */

static void print_numbers(FILE *to, const char *kind, T x)
{
    double v[64];
    int n = numbers(v, 64, x);
    fprintf(to, "%s", kind);
    for (int i = 0; i < n; i++)
        fprintf(to, " %a", v[i]);
    fprintf(to, "\n");
}
static void print_all(FILE *to, const char *kind, int n, agn_tensor *const *x)
{
    double v[64];
    fprintf(to, "%s", kind);
    for (int k = 0; k < n; k++)
        for (int i = 0, m = numbers(v, 64, x[k]); i < m; i++)
            fprintf(to, " %a", v[i]);
    fprintf(to, "\n");
}
static void release_all(agn_tensor **x, int n)
{
    for (int i = 0; i < n; i++) {
        agn_release(x[i]);
        x[i] = NULL;
    }
}

static bool print_program(FILE *to, const agn_fn *f, const T *x)
{
    agni_prog *p = NULL;
    uint64_t first;
    size_t need = 0;
    if (agni_trace(&p, &first, f, x, true) || agni_prog_text(NULL, 0, &need, p))
        return false;
    char *text = malloc(need);
    bool good = text && !agni_prog_text(text, need, NULL, p);
    if (good)
        fputs(text, to);
    free(text);
    agni_prog_release(p);
    return good;
}

static agn_tensor *draw_input(int i)
{
    double v[6];
    int n = input_shape[i] == SCALAR ? 0 : 1;
    for (int k = 0; k < 6; k++)
        v[k] = between(-1.5, 1.5);
    agn_tensor *x = NULL;
    if (agn_from_host(&x, AGN_F64, n, dims[input_shape[i]], v))
        bail_out("%s", agn_error_message());
    return x;
}

static bool one_case(FILE *to, uint64_t seed)
{
    static const int32_t all[INPUTS] = {0, 1, 2};
    agn_fn *f = NULL, *grad = NULL, *hvp = NULL, *jet = NULL, *third = NULL, *plan = NULL;
    agn_tensor *x[2 * INPUTS] = {NULL}, *c[INPUTS * (ORDERS + 1)] = {NULL};
    agn_tensor *y[8] = {NULL};
    T dir[3][ARGS] = {{NULL}};
    char word[4] = {0};
    if (agn_fn_new(&f, program, &seed, NULL, INPUTS, 1))
        return false;
    deriv_seed = seed ^ 0x5bd1e995;
    for (int i = 0; i < INPUTS; i++) {
        x[i] = draw_input(i);
        x[INPUTS + i] = draw_input(i);
        for (int k = 0; k < 3; k++)
            dir[k][i] = x[INPUTS + i];
        for (int k = 0; k <= ORDERS; k++)
            if (k < 2)
                c[i * (ORDERS + 1) + k] = agn_retain(x[k * INPUTS + i]);
            else if (agn_mul_c(&c[i * (ORDERS + 1) + k], x[i], 0))
                return false;
    }
    for (int k = 0; k < 3; k++)
        word[k] = "FRJV"[below(4)];
    fprintf(to, "case %llu-%s\n", (unsigned long long)seed, word);
    bool good = print_program(to, f, (const T *)x);
    for (int i = 0; i < INPUTS; i++)
        print_numbers(to, "at", x[i]);
    for (int i = 0; i < INPUTS; i++)
        print_numbers(to, "along", x[INPUTS + i]);
    good = good && !agn_fn_value_and_grad(&grad, f, all, INPUTS) &&
           !agn_fn_call(y, agn_fn_n_out(grad), grad, (const T *)x, INPUTS);
    if (good) {
        print_all(to, "value", 1, y);
        print_all(to, "gradient", INPUTS, y + 1);
    }
    release_all(y, 8);
    good = good && !agn_fn_compile(&plan, grad, NULL) &&
           !agn_fn_call(y, agn_fn_n_out(plan), plan, (const T *)x, INPUTS);
    if (good) {
        print_all(to, "value", 1, y);
        print_all(to, "gradient", INPUTS, y + 1);
    }
    release_all(y, 8);
    good = good && !agn_fn_hvp(&hvp, f, all, INPUTS) &&
           !agn_fn_call(y, agn_fn_n_out(hvp), hvp, (const T *)x, 2 * INPUTS);
    if (good)
        print_all(to, "hvp", INPUTS, y);
    release_all(y, 8);
    good = good && !agn_fn_jet(&jet, f, ORDERS) &&
           !agn_fn_call(y, agn_fn_n_out(jet), jet, (const T *)c, INPUTS * (ORDERS + 1));
    if (good)
        print_all(to, "jet", ORDERS + 1, y);
    release_all(y, 8);
    third = nesting(word, f, INPUTS, (const T(*)[ARGS])dir);
    good = good && third && !agn_fn_call(y, agn_fn_n_out(third), third, (const T *)x, INPUTS);
    if (good)
        print_all(to, "third", 1, y);
    release_all(y, 8);
    fprintf(to, "end\n");
    if (!good)
        diag("seed %llu: %s", (unsigned long long)seed, agn_error_message());
    release_all(x, 2 * INPUTS);
    release_all(c, INPUTS * (ORDERS + 1));
    agn_fn_release(f);
    agn_fn_release(grad);
    agn_fn_release(plan);
    agn_fn_release(hvp);
    agn_fn_release(jet);
    agn_fn_release(third);
    return good;
}

/* ---- the judge --------------------------------------------------------------------------------- */

static const char *setting(const char *name, const char *otherwise)
{
    const char *v = getenv(name);
    return v && *v ? v : otherwise;
}

/* the last word of the judge, and what it holds against the programs */
static int judge(const char *file, char *verdict, size_t room)
{
    char line[1024];
    int bad = 0;
    snprintf(line, sizeof line, "'%s' '%s/tests/judge.py' '%s'", setting("PYTHON3", "python3"),
             setting("top_srcdir", ".."), file);
    FILE *from = popen(line, "r");
    *verdict = 0;
    while (from && fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "bad", 3)) {
            bad++;
            diag("%s", line);
        } else {
            snprintf(verdict, room, "%.250s", line);
        }
    }
    return from && !pclose(from) ? bad : -1;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : tap_scale(300);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 20260;
    char file[64], verdict[256], probe[512];
    snprintf(probe, sizeof probe, "'%s' -c 'import mpmath' 2>/dev/null",
             setting("PYTHON3", "python3"));
    if (system(probe))
        return skip_all("python3-mpmath is missing");
    snprintf(file, sizeof file, "t-judge.%ld.tmp", (long)getpid());
    FILE *to = fopen(file, "w");
    if (!to)
        bail_out("cannot write %s", file);
    int failed = 0;
    for (int i = 0; i < count; i++)
        failed += !one_case(to, seed + (uint64_t)i);
    fclose(to);
    is_int(failed, 0, "%d programs from seed %llu in every mode", count,
           (unsigned long long)seed);
    int bad = judge(file, verdict, sizeof verdict);
    is_int(bad, 0, "%s", verdict);
    if (!bad)
        remove(file);
    return done();
}
