/* tests/modes.h - the first result of a function in every mode to order 3: tangents
   against differences of eighth order, cotangents against tangents, jets and nestings
   against each other, lanes against one at a time. */
#ifndef AGN_MODES_H
#define AGN_MODES_H

#include "laws.h"

enum { MODES_ARGS = 4, MODES_LANES = 3 };

/* Re sum conj(a) b */
static inline const agn_tensor *modes_inner(agn_scope *s, const agn_tensor *a,
                                            const agn_tensor *b)
{
    if (!a || !b)
        return NULL;
    if (kind_of(agn_dtype_of(a)) == KIND_COMPLEX)
        return ag_sum_all(s, ag_real(s, ag_mul(s, ag_conj(s, a), b)));
    return ag_sum_all(s, ag_mul(s, a, b));
}
static inline double modes_dot(const agn_tensor *a, const agn_tensor *b)
{
    double d = 0;
    for (int64_t i = 0; i < agn_numel(a); i++)
        d += creal(conj(peekz(a, i)) * peekz(b, i));
    return d;
}
/* largest difference over 1 + largest entry; infinite where shapes or dtypes differ */
static inline double modes_apart(const agn_tensor *a, const agn_tensor *b)
{
    double d = 0, m = 1;
    if (!a || !b || !same_shapes(a, b) || agn_dtype_of(a) != agn_dtype_of(b))
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(a); i++) {
        double e = cabs(peekz(a, i) - peekz(b, i));
        d = e > d || isnan(e) ? e : d;
        m = fmax(m, cabs(peekz(b, i)));
    }
    return d / m;
}
static inline agn_tensor *modes_random_like(const agn_tensor *x)
{
    return random_of(agn_dtype_of(x), agn_ndim(x), agn_shape(x), -1, 1);
}
static inline agn_tensor *modes_zeros_like(const agn_tensor *x)
{
    agn_tensor *z = NULL;
    must(agn_full(&z, agn_dtype_of(x), agn_ndim(x), agn_shape(x), 0));
    return z;
}
/* x + h t */
static inline agn_tensor *modes_moved(const agn_tensor *x, const agn_tensor *t,
                                      double h)
{
    agn_tensor *u = NULL, *y = NULL;
    must(agn_mul_c(&u, t, h));
    must(agn_add(&y, x, u));
    agn_release(u);
    return y;
}
/* result number k of a call; the others dropped */
static inline agn_tensor *modes_call(const agn_fn *f, int k,
                                     const agn_tensor *const *in)
{
    agn_tensor *out[64] = {NULL}, *y;
    must(agn_fn_call(out, agn_fn_n_out(f), f, in, agn_fn_n_in(f)));
    y = out[k];
    for (int i = 0; i < agn_fn_n_out(f); i++)
        if (i != k)
            agn_release(out[i]);
    return y;
}

