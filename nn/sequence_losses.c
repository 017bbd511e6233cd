/* nn/sequence_losses.c - losses of sequences: the sum over all paths through a lattice, in
   logarithms.

   A state l after step t collects a_t[l] = log sum_k exp(a_(t-1)[l - k] + w_t[k][l]):
   one scan, whose derivatives of any order are autograd's. CTC (Graves et al. 2006):
   states are labels with blanks between, steps are times, k = 2 skips a blank. A
   transducer (Graves 2012): states are labels said, steps are the diagonals time +
   labels, k = 0 is a blank, k = 1 a label. */
#include "nn/nn.h"
#include "tensor/dispatch/op_helpers.h"

#include <agnesi/control.h>
#include <math.h>

/* log 0, made finite: differences of two are 0 and no derivative is NaN; sums of 10^8 of them
   fit into f32. */
#define LOW -1e30

static const agn_tensor *full_of_log_zero(agn_scope *s, int dtype, int64_t rows, int64_t cols)
{
    return agni_full(s, LOW, dtype, 2, (int64_t[]){rows, cols});
}

/* columns moved k to the right, fill from the left */
static const agn_tensor *shift_columns(agn_scope *s, const agn_tensor *x, int64_t k,
                                       const agn_tensor *fill)
{
    if (!x || !k)
        return x;
    int64_t rows = x->shape[0], cols = x->shape[1], begin[2] = {0, 0},
            end[2] = {rows, cols};
    const agn_tensor *both = ag_concat(s, (const agn_tensor *[]){fill, x}, 2, 1);
    return ag_slice(s, both, 2, begin, end, NULL);
}

/* carried: a [n, l]; slice: w [k, n, l] */
static agn_status lattice_step(void *user, agn_scope *s, const agn_tensor *const *in,
                               const agn_tensor **out)
{
    const agn_tensor *a = in[0], *w = in[1], *from[3];
    (void)user;
    int k = (int)w->shape[0];
    for (int i = 0; i < k; i++)
        from[i] = shift_columns(s, a, i, full_of_log_zero(s, a->dtype, a->shape[0], i));
    const agn_tensor *all = ag_add(s, ag_stack(s, from, k, 0), w);
    out[0] = out[1] = ag_logsumexp(s, all, (int32_t[]){0}, 1, false);
    return agn_scope_status(s);
}

/* start [n, l], w [t, k, n, l] -> start and the state after each step, [n, (t + 1) l]
   */
static const agn_tensor *scan_lattice(agn_scope *s, const agn_tensor *start, const agn_tensor *w)
{
    agn_fn *f = NULL, *loop = NULL;
    const agn_tensor *y[2] = {NULL, NULL};
    if (!start || !w)
        return NULL;
    agn_status st = agn_fn_new(&f, lattice_step, NULL, NULL, 2, 2);
    st = st ? st : agn_fn_scan(&loop, f, 1, 0, w->shape[0], false);
    if (!agn_scope_fail(s, st))
        agn_fn_apply(s, y, 2, loop, AGN_ARGS(start, w));
    agn_fn_release(loop);
    agn_fn_release(f);
    const agn_tensor *first = ag_expand_dims(s, start, 0);
    const agn_tensor *all = ag_concat(s, (const agn_tensor *[]){first, y[1]}, 2, 0);
    return ag_reshape(
        s, ag_permute(s, all, (int32_t[]){1, 0, 2}, 3), 2,
        (int64_t[]){start->shape[0], start->shape[1] * (w->shape[0] + 1)});
}

/* 0 for the first state, else nothing */
static const agn_tensor *start_states(agn_scope *s, int dtype, int64_t n, int64_t l)
{
    const agn_tensor *zero = agni_full(s, 0, dtype, 2, (int64_t[]){n, 1});
    return ag_concat(s, (const agn_tensor *[]){zero, full_of_log_zero(s, dtype, n, l - 1)}, 2, 1);
}

/* entry at[i] of row i */
static const agn_tensor *gather_entry(agn_scope *s, const agn_tensor *x, const agn_tensor *at)
{
    return agni_nn_pick(s, x, at);
}
/* x [n, ..., m] at idx [n, ...', k] of the last axis, the first b axes shared */
static const agn_tensor *gather_last(agn_scope *s, const agn_tensor *x, const agn_tensor *idx,
                                     int b)
{
    return agni_apply_in(s, &agni_op_gather, &(agni_attr){.ni = 2, .i = (int64_t[]){-1, b}}, 2,
                         (const agn_tensor *[]){x, idx});
}
static const agn_tensor *full_integers(agn_scope *s, int64_t v, int64_t rows, int64_t cols)
{
    return agni_full(s, (double)v, AGN_I64, 2, (int64_t[]){rows, cols});
}

