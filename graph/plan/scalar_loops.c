/* graph/plan/scalar_loops.c - adjacent steps on small arrays as scalar loops; bodies of loops
   over small states consist of them. A kernel looks at shapes and strides at each call, which
   costs more than the numbers; here that is done once, when the plan is made: what is left is a
   list of loops of known length over known addresses. They compute what the kernels do, bit by
   bit. A product that only the sum after it reads is made by the loop of that sum. Sums of all
   elements have the order of the kernel of reductions. */
#include "graph/plan/scalar_loops.h"

#include <string.h>

/* numbers of a step, of one that takes them one by one; loops of it */
enum { MOST = 256, ONE_BY_ONE = 64, ROWS = 32, OPERANDS = AGNI_LOOP_OPERANDS };

/* ---- making -------------------------------------------------------------------------------- */

/* the arrays of a step over the axes of its result */
typedef struct loop_nest {
    agni_scalar_loop q; /* with the places where it begins */
    int n_op, ndim, bytes[OPERANDS];
    int64_t shape[AGNI_MAX_RANK], stride[AGNI_MAX_RANK][OPERANDS]; /* elements */
} loop_nest;

static bool begin_operand(loop_nest *w, const agni_plan *p, int i, int32_t v, int64_t offset)
{
    const agni_plan_value *x = &p->val[v];
    w->bytes[i] = agni_dtypes[x->h->dtype].bytes;
    offset += x->offset;
    if (offset > INT32_MAX / 2)
        return false;
    w->q.at[i] = (agni_scalar_operand){x->buffer, (int32_t)offset, 0, w->bytes[i]};
    for (int d = 0; d < w->ndim; d++) {
        int k = d - (w->ndim - x->h->ndim);
        int64_t s = k < 0 || x->h->shape[k] == 1 ? 0 : x->h->stride[k];
        if (s * w->shape[d] * w->bytes[i] > INT32_MAX / 2 ||
            s * w->shape[d] * w->bytes[i] < -INT32_MAX / 2)
            return false;
        w->stride[d][i] = s;
    }
    return true;
}

static agn_status append_loop(agni_plan *p, const agni_scalar_loop *q)
{
    if (!agni_reserve_items(&p->loop, &p->cap_loop, p->n_loop + 1, sizeof *p->loop))
        return agni_nomem("compile", sizeof *q);
    p->loop[p->n_loop++] = *q;
    return AGN_OK;
}

/* by the steps of the result, of the first operand and the last */
static int classify_steps(int64_t y, int64_t a, int64_t b)
{
    static const int way[2][2] = {{ANY_STEPS, FIRST_ONCE}, {SECOND_ONCE, SIDE_BY_SIDE}};
    return y == 1 && (a | 1) == 1 && (b | 1) == 1 ? way[a][b] : ANY_STEPS;
}

/* Its loops along the last axis. */
static agn_status emit_loops(agni_plan *p, loop_nest *w, bool *good)
{
    int64_t rows = 1, at[AGNI_MAX_RANK] = {0};
    w->ndim = agni_ew_coalesce(w->ndim, w->shape, w->stride[0], OPERANDS, w->n_op);
    int last = w->ndim - 1;
    w->q.n = last < 0 ? 1 : (int32_t)w->shape[last];
    for (int i = 0; i < w->n_op && w->q.n > 1; i++)
        if (w->stride[last][i] != 1)
            w->q.apart = w->n_op;
    if (w->q.kind != KIND_LOOP)
        w->q.kind += w->q.n == 1 ? ONE : classify_steps(w->stride[last][0], w->stride[last][1],
                                                      w->stride[last][w->n_op - 1]);
    for (int i = 0; i < w->n_op && last >= 0; i++)
        w->q.at[i].step = (int32_t)w->stride[last][i];
    for (int d = 0; d < last; d++)
        rows *= w->shape[d];
    *good = rows <= ROWS;
    for (int i = w->n_op; i < OPERANDS; i++)
        w->q.at[i] = w->q.at[w->n_op - 1];
    agn_status st = AGN_OK;
    for (int64_t r = 0; r < rows && *good && !st; r++) {
        agni_scalar_loop q = w->q;
        for (int i = 0; i < OPERANDS; i++) {
            int o = i < w->n_op ? i : w->n_op - 1;
            for (int d = 0; d < last; d++)
                q.at[i].offset += (int32_t)(at[d] * w->stride[d][o]) * w->bytes[o];
        }
        st = append_loop(p, &q);
        for (int d = last - 1; d >= 0 && ++at[d] == w->shape[d]; d--)
            at[d] = 0;
    }
    return st;
}

