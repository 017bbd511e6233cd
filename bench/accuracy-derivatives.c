/* bench/accuracy-derivatives.c - derivatives of special functions at random arguments, by every mode,
   against differences of balls of Arb.

     make bench/accuracy-derivatives && bench/accuracy-derivatives [--seconds S] [--seed N] [NAME...]

   Of every function of special-functions.def but quantiles, in each argument, of orders 1 to 4: by
   forward mode nested (F), reverse mode nested (R) and one jet (J). Half of the arguments are
   uniform in the box, half in that part of it which is not beyond 10. The exact value is a central
   difference of seven balls whose step is 2^-70 of the argument (2^-150 in boxes beyond 1e8), so that
   it is right to about 2^-140 of the curvature; its radius is no more than 2^-60 of what an error is a part of: the derivative,
   or |x| times the next one, by which rounding of x itself moves it. */
#include "bench/special-references.h"

#include <agnesi/autograd.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { POINTS = 16, MOST_DERIVATIVE = 4, SIDE = 3, NODES = 2 * SIDE + 1, MODES = 3 };
static const char mode_names[] = "FRJ";

typedef struct outcome {
    int64_t n, nan, refused, unknown;
    double worst, at[MOST_ARGUMENTS];
    int64_t k[2];
    char mode, message[160];
} outcome;
typedef struct outcomes {
    outcome of[MOST_ARGUMENTS][MOST_DERIVATIVE + 1];
} outcomes;

