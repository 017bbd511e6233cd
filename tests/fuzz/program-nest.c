/* tests/fuzz/program-nest.c - nestings of transforms as words. Every letter gives a scalar
   function of the inputs, so that any word makes sense; plain says the same by forward mode
   and loops in C. */
#include "program.h"

enum { LANES = 3, TURNS = 2 };
/* points of lanes and turns along d: small, so that nothing leaves its domain, and no three of them add
   up to 0, which would bring a step back to where it jumps, but for a rounding */
static const double lane_at[LANES] = {0, 0.015625, -0.01171875}, lane_weight[LANES] = {0.7, -1.1, 0.9};
static const double turn_at[TURNS] = {0.0068359375, -0.0126953125};
enum { REACH = 64, SHARE = 2 }; /* of what is carried; of the slices */

typedef struct layer {
    char letter;
    bool plain;
    const program *p;
    int along;          /* which direction */
    agn_fn *f;          /* what the letter is made of */
    agn_fn *g[MOST_INPUTS]; /* as the library transforms it */
} layer;

int fuzz_order(char letter)
{
    return strchr("CDPBSUMQW", letter) ? 0 : strchr("KHO", letter) ? 2 : 1;
}

void fuzz_word(char *word, uint64_t *state)
{
    /* more of those that every program meets are not needed; programs that draw go without B and M; O seldom
       fits beside others */
    static const char letters[] = FUZZ_LETTERS "BM" "FALSWCDQUBM" "OO";
    int order;
    do {
        int n = 1 + (int)(fuzz_draw(state) % 3);
        order = 0;
        for (int i = 0; i < n; i++) {
            word[i] = letters[fuzz_draw(state) % (sizeof letters - 1)];
            order += fuzz_order(word[i]);
        }
        word[n] = 0;
    } while (order > MOST_ORDER);
}

static T pairing(agn_scope *s, T a, T b)
{
    T p = ag_mul(s, ag_conj(s, a), b);
    return ag_sum_all(s, p && agn_dtype_of(p) == AGN_C128 ? ag_real(s, p) : p);
}
static T call(agn_scope *s, const agn_fn *f, const T *in)
{
    T y = NULL;
    agn_fn_apply(s, &y, 1, f, in, agn_fn_n_in(f));
    return agn_scope_status(s) ? NULL : y;
}

/* x + t d */
static void shifted(agn_scope *s, const program *p, const T *in, T t, T *out)
{
    for (int i = 0; i < p->n_x; i++)
        out[i] = ag_add(s, in[i], ag_mul(s, t, p->d[i]));
}

/* ---- what each letter computes ------------------------------------------------------------ */

static T forward(const layer *q, agn_scope *s, const T *in)
{
    const int n = q->p->n_x;
    T a[2 * MOST_INPUTS] = {NULL}, y[2] = {NULL};
    for (int i = 0; i < n; i++) {
        a[i] = in[i];
        a[n + i] = q->p->v[q->along][i];
    }
    agn_fn_apply(s, y, 2, q->g[0], a, agn_fn_n_in(q->g[0]));
    return y[1];
}
static T reverse(const layer *q, agn_scope *s, const T *in)
{
    const int n = q->p->n_x;
    T a[2 * MOST_INPUTS] = {NULL}, y[1 + MOST_INPUTS] = {NULL}, sum = NULL;
    bool vjp = q->letter == 'V', hvp = q->letter == 'H';
    for (int i = 0; i < n; i++) {
        a[i] = in[i];
        a[n + i] = hvp ? q->p->v[q->along][i] : NULL;
    }
    if (vjp)
        a[n] = ag_lit(s, 0.75);
    agn_fn_apply(s, y, agn_fn_n_out(q->g[0]), q->g[0], a, agn_fn_n_in(q->g[0]));
    for (int i = 0; i < n && !agn_scope_status(s); i++) {
        T part = pairing(s, q->p->v[q->along][i], y[i + vjp]);
        sum = i ? ag_add(s, sum, part) : part;
    }
    return vjp ? ag_mul_c(s, sum, 1 / 0.75) : sum;
}
static T taylor(const layer *q, agn_scope *s, const T *in)
{
    int order = fuzz_order(q->letter);
    T a[3 * MOST_INPUTS] = {NULL}, y[3] = {NULL};
    for (int i = 0; i < q->p->n_x; i++) {
        a[(order + 1) * i] = in[i];
        a[(order + 1) * i + 1] = q->p->v[q->along][i];
        if (order == 2)
            a[(order + 1) * i + 2] = ag_mul_c(s, q->p->v[q->along][i], 0);
    }
    agn_fn_apply(s, y, order + 1, q->g[0], a, agn_fn_n_in(q->g[0]));
    return order == 2 ? ag_mul_c(s, y[2], 2) : y[1];
}
/* The second derivative along one direction, and so much of the first along the next: an operator in the
   coordinates t of the plane that both span, at t = 0 */