/* ---- arguments ------------------------------------------------------------------- */

enum { X, TARGET, INPUTS, TARGETS };

static agn_status open_sequence(agni_nn *c, agn_tensor **out,
                                agn_nn_sequence_options *o,
                                const agn_nn_sequence_options *opts, int axis)
{
    *o = (agn_nn_sequence_options){.size = sizeof *o};
    if (opts)
        *o = *opts;
    if (agni_check_size(c->op, agn_nn_sequence_options, o))
        return AGN_EARG;
    c->reduction = o->reduction;
    agn_status st = agni_nn_open(c, out);
    const agn_tensor *x = c->in[X].x;
    if (st)
        return st;
    if (x->ndim != axis + 1)
        AGNI_NN_FAIL(c, AGN_ESHAPE, "%s: x is %s; it must have %d axes, not %d", c->op,
                     AGNI_SHAPE(x), axis + 1, x->ndim);
    else if (o->blank < 0 || o->blank >= x->shape[axis])
        AGNI_NN_FAIL(c, AGN_EARG, "%s: blank is symbol %lld of %lld", c->op,
                     (long long)o->blank, (long long)x->shape[axis]);
    return AGN_OK;
}

/* lengths [n] in [least, most], or most */
static const agn_tensor *check_lengths(agni_nn *c, int i, int64_t n, int64_t least, int64_t most)
{
    agn_scope *s = c->s;
    if (!agni_nn_shaped(c, i, 1, &n))
        return NULL;
    const agn_tensor *v = c->x[i] ? ag_cast(s, c->x[i], AGN_I64)
                                  : agni_full(s, (double)most, AGN_I64, 1, &n);
    if (!least)
        return agni_nn_in_range(c, v, c->in[i].name, "length", most + 1);
    v = agni_nn_in_range(c, ag_sub_c(s, v, (double)least), c->in[i].name,
                         "length less 1", most);
    return ag_add_c(s, v, (double)least);
}

/* labels within their lengths, checked; beyond them blanks */
static const agn_tensor *mask_labels(agni_nn *c, const agn_nn_sequence_options *o,
                                     const agn_tensor *len, int64_t symbols)
{
    agn_scope *s = c->s;
    int64_t n = c->x[TARGET]->shape[1];
    const agn_tensor *place = agni_nn_count(s, n);
    const agn_tensor *inside = ag_lt(s, place, ag_expand_dims(s, len, -1));
    const agn_tensor *t = ag_where(s, inside, ag_cast(s, c->x[TARGET], AGN_I64),
                                   full_integers(s, o->blank, 1, 1));
    return agni_nn_in_range(c, t, "target", "label", symbols);
}

/* log probabilities to losses; an impossible sequence costs inf, or 0 by option */
static const agn_tensor *loss_of_log_prob(agn_scope *s, const agn_nn_sequence_options *o,
                                          const agn_tensor *log_p)
{
    const agn_tensor *never = ag_lit(s, o->zero_infinity ? 0 : (double)INFINITY);
    return ag_where(s, ag_lt(s, log_p, ag_lit(s, LOW / 2)), never, ag_neg(s, log_p));
}

/* ---- CTC ------------------------------------------------------------------------- */

/* labels [n, s] interleaved with blanks, [n, 2 s + 1] */
static const agn_tensor *with_blanks(agn_scope *s, const agn_tensor *t, int64_t blank)
{
    if (!t)
        return NULL;
    int64_t n = t->shape[0], m = t->shape[1];
    const agn_tensor *b = full_integers(s, blank, n, m), *end = full_integers(s, blank, n, 1);
    const agn_tensor *pairs = ag_stack(s, (const agn_tensor *[]){b, t}, 2, 2);
    pairs = ag_reshape(s, pairs, 2, (int64_t[]){n, 2 * m});
    return ag_concat(s, (const agn_tensor *[]){pairs, end}, 2, 1);
}

