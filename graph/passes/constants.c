/* graph/passes/constants.c - constants of the IR: facts about them, their canonical form (numbers,
   parts that are broadcast), constant folding. */
#include "graph/passes/ir.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FOLD = 4096 }; /* elements of a folded result that may be more than its arguments have */

static bool first_number(const agn_tensor *t, double *v)
{
    const void *p = t->data;
    switch (t->dtype) {
    case AGN_BOOL:
        *v = *(const bool *)p;
        return true;
    case AGN_I32:
        *v = *(const int32_t *)p;
        return true;
    case AGN_I64:
        *v = (double)*(const int64_t *)p;
        return true;
    case AGN_F32:
        *v = (double)*(const float *)p;
        return true;
    case AGN_F64:
        *v = *(const double *)p;
        return true;
    default:
        return false;
    }
}

bool agni_is_readable(const agn_tensor *t)
{
    return !t->st || t->st->device == AGN_CPU;
}

/* are all slices along axis d alike? */
static bool is_repeated_along(const agn_tensor *t, int d)
{
    size_t bytes = (size_t)agni_dtypes[t->dtype].bytes;
    int64_t at[AGNI_MAX_RANK] = {0};
    if (t->shape[d] < 2 || t->stride[d] == 0)
        return t->shape[d] > 1;
    const char *p = t->data;
    if (agni_is_contiguous(t)) { /* each slice is the one before it */
        const size_t slice = (size_t)t->stride[d] * bytes, rest = (size_t)(t->shape[d] - 1) * slice;
        for (int64_t i = 0; i < t->size; i += t->shape[d] * t->stride[d])
            if (memcmp(p + (size_t)i * bytes, p + (size_t)i * bytes + slice, rest))
                return false;
        return true;
    }
    for (int64_t i = 0; i < t->size; i++) {
        int64_t off = 0;
        for (int k = 0; k < t->ndim; k++)
            off += at[k] * t->stride[k];
        const char *q = p + off * (int64_t)bytes;
        if (memcmp(q, q - at[d] * t->stride[d] * (int64_t)bytes, bytes))
            return false;
        for (int k = t->ndim - 1; k >= 0; k--) {
            if (++at[k] < t->shape[k])
                break;
            at[k] = 0;
        }
    }
    return true;
}

int32_t agni_ir_add_constant(agni_ir *ir, agn_tensor *t)
{
    int32_t v = agni_ir_add_value(ir, t);
    if (v < 0)
        return v;
    agni_ir_value *q = &ir->val[v];
    q->constant = true;
    if (!agni_is_readable(t))
        return v;
    q->splat = t->size == 1 && first_number(t, &q->num);
    q->always_finite = q->finite_if_inputs = q->splat && isfinite(q->num);
    q->no_negative_zero = q->splat && !(q->num == 0 && signbit(q->num));
    if (!q->splat && (t->dtype == AGN_F64 || t->dtype == AGN_F32) &&
        agni_is_contiguous(t)) {
        bool fine = true, zero = false, minus = false;
        for (int64_t i = 0; fine && i < t->size; i++) {
            double x = t->dtype == AGN_F64 ? ((double *)t->data)[i]
                                           : (double)((float *)t->data)[i];
            fine = isfinite(x);
            zero |= x == 0;
            minus |= x == 0 && signbit(x);
        }
        q->always_finite = q->finite_if_inputs = fine;
        q->no_negative_zero = fine && !minus;
        q->identity_rows = fine && zero && agni_is_identity_rows(t, &q->from);
    }
    return v;
}

int32_t agni_ir_add_canonical_constant(agni_ir *ir, agn_tensor *t)
{
    double num;
    if (t && !agni_is_readable(t))
        return agni_ir_add_constant(ir, t);
    bool literal = t && (ir->rules || (ir->shares && t->weak));
    if (literal && t->ndim == 0 && first_number(t, &num) && num == num &&
        t->dtype >= AGN_F32) { /* equal literals are one */
        int dtype = t->dtype;
        agn_release(t);
        return agni_ir_add_number(ir, num, dtype);
    }
    if (t && ir->rules && t->ndim > 0 && t->size > 1) {
        int64_t shape[AGNI_MAX_RANK];
        bool any = false;
        memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
        for (int d = 0; d < t->ndim; d++)
            if (is_repeated_along(t, d)) {
                shape[d] = 1;
                any = true;
            }
        if (!any)
            return agni_ir_add_constant(ir, t);
        agn_tensor *part = NULL, *own = NULL;
        ir->st = agni_tensor_view(&part, t, t->ndim, shape, t->stride, 0);
        if (!ir->st)
            ir->st = agn_copy(&own, part);
        agn_release(part);
        if (!ir->st && own->size == 1) { /* one number has no axes */
            ir->st = agni_tensor_view(&part, own, 0, NULL, NULL, 0);
            agn_release(own);
            own = part;
        }
        int32_t c = ir->st ? -1 : agni_ir_add_canonical_constant(ir, own);
        agni_attr at = {.ni = t->ndim, .i = t->shape};
        int32_t v = c < 0 ? -1 : agni_emit_node(ir, &agni_op_broadcast_to, &at, 1, &c);
        agn_release(t);
        return v;
    }
    return agni_ir_add_constant(ir, t);
}