static const double lower_order = -0.5;
static agn_status plane_body(void *user, agn_scope *s, const T *in, T *out)
{
    const layer *q = user;
    T a[MOST_INPUTS] = {NULL};
    for (int i = 0; i < q->p->n_x; i++) {
        a[i] = in[1 + i];
        for (int k = 0; k < 2; k++)
            a[i] = ag_add(
                s, a[i],
                ag_mul(s, ag_index_axis(s, in[0], 0, k), q->p->v[(q->along + k) % DIRECTIONS][i]));
    }
    out[0] = call(s, q->f, a);
    return agn_scope_status(s);
}
static T by_operator(const layer *q, agn_scope *s, const T *in)
{
    T a[1 + MOST_INPUTS] = {NULL}, y[2] = {NULL};
    a[0] = ag_full(s, AGN_F64, 1, (int64_t[]){2}, 0);
    memcpy(a + 1, in, (size_t)q->p->n_x * sizeof *a);
    agn_fn_apply(s, y, 2, q->g[0], a, agn_fn_n_in(q->g[0]));
    return y[0];
}
static T by_operator_plainly(const layer *q, agn_scope *s, const T *in)
{
    const int n = q->p->n_x;
    T a[4 * MOST_INPUTS] = {NULL}, first[2] = {NULL}, second[4] = {NULL};
    for (int i = 0; i < n; i++) {
        a[i] = in[i];
        a[n + i] = q->p->v[(q->along + 1) % DIRECTIONS][i];
    }
    agn_fn_apply(s, first, 2, q->g[0], a, agn_fn_n_in(q->g[0]));
    for (int i = 0; i < n; i++) {
        a[n + i] = a[2 * n + i] = q->p->v[q->along][i];
        a[3 * n + i] = ag_mul_c(s, a[n + i], 0);
    }
    agn_fn_apply(s, second, 4, q->g[1], a, agn_fn_n_in(q->g[1]));
    return ag_add(s, second[3], ag_mul_c(s, first[1], lower_order));
}
static T by_jacobian(const layer *q, agn_scope *s, const T *in)
{
    T sum = NULL;
    for (int i = 0; i < q->p->n_x; i++) {
        T part = pairing(s, q->p->v[q->along][i], call(s, q->g[i], in));
        sum = i ? ag_add(s, sum, part) : part;
    }
    return sum;
}
static T over_lanes(const layer *q, agn_scope *s, const T *in)
{
    T a[MOST_INPUTS] = {NULL}, c = ag_from_host(s, AGN_F64, 1, (int64_t[]){LANES}, lane_at);
    for (int i = 0; i < q->p->n_x; i++) {
        int64_t shape[3] = {LANES, 1, 1};
        T t = ag_reshape(s, c, 1 + agn_ndim(in[i]), shape);
        a[i] = ag_add(s, ag_expand_dims(s, in[i], 0), ag_mul(s, t, q->p->d[i]));
    }
    T w = ag_from_host(s, AGN_F64, 1, (int64_t[]){LANES}, lane_weight);
    return ag_sum_all(s, ag_mul(s, w, call(s, q->g[0], a)));
}
static T over_lanes_plainly(const layer *q, agn_scope *s, const T *in)
{
    T sum = NULL, a[MOST_INPUTS];
    for (int l = 0; l < LANES; l++) {
        shifted(s, q->p, in, ag_lit(s, lane_at[l]), a);
        T y = ag_mul_c(s, call(s, q->f, a), lane_weight[l]);
        sum = l ? ag_add(s, sum, y) : y;
    }
    return sum;
}
/* one turn: the slice g(x + (at + tanh(carried) / REACH) d) is added to what is carried */
static T turn(const layer *q, agn_scope *s, T carried, T at, const T *in)
{
    T a[MOST_INPUTS] = {NULL}, t = ag_add(s, at, ag_mul_c(s, ag_tanh(s, carried), 1.0 / REACH));
    shifted(s, q->p, in, t, a);
    return call(s, q->f, a);
}
static agn_status turn_body(void *user, agn_scope *s, const T *in, T *out)
{
    const int n = ((const layer *)user)->p->n_x;
    T y = turn(user, s, in[0], in[1 + n], in + 1);
    out[0] = ag_add(s, in[0], y);
    for (int i = 0; i < n; i++)
        out[1 + i] = in[1 + i];
    out[1 + n] = y;
    return agn_scope_status(s);
}
static T over_turns(const layer *q, agn_scope *s, const T *in)
{
    const int n = q->p->n_x;
    T a[2 + MOST_INPUTS] = {NULL}, y[2 + MOST_INPUTS] = {NULL};
    a[0] = ag_full(s, AGN_F64, 0, NULL, 0);
    memcpy(a + 1, in, (size_t)n * sizeof *a);
    a[1 + n] = ag_from_host(s, AGN_F64, 1, (int64_t[]){TURNS}, turn_at);
    agn_fn_apply(s, y, agn_fn_n_out(q->g[0]), q->g[0], a, agn_fn_n_in(q->g[0]));
    return ag_add(s, y[0], ag_mul_c(s, ag_sum_all(s, y[1 + n]), SHARE));
}
static T over_turns_plainly(const layer *q, agn_scope *s, const T *in)
{
    T carried = ag_full(s, AGN_F64, 0, NULL, 0), slices = NULL;
    for (int l = 0; l < TURNS; l++) {
        T y = turn(q, s, carried, ag_lit(s, turn_at[l]), in);
        carried = ag_add(s, carried, y);
        slices = l ? ag_add(s, slices, y) : y;
    }
    return ag_add(s, carried, ag_mul_c(s, slices, SHARE));
}
/* the same loop by a count: what is carried is the count, the sum, that of the slices */
static agn_status going_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_lt(s, in[0], ag_lit(s, TURNS));
    return agn_scope_status(s);
}
static agn_status while_body(void *user, agn_scope *s, const T *in, T *out)
{
    T at = ag_add_c(s, ag_mul_c(s, ag_cast(s, in[0], AGN_F64), turn_at[1] - turn_at[0]), turn_at[0]);
    T y = turn(user, s, in[1], at, in + 3);
    out[0] = ag_add_c(s, in[0], 1);
    out[1] = ag_add(s, in[1], y);
    out[2] = ag_add(s, in[2], y);
    return agn_scope_status(s);
}
static T while_turns(const layer *q, agn_scope *s, const T *in)
{
    T a[3 + MOST_INPUTS] = {NULL}, y[4] = {NULL};
    a[0] = ag_full(s, AGN_I64, 0, NULL, 0);
    a[1] = a[2] = ag_full(s, AGN_F64, 0, NULL, 0);
    memcpy(a + 3, in, (size_t)q->p->n_x * sizeof *a);
    agn_fn_apply(s, y, 4, q->g[0], a, agn_fn_n_in(q->g[0]));
    return ag_add(s, y[1], ag_mul_c(s, y[2], SHARE));
}
/* the derivative at a point as a linear function, which is then applied */
static T linearized(const layer *q, agn_scope *s, const T *in)
{
    agn_fn *forward = NULL;
    T y = NULL;
    if (!agn_scope_status(s) &&
        !agn_scope_fail(s, agn_fn_linearize(&forward, NULL, NULL, 0, q->f, in, agn_fn_n_in(q->f),
                                            fuzz_all, q->p->n_x)))
        agn_fn_apply(s, &y, 1, forward, (const T *)q->p->v[q->along], agn_fn_n_in(forward));
    agn_fn_release(forward);
    return agn_scope_status(s) ? NULL : y;
}
/* where the first input is not far below where it is, which holds */
static T chosen(const layer *q, agn_scope *s, const T *in)
{
    T a[1 + MOST_INPUTS] = {NULL};
    a[0] = ag_gt(s, in[0], ag_lit(s, fuzz_number(q->p->x[0]) - 0.5));
    if (q->letter == 'Q')
        a[0] = ag_cast(s, a[0], AGN_I64);
    memcpy(a + 1, in, (size_t)q->p->n_x * sizeof *a);
    return call(s, q->g[0], a);
}
static agn_status other_body(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, in[0], 3);
    return agn_scope_status(s);
}
static T same(const layer *q, agn_scope *s, const T *in)
{
    return call(s, q->g[0] ? q->g[0] : q->f, in);
}
/* the user's rule: the tangent, by forward mode of what is wrapped */
static agn_status custom_jvp(void *user, agn_scope *s, const T *in, T *out)
{
    const int n = agn_fn_n_in(user) / 2;
    T a[2 * MOST_INPUTS] = {NULL}, y[2] = {NULL};
    for (int i = 0; i < n; i++) {
        a[i] = in[i];
        a[n + i] = in[n + 1 + i];
    }
    agn_fn_apply(s, y, 2, user, a, agn_fn_n_in(user));
    out[0] = y[1];
    return agn_scope_status(s);
}
static void drop_fn(void *user)
{
    agn_fn_release(user);
}