/* 0 where the blank before a label may be left out: between two that differ */
static const agn_tensor *skip_weights(agn_scope *s, const agn_tensor *ext, int64_t blank, int dtype)
{
    if (!ext)
        return NULL;
    const agn_tensor *before = shift_columns(s, ext, 2, full_integers(s, blank, ext->shape[0], 2));
    const agn_tensor *may = ag_logical_and(s, ag_ne(s, ext, full_integers(s, blank, 1, 1)),
                                           ag_ne(s, ext, before));
    return ag_cast(s, ag_where(s, may, ag_lit(s, 0), ag_lit(s, LOW)), dtype);
}

agn_status agn_nn_ctc_loss(agn_tensor **out, const agn_tensor *x,
                           const agn_tensor *target, const agn_tensor *input_lengths,
                           const agn_tensor *target_lengths,
                           const agn_nn_sequence_options *opts)
{
    agni_nn c = {
        .op = "nn_ctc_loss",
        .in = {{"x", x, 0},
               {"target", target, AGNI_NN_WHOLE},
               {"input_lengths", input_lengths, AGNI_NN_WHOLE | AGNI_NN_OPTIONAL},
               {"target_lengths", target_lengths, AGNI_NN_WHOLE | AGNI_NN_OPTIONAL}}};
    agn_nn_sequence_options o;
    agn_status st = open_sequence(&c, out, &o, opts, 2);
    agn_scope *s = c.s;
    if (st)
        return st;
    if (agn_scope_status(s))
        return agni_nn_close(&c, out, NULL);
    int64_t time = x->shape[0], n = x->shape[1],
            m = target->ndim == 2 ? target->shape[1] : 0;
    if (!agni_nn_shaped(&c, TARGET, 2, (int64_t[]){n, m}))
        return agni_nn_close(&c, out, NULL);
    int64_t l = 2 * m + 1;
    const agn_tensor *until = check_lengths(&c, INPUTS, n, 0, time);
    const agn_tensor *len = check_lengths(&c, TARGETS, n, 0, m);
    const agn_tensor *t = mask_labels(&c, &o, len, x->shape[2]);
    const agn_tensor *ext = with_blanks(s, t, o.blank);
    /* what each state says at each time, [time, n, l] */
    const agn_tensor *e = gather_last(s, ag_permute(s, c.x[X], (int32_t[]){1, 0, 2}, 3), ext, 1);
    e = ag_permute(s, ag_maximum(s, ag_lit(s, LOW), e), (int32_t[]){1, 0, 2}, 3);
    const agn_tensor *skip = ag_add(s, e, skip_weights(s, ext, o.blank, c.wide));
    const agn_tensor *w = ag_stack(s, (const agn_tensor *[]){e, e, skip}, 3, 1);
    const agn_tensor *a = scan_lattice(s, start_states(s, c.wide, n, l), w);
    /* the last label, or the blank after it */
    const agn_tensor *at = ag_add(s, ag_mul_c(s, until, (double)l),
                                  ag_mul_c(s, len, 2));
    const agn_tensor *some = ag_gt(s, len, ag_lit(s, 0));
    const agn_tensor *prior = ag_sub(s, at, ag_cast(s, some, AGN_I64));
    const agn_tensor *label = ag_where(s, some, gather_entry(s, a, prior), ag_lit(s, LOW));
    const agn_tensor *ends[] = {gather_entry(s, a, at), label};
    const agn_tensor *log_p = ag_logsumexp(s, ag_stack(s, ends, 2, 0), (int32_t[]){0},
                                           1, false);
    const agn_tensor *y = loss_of_log_prob(s, &o, log_p);
    if (o.reduction == AGN_NN_MEAN)
        y = ag_div(s, y, ag_cast(s, ag_maximum(s, len, ag_lit(s, 1)), c.wide));
    return agni_nn_close(&c, out, agni_nn_reduce(&c, y));
}

/* ---- transducers ----------------------------------------------------------------- */

/* Diagonals of a grid: entry [d, u] is the place of (t = d - u, row u) in rows * stride
   + t * step, or past the end where the grid has no such t. */
static const agn_tensor *diagonal_indices(agn_scope *s, int64_t diagonals, int64_t width,
                                          int64_t time, int64_t first, int64_t stride,
                                          int64_t lattice_step)
{
    agn_tensor *idx = NULL;
    int64_t shape[2] = {diagonals, width};
    if (agn_scope_status(s))
        return NULL;
    agn_status st = agni_tensor_make(&idx, "nn_rnnt_loss", AGN_I64, 2, shape, AGN_CPU);
    int64_t *to = st ? NULL : idx->data, rows = width - first;
    for (int64_t d = 0; !st && d < diagonals; d++)
        for (int64_t u = 0; u < width; u++) {
            int64_t t = d + first - u, row = u - first;
            *to++ = t >= 0 && t < time && row >= 0 ? row * stride + t * lattice_step : rows * time;
        }
    return agni_adopt_constant(s, st, idx);
}