/* ---- literals: equal ones are one ----------------------------------------------------------- */

typedef struct literal_key {
    double v;
    int dtype;
} literal_key;

static uint64_t hash_literal(double v, int dtype)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return agni_hash_word((uint64_t)dtype, bits);
}
static uint64_t hash_value(const void *items, int32_t i)
{
    const agni_ir_value *q = &((const agni_ir *)items)->val[i];
    return hash_literal(q->num, q->t->dtype);
}
static bool is_literal(const void *items, int32_t i, const void *key)
{
    const agni_ir_value *q = &((const agni_ir *)items)->val[i];
    const literal_key *k = key;
    return q->t->dtype == k->dtype && !memcmp(&q->num, &k->v, sizeof k->v);
}

static int32_t find_number(const agni_ir *ir, double v, int dtype)
{
    return agni_hash_index_find(&ir->numbers, hash_literal(v, dtype), is_literal, ir,
                                &(literal_key){v, dtype});
}

static int32_t add_new_number(agni_ir *ir, agn_tensor *t)
{
    int32_t c = agni_ir_add_constant(ir, t);
    if (c < 0 || !ir->val[c].splat)
        return c;
    if (!agni_hash_index_reserve(&ir->numbers, ir->n_number + 1, hash_value, ir)) {
        ir->st = agni_nomem("compile", (size_t)ir->n_number * sizeof(agni_hash_slot));
        return -1;
    }
    agni_hash_index_add(&ir->numbers, hash_value(ir, c), c);
    ir->n_number++;
    return c;
}

bool agni_ir_is_normal(double v, int dtype)
{
    static const struct {
        double least, most;
    } range[AGN_NDTYPES] = {[AGN_F16] = {0x1p-14, 65504},
                            [AGN_BF16] = {FLT_MIN, 0x1.fep127},
                            [AGN_F32] = {FLT_MIN, FLT_MAX},
                            [AGN_F64] = {DBL_MIN, DBL_MAX}};
    return fabs(v) >= range[dtype].least && fabs(v) <= range[dtype].most;
}
int32_t agni_ir_add_number(agni_ir *ir, double v, int dtype)
{
    agn_tensor *t = NULL;
    v = dtype == AGN_F32 ? (double)(float)v : v;
    int32_t c = find_number(ir, v, dtype);
    if (c >= 0)
        return c;
    ir->st = agn_full(&t, dtype, 0, NULL, v);
    if (ir->st)
        return -1;
    t->uncommitted = true;
    return add_new_number(ir, t);
}

int32_t agni_ir_take_constant(agni_ir *ir, const agni_ir_value *from)
{
    agn_tensor *t = agni_tensor_ref(from->t);
    if (from->captured || !from->splat || t->ndim || t->dtype < AGN_F32)
        return agni_ir_add_constant(ir, t);
    int32_t c = find_number(ir, from->num, t->dtype);
    if (c < 0)
        return add_new_number(ir, t);
    agn_release(t);
    return c;
}

bool agni_ir_fold_constants(agni_ir *ir, const agni_call *c, int32_t *first)
{
    int64_t in = 0, out = 0;
    bool uncommitted = true;
    for (int i = 0; i < c->nin; i++) {
        if (!agni_is_readable(c->in[i]))
            return false;
        in += c->in[i]->size;
        uncommitted = uncommitted && agni_is_uncommitted(c->in[i]);
    }
    for (int o = 0; o < c->nout; o++) {
        int64_t n = 1;
        for (int d = 0; d < c->meta[o].ndim; d++)
            n *= c->meta[o].shape[d];
        out += n;
    }
    if (c->nout != 1 || c->op->cls == AGNI_RANDOM || c->op->cls == AGNI_CONTROL ||
        !c->nin || (out > FOLD && out > in))
        return false;
    agn_tensor *y = NULL, *z = NULL;
    agn_status st = agni_run(c, &y);
    if (!st) {
        st = agn_contiguous(&z, y);
        agn_release(y);
    }
    if (!st) {
        z->weak = false;
        z->uncommitted = uncommitted;
        *first = agni_ir_add_constant(ir, z);
    } else if (st == AGN_ENOMEM) {
        ir->st = st;
    } /* another fault is for the call */
    return *first >= 0 || ir->st;
}