/* ---- layers ------------------------------------------------------------------------------------ */

static agn_status make_scan(layer *q)
{
    const int n = q->p->n_x;
    agn_fn *body = NULL;
    agn_status st = agn_fn_new(&body, turn_body, q, NULL, 2 + n, 2 + n);
    if (!st)
        st = agn_fn_scan(&q->g[0], body, 1 + n, 0, TURNS, false);
    agn_fn_release(body);
    return st;
}
static agn_status make_while(layer *q)
{
    const int n = q->p->n_x;
    agn_fn *body = NULL, *going = NULL;
    agn_while_options opts = {.size = sizeof opts, .max_steps = TURNS};
    agn_status st = agn_fn_new(&body, while_body, q, NULL, 3 + n, 3);
    if (!st)
        st = agn_fn_new(&going, going_body, NULL, NULL, 3 + n, 1);
    if (!st)
        st = agn_fn_while(&q->g[0], going, body, &opts);
    agn_fn_release(body);
    agn_fn_release(going);
    return st;
}
static agn_status make_cond(layer *q)
{
    agn_fn *other = NULL;
    agn_status st = agn_fn_new(&other, other_body, NULL, NULL, q->p->n_x, 1);
    const agn_fn *const both[] = {other, q->f};
    if (!st)
        st = q->letter == 'Q' ? agn_fn_switch(&q->g[0], both, 2) : agn_fn_cond(&q->g[0], q->f, other);
    agn_fn_release(other);
    return st;
}
static agn_status make_custom(layer *q)
{
    agn_custom_rule rule = {.size = sizeof rule, .jvp = custom_jvp, .destroy = drop_fn};
    agn_fn *jvp = NULL;
    agn_status st = agn_fn_jvp(&jvp, q->f);
    rule.user = jvp;
    if (!st && (st = agn_fn_custom(&q->g[0], q->f, &rule)))
        agn_fn_release(jvp);
    return st;
}
static agn_status make_operator(layer *q)
{
    static const int32_t orders[] = {2, 0, 0, 1};
    agn_fn *plane = NULL;
    if (q->plain) {
        agn_status st = agn_fn_jvp(&q->g[0], q->f);
        return st ? st : agn_fn_jvp(&q->g[1], q->g[0]);
    }
    agn_status st = agn_fn_new(&plane, plane_body, q, NULL, 1 + q->p->n_x, 1);
    if (!st)
        st = agn_fn_operator(&q->g[0], plane, 0, orders, 2, 2, (double[]){1, lower_order}, NULL);
    agn_fn_release(plane);
    return st;
}
static agn_status make(layer *q)
{
    const int n = q->p->n_x;
    agn_status st = AGN_OK;
    switch (q->letter) {
    case 'F': return agn_fn_jvp(&q->g[0], q->f);
    case 'R':
        return agn_fn_grad(&q->g[0], q->f, fuzz_all, n);
    case 'V': return agn_fn_vjp(&q->g[0], q->f);
    case 'H':
        return agn_fn_hvp(&q->g[0], q->f, fuzz_all, n);
    case 'O':
        return make_operator(q);
    case 'J':
    case 'K': return agn_fn_jet(&q->g[0], q->f, fuzz_order(q->letter));
    case 'A':
        for (int i = 0; i < n && !st; i++)
            st = agn_fn_jacobian(&q->g[i], q->f, i);
        return st;
    case 'B': return q->plain ? AGN_OK : agn_fn_vmap(&q->g[0], q->f, NULL, 0, NULL, 0);
    case 'M': return agn_fn_map(&q->g[0], q->f, NULL, 0, NULL, 0, 2);
    case 'S': return q->plain ? AGN_OK : make_scan(q);
    case 'W': return make_while(q);
    case 'L': return AGN_OK;
    case 'C': return agn_fn_checkpoint(&q->g[0], q->f);
    case 'P': return agn_fn_compile(&q->g[0], q->f, NULL);
    case 'D':
    case 'Q': return make_cond(q);
    case 'U': return make_custom(q);
    default: return AGN_EARG;
    }
}
static agn_status layer_body(void *user, agn_scope *s, const T *in, T *out)
{
    const layer *q = user;
    T y = NULL;
    switch (q->letter) {
    case 'F': y = forward(q, s, in); break;
    case 'R':
    case 'V':
    case 'H': y = reverse(q, s, in); break;
    case 'J':
    case 'K': y = taylor(q, s, in); break;
    case 'A': y = by_jacobian(q, s, in); break;
    case 'O':
        y = q->plain ? by_operator_plainly(q, s, in) : by_operator(q, s, in);
        break;
    case 'L': y = linearized(q, s, in); break;
    case 'W': y = while_turns(q, s, in); break;
    case 'M':
    case 'B': y = q->plain ? over_lanes_plainly(q, s, in) : over_lanes(q, s, in); break;
    case 'S': y = q->plain ? over_turns_plainly(q, s, in) : over_turns(q, s, in); break;
    case 'D':
    case 'Q': y = chosen(q, s, in); break;
    default: y = same(q, s, in);
    }
    out[0] = agn_scope_status(s) ? NULL : y;
    return agn_scope_status(s);
}
static void layer_drop(void *user)
{
    layer *q = user;
    agn_fn_release(q->f);
    for (int i = 0; i < MOST_INPUTS; i++)
        agn_fn_release(q->g[i]);
    free(q);
}

static agn_fn *wrap(const program *p, char letter, bool plain, int along, agn_fn *f)
{
    layer *q = f ? calloc(1, sizeof *q) : NULL;
    agn_fn *out = NULL;
    if (!q)
        return NULL;
    *q = (layer){.letter = letter, .plain = plain, .p = p, .along = along, .f = f};
    if (make(q) || agn_fn_new(&out, layer_body, q, layer_drop, p->n_x, 1))
        layer_drop(q);
    return out;
}

agn_fn *fuzz_nest(const program *p, const char *word, bool plain)
{
    agn_fn *f = fuzz_fn(p);
    int along = 0;
    for (int k = (int)strlen(word) - 1; k >= 0; k--) {
        char c = word[k];
        int order = fuzz_order(c);
        if (!plain) {
            f = wrap(p, c, false, along, f);
        } else if (c == 'O') {
            f = wrap(p, 'O', true, along, f);
        } else if (order) {
            for (int o = 0; o < order; o++)
                f = wrap(p, 'F', true, along, f);
        } else if (strchr("BM", c)) {
            f = wrap(p, 'B', true, 0, f);
        } else if (strchr("SW", c)) {
            f = wrap(p, 'S', true, 0, f);
        }
        along += order > 0;
    }
    return f;
}