/* x [n, rows, time] skewed to diagonals, [diagonals, n, width]; the first row is number first */
static const agn_tensor *skew_by_diagonals(agn_scope *s, const agn_tensor *x, int64_t diagonals,
                                           int64_t width, int64_t first)
{
    if (!x)
        return NULL;
    int64_t n = x->shape[0], rows = x->shape[1], time = x->shape[2];
    const agn_tensor *flat = ag_reshape(s, x, 2, (int64_t[]){n, rows * time});
    flat = ag_concat(s, (const agn_tensor *[]){flat, full_of_log_zero(s, x->dtype, n, 1)}, 2, 1);
    const agn_tensor *at = diagonal_indices(s, diagonals, width, time, first, time, 1);
    return ag_permute(s, ag_gather(s, flat, at, 1), (int32_t[]){1, 0, 2}, 3);
}

agn_status agn_nn_rnnt_loss(agn_tensor **out, const agn_tensor *x,
                            const agn_tensor *target, const agn_tensor *input_lengths,
                            const agn_tensor *target_lengths,
                            const agn_nn_sequence_options *opts)
{
    agni_nn c = {
        .op = "nn_rnnt_loss",
        .in = {{"x", x, 0},
               {"target", target, AGNI_NN_WHOLE},
               {"input_lengths", input_lengths, AGNI_NN_WHOLE | AGNI_NN_OPTIONAL},
               {"target_lengths", target_lengths, AGNI_NN_WHOLE | AGNI_NN_OPTIONAL}}};
    agn_nn_sequence_options o;
    agn_status st = open_sequence(&c, out, &o, opts, 3);
    agn_scope *s = c.s;
    if (st)
        return st;
    if (agn_scope_status(s))
        return agni_nn_close(&c, out, NULL);
    int64_t n = x->shape[0], time = x->shape[1], width = x->shape[2], m = width - 1;
    if (!agni_nn_shaped(&c, TARGET, 2, (int64_t[]){n, m}))
        return agni_nn_close(&c, out, NULL);
    int64_t diagonals = time + m > 0 ? time + m - 1 : 0;
    const agn_tensor *until = check_lengths(&c, INPUTS, n, 1, time);
    const agn_tensor *len = check_lengths(&c, TARGETS, n, 0, m);
    const agn_tensor *t = mask_labels(&c, &o, len, x->shape[3]);
    /* log probabilities of blanks [n, width, time] and labels [n, m, time] */
    const agn_tensor *z = ag_maximum(s, ag_lit(s, LOW), c.x[X]);
    z = ag_permute(s, z, (int32_t[]){0, 2, 1, 3}, 4);
    const agn_tensor *blank = ag_index_axis(s, z, 3, o.blank), *said = NULL;
    if (z) {
        int64_t begin[4] = {0}, end[4] = {n, m, time, x->shape[3]};
        said = gather_last(s, ag_slice(s, z, 4, begin, end, NULL), ag_expand_dims(s, t, -1), 2);
        said = ag_squeeze(s, said, -1);
    }
    const agn_tensor *w[] = {skew_by_diagonals(s, blank, diagonals, width, 0),
                             skew_by_diagonals(s, said, diagonals, width, 1)};
    const agn_tensor *a = scan_lattice(s, start_states(s, c.wide, n, width), ag_stack(s, w, 2, 1));
    /* the last time and label, and the blank that ends */
    const agn_tensor *t_last = ag_sub_c(s, until, 1), *d = ag_add(s, t_last, len);
    const agn_tensor *at = ag_add(s, ag_mul_c(s, d, (double)width), len);
    const agn_tensor *end = ag_add(s, ag_mul_c(s, len, (double)time), t_last);
    const agn_tensor *flat = ag_reshape(s, blank, 2, (int64_t[]){n, width * time});
    const agn_tensor *y = loss_of_log_prob(
        s, &o, ag_add(s, gather_entry(s, a, at), gather_entry(s, flat, end)));
    return agni_nn_close(&c, out, agni_nn_reduce(&c, y));
}