/* d/dh of result k of f(x + h t, rest) at 0 (Fornberg 1988, eighth order) */
static inline agn_tensor *modes_difference(const agn_fn *f, int k, int n,
                                           const agn_tensor *const *x,
                                           const agn_tensor *const *t,
                                           const agn_tensor *const *rest, double h)
{
    static const double w[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    agn_tensor *sum = NULL;
    for (int j = -4; j <= 4; j++) {
        if (!j)
            continue;
        const agn_tensor *in[32] = {NULL};
        for (int i = 0; i < n; i++)
            in[i] = modes_moved(x[i], t[i], j * h);
        for (int i = n; i < agn_fn_n_in(f); i++)
            in[i] = rest[i - n];
        agn_tensor *y = modes_call(f, k, in), *v = NULL, *u = NULL;
        for (int i = 0; i < n; i++)
            agn_release((agn_tensor *)(uintptr_t)in[i]);
        must(agn_mul_c(&v, y, (j < 0 ? -1 : 1) * w[abs(j) - 1] / h));
        if (sum)
            must(agn_add(&u, sum, v));
        else
            u = agn_retain(v);
        agn_release(sum);
        agn_release(v);
        agn_release(y);
        sum = u;
    }
    return sum;
}

/* x -> <w, first n results of f(x)> with n weights; with args beyond x given */
typedef struct modes_scalar {
    const agn_fn *f;
    int from, n, n_in, n_rest;
    const agn_tensor *const *w;
    const agn_tensor *const *rest;
} modes_scalar;
static inline agn_status modes_scalar_body(void *user, agn_scope *s,
                                           const agn_tensor *const *in,
                                           const agn_tensor **out)
{
    const modes_scalar *q = user;
    const agn_tensor *a[32], *y[64] = {NULL}, *sum = NULL;
    for (int i = 0; i < q->n_in; i++)
        a[i] = in[i];
    for (int i = 0; i < q->n_rest; i++)
        a[q->n_in + i] = q->rest[i];
    agn_status st = agn_fn_apply(s, y, agn_fn_n_out(q->f), q->f, a, agn_fn_n_in(q->f));
    for (int i = 0; !st && i < q->n; i++) {
        const agn_tensor *d = modes_inner(s, q->w[i], y[q->from + i]);
        sum = sum ? ag_add(s, sum, d) : d;
    }
    out[0] = sum;
    return agn_scope_status(s);
}
/* the gradient of that with respect to all of x */
static inline agn_fn *modes_gradient(const modes_scalar *q)
{
    static const int32_t all[MODES_ARGS] = {0, 1, 2, 3};
    agn_fn *f = NULL, *g = NULL;
    must(agn_fn_new(&f, modes_scalar_body, (void *)(uintptr_t)q, NULL, q->n_in, 1));
    must(agn_fn_grad(&g, f, all, q->n_in));
    agn_fn_release(f);
    return g;
}
static inline double modes_gradient_dot(const agn_fn *g, int n,
                                        const agn_tensor *const *x,
                                        const agn_tensor *const *t)
{
    agn_tensor *out[MODES_ARGS] = {NULL};
    double d = 0;
    must(agn_fn_call(out, agn_fn_n_out(g), g, x, agn_fn_n_in(g)));
    for (int i = 0; i < n; i++) {
        d += modes_dot(t[i], out[i]);
        agn_release(out[i]);
    }
    return d;
}

/* lanes of f with the arguments in mask batched, against one lane after the other */
static inline void modes_lanes(tally *q, const agn_fn *f, int n,
                               const agn_tensor *const *x, const agn_tensor *const *t,
                               unsigned mask, double tol, const char *what)
{
    int32_t axes[MODES_ARGS];
    const agn_tensor *in[MODES_ARGS], *lane[MODES_LANES][MODES_ARGS];
    agn_tensor *all[64] = {NULL};
    agn_fn *v = NULL;
    for (int i = 0; i < n; i++) {
        axes[i] = mask >> i & 1 ? 0 : AGN_UNBATCHED;
        for (int l = 0; l < MODES_LANES; l++)
            lane[l][i] = mask >> i & 1 ? modes_moved(x[i], t[i], 0.05 * l)
                                       : agn_retain(x[i]);
        agn_tensor *b = NULL;
        const agn_tensor *col[MODES_LANES];
        for (int l = 0; l < MODES_LANES; l++)
            col[l] = lane[l][i];
        if (mask >> i & 1)
            must(agn_stack(&b, col, MODES_LANES, 0));
        else
            b = agn_retain(x[i]);
        in[i] = b;
    }
    must(agn_fn_vmap(&v, f, axes, agn_fn_n_in(f), NULL, 0));
    agn_status st = agn_fn_call(all, agn_fn_n_out(v), v, in, agn_fn_n_in(v));
    check(q, !st, "lanes %x of %s: %s", mask, what, st ? agn_error_message() : "");
    for (int l = 0; l < MODES_LANES && !st; l++) {
        agn_tensor *one[64] = {NULL};
        must(agn_fn_call(one, agn_fn_n_out(f), f, lane[l], agn_fn_n_in(f)));
        for (int k = 0; k < agn_fn_n_out(f); k++) {
            agn_tensor *y = NULL;
            must(agn_index_axis(&y, all[k], 0, l));
            double d = modes_apart(y, one[k]);
            check(q, d < tol, "lane %d of result %d of %s, batched %x: apart %.1e", l,
                  k, what, mask, d);
            agn_release(y);
            agn_release(one[k]);
        }
    }
    for (int k = 0; k < agn_fn_n_out(f); k++)
        agn_release(all[k]);
    for (int i = 0; i < n; i++) {
        agn_release((agn_tensor *)(uintptr_t)in[i]);
        for (int l = 0; l < MODES_LANES; l++)
            agn_release((agn_tensor *)(uintptr_t)lane[l][i]);
    }
    agn_fn_release(v);
}

/* f of n f64 or c128 arguments near x; h: step of differences; tol: of everything */
static inline void in_every_mode(const agn_fn *f, int n, const agn_tensor *const *x,
                                 double h, double tol, const char *name)
{
    tally q = {0, 0};
    agn_fn *d[4] = {NULL};
    const agn_tensor *in[8 * MODES_ARGS], *t[MODES_ARGS], *zero[MODES_ARGS];
    agn_tensor *y[4] = {NULL};
    int n_out = agn_fn_n_out(f);
    for (int i = 0; i < n; i++) {
        t[i] = modes_random_like(x[i]);
        zero[i] = modes_zeros_like(x[i]);
    }
    /* forward: y[m] is the m-th derivative along t */
    d[0] = agn_fn_retain(f);
    y[0] = modes_call(f, 0, x);
    for (int m = 1, width = n; m <= 3; m++, width *= 2) {
        must(agn_fn_jvp(&d[m], d[m - 1]));
        for (int i = 0; i < 2 * width; i++) {
            /* of the words x or t: the tangent of x is t, of t zero */
            int bits = i / n, low = bits & (bits - 1);
            in[i] = bits == 0 ? x[i % n] : low ? zero[i % n] : t[i % n];
        }
        int at = n_out * ((1 << m) - 1);
        y[m] = modes_call(d[m], at, in);
        agn_tensor *num = modes_difference(d[m - 1], n_out * ((1 << (m - 1)) - 1), n, x,
                                           t, in + n, h);
        double e = modes_apart(y[m], num);
        check(&q, e < tol, "tangent of order %d and differences: apart %.1e", m, e);
        agn_release(num);
    }
    /* jets: along a line, and the second coefficient along a curve */
    agn_fn *jet = NULL;
    must(agn_fn_jet(&jet, f, 3));
    for (int i = 0; i < n; i++) {
        in[4 * i] = x[i];
        in[4 * i + 1] = t[i];
        in[4 * i + 2] = in[4 * i + 3] = zero[i];
    }
    for (int k = 1, fact = 1; k <= 3; fact *= ++k) {
        agn_tensor *c = modes_call(jet, k, in), *u = NULL;
        must(agn_mul_c(&u, c, fact));
        double e = modes_apart(u, y[k]);
        check(&q, e < tol, "coefficient %d and tangents: apart %.1e", k, e);
        agn_release(c);
        agn_release(u);
    }
    for (int i = 0; i < n; i++)
        in[4 * i + 2] = x[i];
    agn_tensor *c2 = modes_call(jet, 2, in), *twice = NULL, *curve = NULL;
    const agn_tensor *x2[MODES_ARGS];
    for (int i = 0; i < n; i++) {
        agn_tensor *u = NULL;
        must(agn_mul_c(&u, x[i], 2));
        x2[i] = u;
        in[i] = x[i];
        in[n + i] = in[2 * n + i] = t[i];
        in[3 * n + i] = u;
    }
    curve = modes_call(d[2], 3 * n_out, in);
    must(agn_mul_c(&twice, c2, 2));
    double e = modes_apart(twice, curve);
    check(&q, e < tol, "coefficient 2 along a curve: apart %.1e", e);
    for (int i = 0; i < n; i++)
        agn_release((agn_tensor *)(uintptr_t)x2[i]);
    agn_release(c2);
    agn_release(twice);
    agn_release(curve);
    agn_fn_release(jet);

    /* reverse: gradients of gradients against tangents */
    agn_tensor *w = modes_random_like(y[0]);
    const agn_tensor *ws[1] = {w};
    modes_scalar s[3] = {{f, 0, 1, n, 0, ws, NULL}};
    agn_fn *g[4] = {NULL};
    for (int m = 1; m <= 3; m++) {
        if (m > 1)
            s[m - 1] = (modes_scalar){g[m - 1], 0, n, n, 0, t, NULL};
        g[m] = modes_gradient(&s[m - 1]);
        double have = modes_gradient_dot(g[m], n, x, t), want = modes_dot(w, y[m]);
        check(&q, tap_close(have, want, tol),
              "gradient of order %d: %.17g, tangents say %.17g", m, have, want);
    }
    /* forward over reverse, and reverse over forward */
    agn_fn *fr = NULL;
    double want = modes_dot(w, y[2]), have = 0;
    agn_tensor *out[2 * MODES_ARGS] = {NULL};
    must(agn_fn_jvp(&fr, g[1]));
    for (int i = 0; i < n; i++) {
        in[i] = x[i];
        in[n + i] = t[i];
    }
    must(agn_fn_call(out, agn_fn_n_out(fr), fr, in, agn_fn_n_in(fr)));
    for (int i = 0; i < n; i++)
        have += modes_dot(t[i], out[n + i]);
    for (int i = 0; i < 2 * n; i++)
        agn_release(out[i]);
    check(&q, tap_close(have, want, tol), "forward over reverse: %.17g, not %.17g",
          have, want);
    modes_scalar rf = {d[1], n_out, 1, n, n, ws, t};
    agn_fn *r = modes_gradient(&rf);
    have = modes_gradient_dot(r, n, x, t);
    check(&q, tap_close(have, want, tol), "reverse over forward: %.17g, not %.17g",
          have, want);

    /* lanes of the value and of the gradient */
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        modes_lanes(&q, f, n, x, t, mask, tol, "the value");
        modes_lanes(&q, g[1], n, x, t, mask, tol, "the gradient");
    }
    agn_fn_release(r);
    agn_fn_release(fr);
    for (int m = 0; m < 4; m++) {
        agn_fn_release(d[m]);
        agn_fn_release(g[m]);
        agn_release(y[m]);
    }
    for (int i = 0; i < n; i++) {
        agn_release((agn_tensor *)(uintptr_t)t[i]);
        agn_release((agn_tensor *)(uintptr_t)zero[i]);
    }
    agn_release(w);
    tell(&q, "%s: forward, reverse, jets, nested, lanes (%" PRId64 " checks)", name,
         q.checks);
}