static int32_t loop_kind(const agni_op *op, int dtype)
{
    int wide = dtype == AGN_F64;
    if (dtype == AGN_BOOL)
        return op->ew == AGNI_EW_logical_not   ? KIND(FEW_NOT, 0, ANY_STEPS)
               : op->ew == AGNI_EW_logical_and ? KIND(FEW_AND, 0, ANY_STEPS)
               : op->ew == AGNI_EW_logical_or  ? KIND(FEW_OR, 0, ANY_STEPS)
                                               : KIND_LOOP;
    if (dtype != AGN_F64 && dtype != AGN_F32)
        return KIND_LOOP;
    switch (op->ew) {
    case AGNI_EW_add:
        return KIND(FEW_ADD, wide, ANY_STEPS);
    case AGNI_EW_sub:
        return KIND(FEW_SUB, wide, ANY_STEPS);
    case AGNI_EW_mul:
        return KIND(FEW_MUL, wide, ANY_STEPS);
    case AGNI_EW_div:
        return KIND(FEW_DIV, wide, ANY_STEPS);
    case AGNI_EW_neg:
        return KIND(FEW_NEG, wide, ANY_STEPS);
    case AGNI_EW_square:
        return KIND(FEW_SQUARE, wide, ANY_STEPS);
    case AGNI_EW_reciprocal:
        return KIND(FEW_RECIPROCAL, wide, ANY_STEPS);
    case AGNI_EW_where:
        return KIND(FEW_WHERE, wide, ANY_STEPS);
    case AGNI_EW_lt:
        return KIND(FEW_LESS, wide, ANY_STEPS);
    case AGNI_EW_isinf:
        return KIND(FEW_ISINF, wide, ANY_STEPS);
    case AGNI_EW_isposinf:
        return KIND(FEW_ISPOSINF, wide, ANY_STEPS);
    default:
        return KIND_LOOP;
    }
}

static agn_status loop_elementwise(agni_plan *p, const agni_step *s, bool *good)
{
    const int32_t *v = p->arr + s->arr;
    const agn_tensor *y = p->val[v[s->nin]].h;
    int dtype = p->val[v[s->op == &agni_op_where]].h->dtype; /* that the kernel goes by */
    loop_nest w = {.q = {.kind = loop_kind(s->op, dtype),
                    .loop = agni_ew_find_loop(s->op->ew, dtype),
                    .ints = s->at ? s->at->i : NULL},
              .n_op = s->nin + 1,
              .ndim = y->ndim};
    memcpy(w.shape, y->shape, (size_t)y->ndim * sizeof *y->shape);
    const bool slow = w.q.kind != KIND_LOOP && w.q.kind / WAYS / 2 >= FEW_WHERE;
    bool fits = s->nin < OPERANDS && w.q.loop && !(slow && y->size > ONE_BY_ONE) &&
                begin_operand(&w, p, 0, v[s->nin], 0);
    for (int i = 0; fits && i < s->nin; i++)
        fits = begin_operand(&w, p, i + 1, v[i], 0);
    return fits ? emit_loops(p, &w, good) : AGN_OK;
}

/* x to its place in y */
static agn_status loop_copy(agni_plan *p, int32_t x, int32_t y, int64_t offset, bool *good)
{
    const agn_tensor *h = p->val[x].h;
    int bytes = agni_dtypes[h->dtype].bytes;
    loop_nest w = {
        .q = {.kind = KIND(FEW_MOVE, bytes == 8, ANY_STEPS)}, .n_op = 2, .ndim = h->ndim};
    memcpy(w.shape, h->shape, (size_t)h->ndim * sizeof *h->shape);
    *good = false;
    bool fits = (bytes == 8 || bytes == 4) && h->dtype == p->val[y].h->dtype &&
                h->ndim == p->val[y].h->ndim;
    if (!h->size && fits)
        *good = true;
    return h->size && fits && begin_operand(&w, p, 0, y, offset) && begin_operand(&w, p, 1, x, 0)
               ? emit_loops(p, &w, good)
               : AGN_OK;
}

