/* tools/orders.c - agnesi ops --orders N: each op differentiated N times, by each mode.

   The op becomes a number, phi(x) = sum Re <u, op(x)>, looked at along a direction v. Forward
   mode of order k is held against the polynomial through values of phi; the other modes,
   which are exact too, against forward mode. Mixed: one reverse over forward ones. */
#include "ask.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDER = 6, MODES = 4, CELL = 13, NAME = 23 };
static const char *const modes[MODES] = {"forward", "reverse", "mixed", "jet"};

/* ---- phi and its derivatives along v ------------------------------------------------- */

typedef struct path {
    bound b;
    agn_tensor *v[MOST_ARGS], *u[MOST_OUT];
} path;

/* sum Re <a, b> */
static const agn_tensor *pairing(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    const agn_tensor *p = ag_mul(s, ag_conj(s, a), b);
    return ag_sum_all(s, p && is_complex(agn_dtype_of(p)) ? ag_real(s, p) : p);
}

static const agn_tensor *plus(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    return a ? ag_add(s, a, b) : b;
}

static agn_status phi(void *user, agn_scope *s, const agn_tensor *const *in,
                      const agn_tensor **out)
{
    const path *q = user;
    const agn_tensor *x[MOST_ARGS], *sum = NULL;
    agn_tensor *y[MOST_OUT] = {NULL};
    substitute(&q->b, in, x);
    agn_status st = apply(y, q->b.s, q->b.dtype, x);
    for (int o = 0; o < q->b.s->n_out; o++) {
        const agn_tensor *value = agn_scope_adopt(s, st, &y[o]);
        if (value && q->u[o])
            sum = plus(s, sum, pairing(s, q->u[o], value));
    }
    out[0] = agn_scope_status(s) ? NULL : sum;
    return agn_scope_status(s);
}

typedef struct layer {
    const path *q;
    char mode; /* F or R; J: a jet of so high an order */
    int order;
    agn_fn *g;
} layer;

static agn_status layer_body(void *user, agn_scope *s, const agn_tensor *const *in,
                             const agn_tensor **out)
{
    const layer *l = user;
    const agn_tensor *a[MOST_ARGS * (MOST_ORDER + 1)] = {NULL}, *y[MOST_ARGS + MOST_ORDER + 2];
    const agn_tensor *sum = NULL;
    int n = l->q->b.n_var, k = l->order;
    for (int i = 0; i < n; i++) {
        int at = l->mode == 'J' ? i * (k + 1) : i;
        a[at] = in[i];
        if (l->mode == 'F')
            a[n + i] = l->q->v[i];
        for (int j = 1; l->mode == 'J' && j <= k; j++)
            a[at + j] = j == 1 ? l->q->v[i] : ag_mul_c(s, l->q->v[i], 0);
    }
    agn_fn_apply(s, y, agn_fn_n_out(l->g), l->g, a, agn_fn_n_in(l->g));
    for (int i = 0; i < n && l->mode == 'R' && !agn_scope_status(s); i++)
        sum = plus(s, sum, pairing(s, l->q->v[i], y[i]));
    if (!agn_scope_status(s))
        out[0] = l->mode == 'R' ? sum : l->mode == 'F' ? y[1] : ag_mul_c(s, y[k], tgamma(k + 1));
    return agn_scope_status(s);
}

static void layer_drop(void *user)
{
    layer *l = user;
    agn_fn_release(l->g);
    free(l);
}

/* takes over f */
static agn_fn *derivative(const path *q, char mode, int order, agn_fn *f)
{
    static const int32_t all[MOST_ARGS] = {0, 1, 2, 3};
    layer *l = f ? calloc(1, sizeof *l) : NULL;
    agn_fn *d = NULL;
    if (l) {
        *l = (layer){q, mode, order, NULL};
        agn_status st = mode == 'F'   ? agn_fn_jvp(&l->g, f)
                        : mode == 'R' ? agn_fn_grad(&l->g, f, all, q->b.n_var)
                                      : agn_fn_jet(&l->g, f, order);
        if (st || agn_fn_new(&d, layer_body, l, layer_drop, q->b.n_var, 1))
            layer_drop(l);
    }
    agn_fn_release(f);
    return d;
}