/* Every allocation of the call fails in turn: AGN_ENOMEM each time, nothing written,
   nothing lost. call(user, &out) is to make one tensor. */
typedef agn_status modes_maker(void *user, agn_tensor **out);
static inline void every_allocation(modes_maker *call, void *user, const char *name)
{
    tally q = {0, 0};
    agn_tensor *out = NULL;
    agn_status st = call(user, &out); /* caches fill */
    check(&q, !st, "without a failure: %s", agn_error_message());
    agn_release(out);
    int64_t bytes, blocks, after, peak;
    int k = 0;
    for (;; k++) {
        agn_memory_live(&bytes, &blocks, &peak);
        out = untouched;
        agn_memory_fail_after(k);
        st = call(user, &out);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        check(&q, st == AGN_ENOMEM && out == untouched, "allocation %d: %s: %s", k,
              agn_status_name(st), agn_error_message());
        agn_memory_live(&bytes, &after, &peak);
        check(&q, after == blocks, "allocation %d: %" PRId64 " blocks, then %" PRId64,
              k, blocks, after);
        if (k > 20000)
            break;
    }
    agn_release(out);
    tell(&q, "%s: %d allocations failed in turn", name, k);
}

static inline void release_all(agn_tensor **x, int n)
{
    for (int k = 0; k < n; k++)
        agn_release(x[k]);
}
/* the largest difference of y from recorded numbers, or pairs where y is complex; infinite where their
   number is another */
static inline double recorded_error(const agn_tensor *y, const double *want, int n)
{
    double worst = 0;
    bool z = kind_of(agn_dtype_of(y)) == KIND_COMPLEX;
    if (agn_numel(y) * (z ? 2 : 1) != n)
        return (double)INFINITY;
    for (int64_t i = 0; i < agn_numel(y); i++) {
        double e = cabs(peekz(y, i) - (z ? z_of(want[2 * i], want[2 * i + 1]) : z_of(want[i], 0)));
        worst = e > worst || isnan(e) ? e : worst;
    }
    return worst;
}

#endif