static uint64_t seed = 1748;
static uint64_t draw_bits(void) /* splitmix64 (Steele et al. 2014) */
{
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static double draw_argument(const special *f, int i)
{
    double lo = f->box[i][0], hi = f->box[i][1];
    if (draw_bits() & 1)
        lo = fmax(lo, -10), hi = fmin(hi, 10);
    if (lo > hi)
        lo = f->box[i][0], hi = f->box[i][1];
    double x = lo + (hi - lo) * ((double)(draw_bits() >> 11) + 0.5) * 0x1p-53;
    return i == 0 && f->whole ? floor(x) : x;
}

/* ---- ours ---------------------------------------------------------------------------- */

typedef struct call {
    const special *f;
    int64_t k[2];
} call;
static agn_status body(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const call *c = user;
    agn_tensor *x[MOST_ARGUMENTS], *y = NULL;
    for (int i = 0; i < c->f->n; i++)
        x[i] = agn_retain(in[i]);
    agn_status st = c->f->run(&y, x, c->k);
    for (int i = 0; i < c->f->n; i++)
        agn_release(x[i]);
    const agn_tensor *v = agn_scope_adopt(s, st, &y);
    if (v && (agn_dtype_of(v) == AGN_C128))
        v = ag_real(s, v);
    out[0] = v;
    return agn_scope_status(s);
}
/* derivative of g in argument i, for elements apart, by one mode */
typedef struct nested {
    agn_fn *g;
    int n, i;
    char mode;
} nested;
static agn_status nested_body(void *user, agn_scope *s, const agn_tensor *const *in,
                              const agn_tensor **out)
{
    const nested *q = user;
    const agn_tensor *a[2 * MOST_ARGUMENTS], *y[2] = {NULL, NULL};
    for (int i = 0; i < q->n; i++) {
        a[i] = in[i];
        a[q->n + i] = i == q->i ? ag_full_like(s, in[i], 1) : ag_full_like(s, in[i], 0);
    }
    if (q->mode == 'F')
        agn_fn_apply(s, y, 2, q->g, a, 2 * q->n);
    else {
        a[q->n] = a[q->n + q->i];
        agn_fn_apply(s, y, agn_fn_n_out(q->g), q->g, a, agn_fn_n_in(q->g));
        y[1] = y[0];
    }
    out[0] = y[1];
    return agn_scope_status(s);
}
static void nested_drop(void *user)
{
    nested *q = user;
    agn_fn_release(q->g);
    free(q);
}
static agn_status sum_body(void *user, agn_scope *s, const agn_tensor *const *in,
                           const agn_tensor **out)
{
    const agn_fn *g = user;
    const agn_tensor *y[1];
    agn_fn_apply(s, y, 1, g, in, agn_fn_n_in(g));
    out[0] = agn_scope_status(s) ? NULL : ag_sum_all(s, y[0]);
    return agn_scope_status(s);
}
static void sum_drop(void *user)
{
    agn_fn_release(user);
}
static agn_status raise_order(agn_fn **out, const agn_fn *g, int n, int i, char mode)
{
    nested *q = calloc(1, sizeof *q);
    int32_t which = i;
    agn_fn *sum = NULL;
    agn_status st = q ? AGN_OK : AGN_ENOMEM;
    if (st)
        return st;
    q->n = n, q->i = i, q->mode = mode;
    if (mode == 'F') {
        st = agn_fn_jvp(&q->g, g);
    } else {
        st = agn_fn_new(&sum, sum_body, agn_fn_retain(g), sum_drop, n, 1);
        if (!st)
            st = agn_fn_grad(&q->g, sum, &which, 1);
        agn_fn_release(sum);
    }
    if (!st)
        st = agn_fn_new(out, nested_body, q, nested_drop, n, 1);
    if (st)
        nested_drop(q);
    return st;
}
/* d[o] of orders 1 to MOST_DERIVATIVE */
static void derive(const special *f, const int64_t *k, int i, char mode,
                   double x[MOST_ARGUMENTS][POINTS], double d[MOST_DERIVATIVE + 1][POINTS],
                   agn_status *st, char message[160])
{
    call c = {f, {k[0], k[1]}};
    int64_t points = POINTS;
    agn_tensor *in[MOST_ARGUMENTS * (MOST_DERIVATIVE + 1)] = {NULL}, *y[MOST_DERIVATIVE + 1] = {NULL};
    agn_fn *g = NULL, *next = NULL;
    for (int o = 0; o <= MOST_DERIVATIVE; o++)
        st[o] = AGN_OK;
    if (agn_fn_new(&g, body, &c, NULL, f->n, 1))
        exit(1);
    if (mode == 'J') {
        int w = MOST_DERIVATIVE + 1;
        for (int a = 0; a < f->n; a++)
            for (int o = 0; o < w; o++) {
                double v[POINTS];
                for (int p = 0; p < POINTS; p++)
                    v[p] = o == 0 ? x[a][p] : o == 1 && a == i ? 1 : 0;
                if (agn_from_host(&in[a * w + o], AGN_F64, 1, &points, v))
                    exit(1);
            }
        agn_status s = agn_fn_jet(&next, g, MOST_DERIVATIVE);
        if (!s)
            s = agn_fn_call(y, w, next, (const agn_tensor *const *)in, f->n * w);
        double factorial = 1;
        for (int o = 1; o < w; o++) {
            st[o] = s ? s : agn_to_host(d[o], y[o], sizeof d[o]);
            factorial *= o;
            for (int p = 0; !st[o] && p < POINTS; p++)
                d[o][p] *= factorial;
        }
        if (s)
            snprintf(message, 160, "%s", agn_error_message());
        agn_fn_release(next);
    } else {
        for (int a = 0; a < f->n; a++)
            if (agn_from_host(&in[a], AGN_F64, 1, &points, x[a]))
                exit(1);
        for (int o = 1; o <= MOST_DERIVATIVE; o++) {
            st[o] = raise_order(&next, g, f->n, i, mode);
            if (!st[o])
                st[o] = agn_fn_call(y, 1, next, (const agn_tensor *const *)in, f->n);
            if (!st[o])
                st[o] = agn_to_host(d[o], y[0], sizeof d[o]);
            if (st[o]) {
                snprintf(message, 160, "%s", agn_error_message());
                for (; o <= MOST_DERIVATIVE; o++)
                    st[o] = AGN_EUNSUPPORTED;
                break;
            }
            agn_release(y[0]), y[0] = NULL;
            agn_fn_release(g);
            g = next, next = NULL;
        }
        agn_fn_release(next);
    }
    agn_fn_release(g);
    for (int a = 0; a < MOST_ARGUMENTS * (MOST_DERIVATIVE + 1); a++)
        agn_release(in[a]);
    for (int o = 0; o <= MOST_DERIVATIVE; o++)
        agn_release(y[o]);
}

/* ---- Arb's ---------------------------------------------------------------------------- */

/* weights of f(x + j h), j = -3 to 3, for the derivative times h^order, over their divisor
   (Fornberg, Math. Comp. 51, 699) */
static const int weight[6][NODES] = {
    {0}, {-1, 9, -45, 0, 45, -9, 1}, {2, -27, 270, -490, 270, -27, 2}, {1, -8, 13, 0, -13, 8, -1},
    {-1, 12, -39, 56, -39, 12, -1}, {-1, 4, -5, 0, 5, -4, 1}};
static const int divisor[6] = {1, 60, 180, 8, 6, 2};

/* exact[o] and what errors are a part of */
static bool find_exact(const special *f, const int64_t *k, int i, const double *point,
                       double *exact, double *unit)
{
    arb_ptr at = _arb_vec_init(MOST_ARGUMENTS + 2), y = _arb_vec_init(2), node = _arb_vec_init(NODES);
    arb_t sum, t;
    arb_init(sum);
    arb_init(t);
    /* of boxes that reach far, where a wave may be shorter than 2^-70 of the argument, less */
    bool far = fmax(fabs(f->box[i][0]), fabs(f->box[i][1])) > 1e8;
    int shift = (int)ilogb(point[i]) - (far ? 150 : 70);
    bool good = false;
    for (slong bits = far ? 1000 : 500; !good && bits <= 2000; bits *= 2) {
        good = true;
        for (int j = 0; j < NODES && good; j++) {
            for (int a = 0; a < f->n; a++)
                arb_set_d(at + a, point[a]);
            arb_set_si(t, j - SIDE);
            arb_mul_2exp_si(t, t, shift);
            arb_add(at + i, at + i, t, ARF_PREC_EXACT);
            arb_zero(y);
            arb_zero(y + 1);
            f->value(y, at, k, bits);
            good = arb_is_finite(y);
            arb_set(node + j, y);
        }
        double d[6], radius[6];
        for (int o = 1; o <= 5 && good; o++) {
            arb_zero(sum);
            for (int j = 0; j < NODES; j++) {
                arb_mul_si(t, node + j, weight[o][j], bits);
                arb_add(sum, sum, t, bits);
            }
            arb_div_si(sum, sum, divisor[o], bits);
            arb_mul_2exp_si(sum, sum, -(slong)o * shift);
            d[o] = arf_get_d(arb_midref(sum), ARF_RND_NEAR);
            radius[o] = mag_get_d(arb_radref(sum));
        }
        for (int o = 1; o <= 4 && good; o++) {
            exact[o] = d[o];
            unit[o] = fmax(fabs(d[o]), fabs(point[i]) * fabs(d[o + 1]));
            good = radius[o] <= 0x1p-60 * unit[o] && isfinite(unit[o]) && unit[o] > 1e-290;
        }
    }
    _arb_vec_clear(at, MOST_ARGUMENTS + 2);
    _arb_vec_clear(y, 2);
    _arb_vec_clear(node, NODES);
    arb_clear(sum);
    arb_clear(t);
    return good;
}

/* ---- one argument of a function ------------------------------------------------------------ */

static void measure(const special *f, int i, double seconds, outcomes *r)
{
    while ((double)clock() / CLOCKS_PER_SEC < seconds) {
        double x[MOST_ARGUMENTS][POINTS], d[MODES][MOST_DERIVATIVE + 1][POINTS];
        agn_status st[MODES][MOST_DERIVATIVE + 1];
        char message[MODES][160] = {""};
        int64_t k[2];
        for (int a = 0; a < 2; a++)
            k[a] = f->low[a] + (int64_t)(draw_bits() % (uint64_t)(f->high[a] - f->low[a] + 1));
        if (f->high[1] && (k[1] > k[0] || k[1] < -k[0]))
            k[1] = k[1] < 0 ? -k[0] : k[0];
        for (int p = 0; p < POINTS; p++)
            for (int a = 0; a < f->n; a++)
                x[a][p] = draw_argument(f, a);
        for (int m = 0; m < MODES; m++)
            derive(f, k, i, mode_names[m], x, d[m], st[m], message[m]);
        for (int p = 0; p < POINTS; p++) {
            double point[MOST_ARGUMENTS], exact[6], unit[6];
            for (int a = 0; a < f->n; a++)
                point[a] = x[a][p];
            bool known = find_exact(f, k, i, point, exact, unit);
            for (int o = 1; o <= MOST_DERIVATIVE; o++) {
                outcome *w = &r->of[i][o];
                if (!known) {
                    w->unknown++;
                    continue;
                }
                for (int m = 0; m < MODES; m++) {
                    w->n++;
                    if (st[m][o]) {
                        w->refused++;
                        memcpy(w->message, message[m], sizeof w->message);
                    } else if (isnan(d[m][o][p])) {
                        w->nan++;
                    } else {
                        double e = fabs(d[m][o][p] - exact[o]) / unit[o];
                        if (e > w->worst || isnan(e)) {
                            w->worst = e, w->mode = mode_names[m];
                            memcpy(w->at, point, sizeof w->at);
                            memcpy(w->k, k, sizeof w->k);
                        }
                    }
                }
            }
        }
    }
}

/* quantiles are judged by what was found, which differences are not made of */
static bool is_quantile(const char *name)
{
    static const char *const names[] = {"stdtrit", "fdtri", "chdtri", "gdtrix", "bdtri",
                                        "nbdtri",  "pdtri", "gammaincinv", "gammainccinv",
                                        "betaincinv", "betainccinv", "digammainv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const char *names[256];
    int n_names = 0;
    double seconds = 2;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            seconds = strtod(argv[++i], NULL);
        else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            seed = (uint64_t)strtoll(argv[++i], NULL, 10);
        else if (n_names < 256)
            names[n_names++] = argv[i];
    outcomes *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    printf("function argument order: derivatives, NaN, refused, arguments without reference; worst by mode at\n");
    for (int j = 0; j < n_special; j++) {
        const special *f = &special_functions[j];
        bool asked = n_names == 0;
        for (int i = 0; i < n_names; i++)
            asked = asked || !strcmp(names[i], f->name);
        if (!asked || is_quantile(f->name))
            continue;
        memset(r, 0, sizeof *r);
        for (int i = 0; i < f->n; i++) {
            if (i == 0 && f->whole)
                continue;
            pid_t child = fork();
            if (child == 0) {
                measure(f, i, seconds, r);
                _exit(0);
            }
            double waited = 0; /* a ball may take for ever */
            int status = 0;
            while (waitpid(child, &status, WNOHANG) == 0) {
                struct timespec used = {0, 0};
                clockid_t id;
                nanosleep(&(struct timespec){0, 20000000}, NULL);
                if (clock_getcpuclockid(child, &id) == 0)
                    clock_gettime(id, &used);
                waited = (double)used.tv_sec;
                if (waited > 3 * seconds + 5) {
                    kill(child, SIGKILL);
                    waitpid(child, &status, 0);
                    break;
                }
            }
            if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
                printf("%s %d: signal %d\n", f->name, i, WTERMSIG(status));
            for (int o = 1; o <= MOST_DERIVATIVE; o++) {
                const outcome *w = &r->of[i][o];
                printf("%s %d %d: %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "; %.2g %c at", f->name, i, o,
                       w->n, w->nan, w->refused, w->unknown, w->worst, w->mode ? w->mode : '-');
                for (int a = 0; a < f->n; a++)
                    printf(" %.17g", w->at[a]);
                printf("; %" PRId64 " %" PRId64 " %s\n", w->k[0], w->k[1], w->message);
            }
            fflush(stdout);
        }
    }
    flint_cleanup();
    return 0;
}
