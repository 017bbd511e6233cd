/* graph/plan/cost.c - flops and bytes of the steps of a plan; the rates of this machine. */
#include "graph/plan/cost.h"

#include "graph/tiles/tile.h"
#include <math.h>
#include <string.h>

/* ---- steps ------------------------------------------------------------------------------- */

static double array_bytes(const agni_plan *p, int32_t array)
{
    return (double)agni_tensor_bytes(p->val[p->arr[array]].h);
}

static double node_flops(const agni_ir *ir, const agni_pnode *n)
{
    double made = 0;
    for (int o = 0; o < n->nout; o++)
        made += (double)ir->val[n->val + o].t->size;
    const agn_tensor *x = n->nin ? ir->val[agni_node_arg(ir, n, 0)].t : NULL;
    if (n->op == &agni_op_matmul)
        return 2 * made * (double)x->shape[x->ndim - 1];
    if (n->op == &agni_op_sum)
        return (double)x->size;
    return n->op->ew >= 0 ? made : 0;
}

/* is array i another view of the memory of an earlier one? */
static bool is_seen_array(const agni_plan *p, const agni_region *r, int32_t i)
{
    const agni_plan_value *v = &p->val[p->arr[r->arr[i]]];
    for (int32_t k = 0; k < i; k++) {
        const agni_plan_value *u = &p->val[p->arr[r->arr[k]]];
        if (u->buffer == v->buffer && u->offset == v->offset)
            return true;
    }
    return false;
}

static agni_cost region_cost(const agni_plan *p, const agni_region *r)
{
    agni_cost c = {.f32 = r->dtype == AGN_F32};
    for (int32_t i = 0; i < r->n_node; i++)
        c.flops += node_flops(p->ir, &p->ir->node[r->node[i]]);
    for (int32_t i = 0; i < r->n_arr; i++)
        c.bytes += is_seen_array(p, r, i) ? 0 : array_bytes(p, r->arr[i]);
    return c;
}

const agni_pattern *agni_step_pattern(const agni_step *s)
{
    const agni_obj *o = s->kind != AGNI_STEP_REGION && s->at ? s->at->obj : NULL;
    return agni_sparse.is_pattern(o) ? (const agni_pattern *)o : NULL;
}

/* its integers are read once; with a dense matrix, entries meet each of its columns */
static void add_pattern(agni_cost *c, const agni_plan *p, const agni_step *s)
{
    const agni_pattern *q = agni_step_pattern(s);
    const agn_tensor *x = q && s->nin > 1 ? p->val[p->arr[s->arr + s->nin - 1]].h : NULL;
    if (!q)
        return;
    c->bytes += (double)(q->wide ? sizeof(int64_t) : sizeof(int32_t)) *
                (double)(q->nnz + q->rows + 1);
    if (x && x->ndim > 1 && x->size)
        c->flops += 2 * (double)q->nnz * (double)(x->size / x->shape[x->ndim - 2]);
}

agni_cost agni_step_cost(const agni_plan *p, const agni_step *s)
{
    if (s->kind == AGNI_STEP_REGION)
        return region_cost(p, s->region);
    agni_cost c = {0};
    double largest = 0;
    for (int i = 0; i < s->nin + s->nout; i++) {
        const agn_tensor *h = p->val[p->arr[s->arr + i]].h;
        c.bytes += (double)agni_tensor_bytes(h);
        c.f32 = c.f32 || h->dtype == AGN_F32 || h->dtype == AGN_C64;
        largest = fmax(largest, (double)h->size);
    }
    if (s->op == &agni_op_matmul) {
        const agn_tensor *x = p->val[p->arr[s->arr]].h,
                         *y = p->val[p->arr[s->arr + s->nin]].h;
        bool complex = y->dtype == AGN_C64 || y->dtype == AGN_C128;
        c.flops = (complex ? 8 : 2) * (double)y->size * (double)x->shape[x->ndim - 1];
    } else if (s->op->ew >= 0 || s->op == &agni_op_sum) {
        c.flops = largest;
    }
    add_pattern(&c, p, s);
    return c;
}

double agni_repeated_flops(const agni_plan *p, const agni_step *s, bool *seen)
{
    double flops = 0;
    for (int32_t i = 0; s->kind == AGNI_STEP_REGION && i < s->region->n_node; i++) {
        int32_t k = s->region->node[i];
        flops += seen[k] ? node_flops(p->ir, &p->ir->node[k]) : 0;
        seen[k] = true;
    }
    return flops;
}

double agni_bound_ms(const agni_cost *c, const agni_rates *r)
{
    return 1e3 *
           fmax(c->flops / (c->f32 ? r->flops32 : r->flops64), c->bytes / r->bytes);
}

/* ---- the machine --------------------------------------------------------------------------- */

enum { TRIES = 5, MIB = 32, SIDE = 64, TILE = 48, PRODUCTS = 50 };

/* flops per ns of tiles in the first caches */
static double measure_products(const agni_real_kernels *vk, int64_t bytes, char *mem)
{
    double best = 0;
    char *w = mem, *x = w + SIDE * SIDE * bytes, *y = x + SIDE * TILE * bytes;
    memset(mem, 0, (size_t)(SIDE * (SIDE + 2 * TILE) * bytes));
    for (int i = 0; i < TRIES; i++) {
        int64_t t = agni_now_ns();
        for (int k = 0; k < PRODUCTS; k++)
            vk->shared_products(&(agni_shared_product){{y, TILE}, {x, TILE}, NULL, 0}, 1, w, SIDE,
                                SIDE, TILE);
        t = agni_now_ns() - t;
        best = fmax(best,
                    2.0 * SIDE * SIDE * TILE * PRODUCTS / (double)(t > 0 ? t : 1));
    }
    return best;
}

/* bytes read and written per ns */
static double measure_copies(char *mem)
{
    size_t n = (size_t)MIB << 20;
    double best = 0;
    memset(mem, 1, 2 * n);
    for (int i = 0; i < TRIES; i++) {
        int64_t t = agni_now_ns();
        memcpy(i % 2 ? mem : mem + n, i % 2 ? mem + n : mem, n);
        t = agni_now_ns() - t;
        best = fmax(best, 2.0 * (double)n / (double)(t > 0 ? t : 1));
    }
    return best;
}

agn_status agni_rates_get(agni_rates *out, const char *op)
{
    static _Atomic double known[3]; /* two threads may both measure: either is right */
    size_t n = (size_t)2 * MIB << 20;
    if (atomic_load(&known[2]) == 0) {
        char *mem = agni_alloc_aligned(n);
        if (!mem)
            return agni_nomem(op, n);
        const agni_simd_kernels *vk = agni_simd_kernels_get();
        atomic_store(&known[0], 1e9 * measure_products(&vk->real[AGNI_SIMD_F64], 8, mem));
        atomic_store(&known[1], 1e9 * measure_products(&vk->real[AGNI_SIMD_F32], 4, mem));
        atomic_store(&known[2], 1e9 * measure_copies(mem));
        agni_free(mem);
    }
    *out = (agni_rates){atomic_load(&known[0]), atomic_load(&known[1]),
                        atomic_load(&known[2])};
    return AGN_OK;
}