static agn_status loop_concat(agni_plan *p, const agni_step *s, bool *good)
{
    const int32_t *v = p->arr + s->arr;
    const agn_tensor *y = p->val[v[s->nin]].h;
    int d = y->ndim + (int)s->at->i[0];
    int64_t at = 0, bytes = agni_dtypes[y->dtype].bytes;
    agn_status st = AGN_OK;
    *good = true;
    for (int i = 0; i < s->nin && *good && !st; i++) {
        st = loop_copy(p, v[i], v[s->nin], at * y->stride[d] * bytes, good);
        at += p->val[v[i]].h->shape[d];
    }
    return st;
}

/* a sum of all elements */
static agn_status loop_sum(agni_plan *p, const agni_step *s, bool *good)
{
    const int32_t *v = p->arr + s->arr;
    const agn_tensor *x = p->val[v[0]].h, *y = p->val[v[1]].h;
    if ((x->dtype != AGN_F64 && x->dtype != AGN_F32) || y->size != 1 || x->size < 1 ||
        x->size > ONE_BY_ONE || !agni_is_contiguous(x))
        return AGN_OK;
    loop_nest w = {
        .q = {.kind = KIND(FEW_SUM, x->dtype == AGN_F64, ANY_STEPS), .n = (int32_t)x->size}};
    if (!begin_operand(&w, p, 0, v[1], 0) || !begin_operand(&w, p, 1, v[0], 0))
        return AGN_OK;
    w.q.at[2] = w.q.at[3] = w.q.at[1];
    *good = true;
    return append_loop(p, &w.q);
}

/* the loops of a step, appended; *good: there are some */
static agn_status loops_of(agni_plan *p, const agni_step *s, bool *good)
{
    *good = false;
    if (s->kind != AGNI_STEP_KERNEL || s->nout != 1)
        return AGN_OK;
    const int32_t *v = p->arr + s->arr;
    int64_t size = p->val[v[s->nin]].h->size;
    if (size == 0 || size > MOST)
        return AGN_OK;
    if (s->op->ew >= 0)
        return loop_elementwise(p, s, good);
    if (s->op == &agni_op_copy)
        return loop_copy(p, v[0], v[1], 0, good);
    if (s->op == &agni_op_sum)
        return loop_sum(p, s, good);
    return s->op == &agni_op_concat ? loop_concat(p, s, good) : AGN_OK;
}

/* ---- sums of products ------------------------------------------------------------------------ */

static int32_t buffer_of(const agni_plan *p, const agni_step *s, int k)
{
    return p->val[p->arr[s->arr + k]].buffer;
}

/* Do the steps from one to another leave what lies at a buffer as it is? They are loops, all of
   them. */
static bool is_unchanged_between(const agni_plan *p, int32_t from, int32_t to, int32_t buffer)
{
    bool so = true;
    for (int32_t i = from; i < to && so; i++)
        so = p->step[i].loops_end && buffer_of(p, &p->step[i], p->step[i].nin) != buffer;
    return so;
}

/* Operand k of step j is the product that step i makes, for it alone: both become one. */
static bool fuse_multiply_add(agni_plan *p, int32_t i, int32_t j, int k)
{
    static const int made[][3] = {[FEW_ADD] = {0, FEW_MUL_ADD, FEW_MUL_ADD},
                                  [FEW_SUB] = {0, FEW_MUL_SUB, FEW_SUB_MUL}};
    agni_scalar_loop *q = p->loop + p->step[j].loop;
    const agni_scalar_loop *x = p->loop + p->step[i].loop;
    const int wide = q->kind / WAYS % 2, op = q->kind / WAYS / 2;
    const agni_scalar_operand *m = &q->at[k], *y = &x->at[0], *a = &x->at[1], *b = &x->at[2],
                              c = q->at[3 - k];
    if (p->step[i].n_loop != 1 || x->kind / WAYS != 2 * FEW_MUL + wide || x->n != q->n ||
        m->offset != y->offset || (m->step != y->step && q->n > 1) ||
        !is_unchanged_between(p, i + 1, j, a->buffer) ||
        !is_unchanged_between(p, i + 1, j, b->buffer))
        return false;
    for (int o = 1; o < 3; o++) {
        agni_buffer *r = &p->buffer[x->at[o].buffer];
        r->to = r->to > j ? r->to : j;
    }
    const int way = q->n == 1     ? ONE
                    : c.step == 1 ? classify_steps(q->at[0].step, a->step, b->step)
                                  : ANY_STEPS;
    q->kind = KIND(made[op][k], wide, way);
    q->at[1] = *a;
    q->at[2] = *b;
    q->at[3] = c;
    p->step[i].n_loop = 0;
    return true;
}