static agn_fn *by_mode(const path *q, int mode, int order)
{
    agn_fn *f = NULL;
    if (agn_fn_new(&f, phi, (void *)(uintptr_t)q, NULL, q->b.n_var, 1))
        return NULL;
    if (mode == 3)
        return derivative(q, 'J', order, f);
    for (int k = 1; k <= order; k++)
        f = derivative(q, mode == 0 || (mode == 2 && k < order) ? 'F' : 'R', 1, f);
    return f;
}

/* ---- what should come out ----------------------------------------------------------------- */

/* the element k of a direction, or of a cotangent */
static agn_status wave(agn_tensor **out, const agn_tensor *like, double from, double by)
{
    double z[2 * MOST_ELEMENTS * MOST_OUT];
    int64_t n = agn_numel(like);
    agn_tensor *c = NULL;
    for (int64_t k = 0; k < n; k++) {
        z[2 * k] = cos(by * (double)k + from);
        z[2 * k + 1] = is_complex(agn_dtype_of(like)) ? sin(by * (double)k + from) : 0;
    }
    agn_status st = agn_from_host(&c, AGN_C128, agn_ndim(like), agn_shape(like), z);
    if (!st)
        st = agn_cast(out, c, agn_dtype_of(like));
    agn_release(c);
    return st;
}

static agn_status open_path(path *q, const subject *s)
{
    agn_tensor *y[MOST_OUT] = {NULL};
    memset(q, 0, sizeof *q);
    agn_status st = bind(&q->b, s, false, 0);
    if (!st)
        st = apply(y, s, q->b.dtype, borrow(q->b.x));
    for (int i = 0; i < q->b.n_var && !st; i++)
        st = wave(&q->v[i], q->b.x[q->b.var[i]], 2.1 * i, 1.3);
    for (int o = 0; o < s->n_out && !st; o++)
        if (!is_integer(agn_dtype_of(y[o])))
            st = wave(&q->u[o], y[o], 0.4 + o, 1.7);
    release_all(y, MOST_OUT);
    return st;
}

static void close_path(path *q)
{
    unbind(&q->b);
    release_all(q->v, MOST_ARGS);
    release_all(q->u, MOST_OUT);
}

static agn_status value_at(double *out, const path *q, const agn_fn *f, double t)
{
    agn_tensor *x[MOST_ARGS] = {NULL}, *move = NULL, *y = NULL;
    agn_status st = AGN_OK;
    for (int i = 0; i < q->b.n_var && !st; i++) {
        st = agn_mul_c(&move, q->v[i], t);
        if (!st)
            st = agn_add(&x[i], q->b.x[q->b.var[i]], move);
        agn_release(move);
        move = NULL;
    }
    if (!st)
        st = agn_fn_call(&y, 1, f, borrow(x), agn_fn_n_in(f));
    if (!st)
        st = agn_item_f64(out, y);
    agn_release(y);
    release_all(x, MOST_ARGS);
    return st;
}

/* What forward mode of order k should give: the polynomial through 13 values of that of an order
   less, or two less; and what rounding of these values makes of it. */
