/* tensor/softmax.c - exp(x) over its sum along an axis, less the largest before. Attribute: axis.
   A row of its own, as what it is made of would pass over memory ten times. */
#include "tensor/cpu/levels.h"
#include "tensor/cpu/softmax.h"
#include "tensor/reduce.h"

#include <agnesi/ag.h>

typedef struct softmaxing {
    agni_softmax_fn *f;
    const char *x;
    char *y;
    int64_t bytes;
} softmaxing;

static void softmax_slab(void *user, const agni_lanes *l, int64_t o, int64_t lo, int64_t hi)
{
    const softmaxing *q = user;
    int64_t at = (o * l->n * l->inner + lo) * q->bytes;
    q->f(q->y + at, q->x + at, l->n, l->inner, hi - lo);
}

static agn_status cpu_softmax(const agn_kernel_call *c)
{
    agni_lanes l = agni_lanes_of(c->in, c->ints[0]);
    int dtype = c->in[0].dtype;
    softmaxing q = {agni_vk_get()->softmax[dtype == AGN_F64 ? AGNI_VK_F64 : AGNI_VK_F32],
                    c->in[0].data, c->out[0].data, agni_dtypes[dtype].bytes};
    /* whole rows pass best, but each thread needs some columns: what a column gives does not
       depend on its neighbours */
    int64_t tile = AGNI_SOFTMAX_TILE, width = agni_parallel_width();
    while (tile > AGNI_SOFTMAX_TILE / 8 && l.outer * ((l.inner + tile - 1) / tile) < width)
        tile /= 2;
    agni_each_slab(&l, tile, softmax_slab, &q);
    return AGN_OK;
}

/* y (t - sum(y t)); where y is 0 and t is not finite there is no slope */
static void jvp_softmax(agn_scope *s, const agni_rule *r, const agn_tensor *const *t,
                        const agn_tensor **ty)
{
    const agn_tensor *w = ag_mulz(s, r->y[0], t[0]);
    ty[0] = ag_sub(s, w, ag_mul(s, r->y[0], agni_sum_axes(s, w, 1, r->at->i, true)));
}

/* where a device has no kernel */
static agn_status eval_softmax(const agni_call *c, agn_tensor **out)
{
    int32_t axis = (int32_t)c->at->i[0];
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *x = agni_unrecorded(s, c->op->name, c->in[0]);
    if (x && x->shape[axis + x->ndim])
        x = ag_exp(s, ag_sub(s, x, ag_amax(s, x, &axis, 1, true)));
    return agni_return(c->op->name, s, out, x ? ag_div(s, x, ag_sum(s, x, &axis, 1, true)) : x);
}

static agni_slots slots;
const agni_op agni_op_softmax = {.name = "softmax",
                                 .takes = "x axis:a",
                                 .cls = AGNI_SOLVE,
                                 .nin = 1,
                                 .nout = 1,
                                 .dtypes = AGNI_FLOATS,
                                 .diff = 1,
                                 .promote = 1,
                                 .result = AGNI_OUT_SAME,
                                 .ew = -1,
                                 .infer = agni_infer_same,
                                 .cpu = cpu_softmax,
                                 .eval = eval_softmax,
                                 .contiguous = true,
                                 .jvp = jvp_softmax,
                                 .batch = agni_batch_front,
                                 .slots = &slots,
                                 .lo = -3,
                                 .hi = 3,
                                 .doc = "exponentials over their sum"};