/* Step j chooses by what step i makes of the opposite: it chooses by that itself. */
static bool take_opposite(agni_plan *p, int32_t i, int32_t j)
{
    agni_scalar_loop *q = p->loop + p->step[j].loop;
    const agni_scalar_loop *x = p->loop + p->step[i].loop;
    const agni_scalar_operand mask = q->at[1], other = q->at[2];
    if (p->step[i].n_loop != 1 || x->kind / WAYS / 2 != FEW_NOT || x->n != q->n ||
        mask.offset != x->at[0].offset || (mask.step != x->at[0].step && q->n > 1) ||
        !is_unchanged_between(p, i + 1, j, x->at[1].buffer))
        return false;
    agni_buffer *r = &p->buffer[x->at[1].buffer];
    r->to = r->to > j ? r->to : j;
    q->at[1] = x->at[1];
    q->at[2] = q->at[3];
    q->at[3] = other;
    return true;
}

/* Sums and differences of which an operand is a product that nobody else reads; choices by the
   opposite of a truth value. */
static agn_status fuse_multiply_adds(agni_plan *p)
{
    enum { NEAR = 32 };
    if (!p->n_loop)
        return AGN_OK;
    int32_t *uses = agni_zalloc(2 * (size_t)(p->n_buffer + 1) * sizeof *uses),
            *maker = uses + p->n_buffer;
    if (!uses)
        return agni_nomem("compile", (size_t)p->n_buffer * sizeof *uses);
    for (int32_t i = 0; i < p->n_arr; i++)
        uses[p->val[p->arr[i]].buffer]++;
    for (int32_t j = 0; j < p->n_step; j++) {
        const agni_step *s = &p->step[j];
        const int op = s->n_loop == 1 ? p->loop[s->loop].kind / WAYS / 2 : FEW_LOOP;
        bool one = false;
        for (int k = 1; (op == FEW_ADD || op == FEW_SUB) && k < 3 && !one; k++) {
            int32_t r = buffer_of(p, s, k - 1), i = maker[r];
            one = p->buffer[r].kind == AGNI_IN_ARENA && uses[r] == 2 && i < j && j - i < NEAR &&
                  p->step[i].loops_end && buffer_of(p, &p->step[i], p->step[i].nin) == r &&
                  fuse_multiply_add(p, i, j, k);
        }
        if (op == FEW_WHERE) {
            int32_t r = buffer_of(p, s, 0), i = maker[r];
            if (p->buffer[r].kind == AGNI_IN_ARENA && i < j && j - i < NEAR &&
                p->step[i].loops_end && buffer_of(p, &p->step[i], p->step[i].nin) == r &&
                take_opposite(p, i, j) && --uses[r] == 1)
                p->step[i].n_loop = 0;
        }
        if (s->loops_end)
            maker[buffer_of(p, s, s->nin)] = j;
    }
    agni_free(uses);
    int32_t n = 0; /* without those that are gone */
    for (int32_t i = 0; i < p->n_step; i++) {
        agni_step *s = &p->step[i];
        memmove(p->loop + n, p->loop + s->loop, (size_t)s->n_loop * sizeof *p->loop);
        s->loop = n;
        n += s->n_loop;
    }
    p->n_loop = n;
    return AGN_OK;
}

agn_status agni_plan_scalar_loops(agni_plan *p)
{
    agn_status st = AGN_OK;
    for (int32_t i = 0; i < p->n_step && !st; i++) {
        bool good;
        agni_step *s = &p->step[i];
        s->loop = p->n_loop;
        st = loops_of(p, s, &good);
        if (!good || st)
            p->n_loop = s->loop;
        s->n_loop = p->n_loop - s->loop;
        s->loops_end = good ? i + 1 : 0;
    }
    st = st ? st : fuse_multiply_adds(p);
    for (int32_t i = p->n_step - 2; i >= 0 && !st; i--)
        if (p->step[i].loops_end && p->step[i + 1].loops_end)
            p->step[i].loops_end = p->step[i + 1].loops_end;
    return st;
}