static agn_status differences(double *want, double *noise, path *q, int k)
{
    double t[CURVE_NODES], y[CURVE_NODES], largest = 0;
    long double c[CURVE_NODES];
    int m = k < 2 ? k : 2;
    agn_fn *f = by_mode(q, 0, k - m);
    agn_status st = f ? AGN_OK : AGN_EARG;
    for (int j = 0; j < CURVE_NODES && !st; j++) {
        t[j] = curve_node(j);
        st = value_at(&y[j], q, f, t[j]);
        largest = fmax(largest, fabs(y[j]));
    }
    agn_fn_release(f);
    if (st)
        return st;
    interpolate(c, t, y);
    *want = (double)c[m] * m;
    *noise = 8 * 0x1p-52 * largest * pow(CURVE_NODES / CURVE_REACH, m);
    return st;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct tally {
    int run, failed, given[N_REASONS];
    double worst[MOST_ORDER + 1][MODES];
} tally;

static void ask_order(answer *a, path *q, int mode, int k, double *forward)
{
    double have = (double)NAN, want = *forward, noise = 0;
    const char *op = q->b.s->info.name;
    agn_fn *f = by_mode(q, mode, k);
    agn_status st = f ? value_at(&have, q, f, 0) : AGN_ENOMEM;
    agn_fn_release(f);
    if (st == AGN_EUNSUPPORTED && !strncmp(agn_error_message(), op, strlen(op))) {
        a->why = NO_ORDER; /* and says so, naming the op */
        return;
    }
    if (!st && !mode)
        st = differences(&want, &noise, q, k);
    a->allowed = mode ? 1e-11 : (k < 4 ? 1e-10 : 1e-8) + noise / fmax(1, fabs(want));
    if (st)
        fail(a, modes[mode]);
    else
        note_error(a, have, want);
    if (!mode)
        *forward = have;
}

static void print_answer(tally *t, const answer *a, int mode, int k)
{
    bool wrong = a->failed || !(a->error <= a->allowed);
    char text[32];
    if (a->why) {
        snprintf(text, sizeof text, "n/a: %s", reason_of(a->why));
        t->given[a->why]++;
        wrong = false;
    } else {
        snprintf(text, sizeof text, a->failed ? "FAILS" : wrong ? "WRONG %.0e" : "%.1e", a->error);
        t->run++;
    }
    printf(" %-*s", CELL, text);
    t->failed += wrong;
    if (a->error > t->worst[k][mode])
        t->worst[k][mode] = a->error;
    if (wrong)
        printf("\n    order %d, %s: %s: error %.3g, allowed %.3g\n    ", k, modes[mode], a->message,
               a->error, a->allowed);
}

static void orders_of(tally *t, const subject *s, int top)
{
    path q;
    double forward = 0;
    answer a = {0};
    printf("%-*s", NAME, s->info.name);
    if (!has_derivative(&a, s, s->info.jvp)) {
        printf(" n/a: %s\n", reason_of(a.why));
        t->given[a.why]++;
        return;
    }
    bool fine = !open_path(&q, s);
    for (int k = 1; k <= top && fine; k++)
        for (int m = 0; m < MODES; m++) {
            a = (answer){0};
            ask_order(&a, &q, m, k, &forward);
            print_answer(t, &a, m, k);
        }
    if (!fine) {
        t->failed++;
        printf(" FAILS: %s", agn_error_message());
    }
    close_path(&q);
    putchar('\n');
}

int tool_orders(const int32_t *ids, int n, int top)
{
    tally t = {0};
    top = top < MOST_ORDER ? top : MOST_ORDER;
    printf("%-*s", NAME, "op");
    for (int k = 1; k <= top; k++)
        for (int m = 0; m < MODES; m++)
            printf(" %d:%-*s", k, CELL - 2, modes[m]);
    putchar('\n');
    for (int i = 0; i < n; i++) {
        subject s;
        if (subject_of(&s, ids[i])) {
            orders_of(&t, &s, top);
            continue;
        }
        t.failed++;
        printf("%-*s FAILS: no arguments are known: add a case to tools/cases.c\n", NAME,
               agn_op_name(ids[i]));
    }
    printf("%-*s", NAME, "largest");
    for (int k = 1; k <= top; k++)
        for (int m = 0; m < MODES; m++)
            printf(" %-*.1e", CELL, t.worst[k][m]);
    printf("\n\nForward mode against differences, the others against forward mode; errors are\n"
           "|have - want| / max(1, |want|).\n");
    for (int r = 1; r < N_REASONS; r++)
        if (t.given[r])
            printf("n/a: %-9s %5d\n", reason_of((reason)r), t.given[r]);
    printf("%d ops, orders 1 to %d, %d cells run, %d failed\n", n, top, t.run, t.failed);
    return t.failed ? TOOL_FAILED : TOOL_OK;
}
