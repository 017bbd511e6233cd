/* The verifier of tile programs (graph/tiles/verify_tiles.c): regions as they are made pass, and
   each field of an instruction, set to what cannot be, is found. */
#include "tap.h"

#include "graph/tiles/tile.h"
#include <agnesi/ag.h>

enum { N = 1024, WIDTH = 8 };

/* the gradient of a residual network with a softmax: every kind of instruction but two */
static agn_status loss(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *x = in[0], *w = in[1], *b = in[2];
    (void)user;
    for (int i = 0; i < 3; i++)
        x = ag_add(s, x, ag_tanh(s, ag_add(s, ag_matmul(s, x, w), b)));
    const agn_tensor *pair[2] = {x, ag_cos(s, x)};
    x = ag_concat(s, pair, 2, -1);
    x = ag_sub(s, x, ag_logsumexp(s, x, (const int32_t[]){-1}, 1, true));
    out[0] = ag_mean(s, ag_mul(s, x, ag_atan(s, x)), NULL, 0, false);
    return AGN_OK;
}

static void check(agn_status st)
{
    if (st)
        ok(false, "%s", agn_error_message());
}

static agni_plan *make_plan(bool transposed)
{
    agn_fn *f = NULL, *g = NULL;
    agni_prog *prog = NULL;
    agni_plan *p = NULL;
    const int64_t shape[3][2] = {{N, WIDTH}, {WIDTH, WIDTH}, {WIDTH, 0}};
    agn_tensor *in[3] = {NULL};
    for (int i = 0; i < 3; i++)
        check(agn_full(&in[i], AGN_F64, i < 2 ? 2 : 1, shape[i], 0.125));
    check(agn_fn_new(&f, loss, NULL, NULL, 3, 1));
    check(agn_fn_value_and_grad(&g, f, (const int32_t[]){1, 2, 0}, transposed ? 3 : 2));
    check(agni_trace_stored("test", &prog, g, (const agn_tensor *const *)in));
    check(agni_plan_make(&p, prog, (agni_plan_options){.tiles = true, .simplify = true}));
    for (int i = 0; i < 3; i++)
        agn_release(in[i]);
    agn_fn_release(f);
    agn_fn_release(g);
    return p;
}

static bool seen[AGNI_T_COUNT];
static int wrong, found;

static void try_fault(const agni_region *r, const char *what, int op)
{
    wrong++;
    if (agni_tile_verify(r) == AGN_EUNSUPPORTED)
        found++;
    else
        printf("# op %d: %s is not found\n", op, what);
}
#define FAULT(field, value)                                                                        \
    do {                                                                                           \
        __typeof__(field) was = field;                                                             \
        field = value;                                                                             \
        try_fault(r, #field " = " #value, q->op);                                                  \
        field = was;                                                                               \
    } while (0)

static void break_payload(agni_region *r, agni_tile_instr *q)
{
    switch (q->op) {
    case AGNI_T_LOAD:
    case AGNI_T_STORE:
        FAULT(q->access.offsets, r->n_table);
        FAULT(q->in[q->op == AGNI_T_STORE].id, r->n_arr);
        FAULT(q->in[q->op == AGNI_T_STORE].kind, AGNI_ON_NUMBER);
        break;
    case AGNI_T_LOAD_TRANSPOSED:
    case AGNI_T_STORE_TRANSPOSED:
        FAULT(q->transposed.runs, -1);
        FAULT(q->in[0].id, r->n_arr);
        FAULT(agni_tile_runs(r, q)[q->E - 1].run, 2);
        FAULT(agni_tile_runs(r, q)[0].buf, r->n_buf);
        FAULT(agni_tile_runs(r, q)[0].row, 1 << 20);
        break;
    case AGNI_T_MAP:
    case AGNI_T_LOOP2:
    case AGNI_T_LOOP3:
    case AGNI_T_EAGER_LOOP:
        FAULT(q->elementwise.kernel, 1000);
        FAULT(q->nin, q->op == AGNI_T_MAP ? 2 : 1 + 4 * (q->op == AGNI_T_EAGER_LOOP));
        break;
    case AGNI_T_GATHER_ROWS:
        FAULT(q->gather.pairs, r->n_table - 1);
        FAULT(r->table[q->gather.pairs], 1 << 20);
        FAULT(r->table[q->gather.pairs + 1], 1 << 20);
        break;
    case AGNI_T_REDUCE:
        FAULT(q->reduce.count, 1 << 20);
        FAULT(q->reduce.outer, q->reduce.outer + 1);
        FAULT(q->reduce.kernel, AGNI_VLOOP2_COUNT);
        break;
    case AGNI_T_PRODUCT:
        FAULT(q->product.pack, r->n_pack);
        FAULT(q->product.K, q->product.K + 1);
        FAULT(q->product.products, r->n_table);
        FAULT(agni_tile_products(r, q)->x, -1);
        FAULT(agni_tile_products(r, q)->y_row, 1 << 20);
        FAULT(agni_tile_products(r, q)->bias, r->n_arr);
        break;
    case AGNI_T_OUTER_PRODUCT:
        FAULT(q->dst_row, (int32_t)r->acc);
        FAULT(q->outer.pairs, r->n_table);
        FAULT(r->table[q->outer.pairs], r->n_buf);
        break;
    case AGNI_T_BATCH_SUM:
        FAULT(q->dst_row, -1);
        break;
    case AGNI_T_CHAIN:
        FAULT(q->chain.slots, r->n_table);
        FAULT(q->chain.n_step, r->n_step + 1);
        FAULT(r->step[q->chain.first_step].to, AGNI_VSLOTS);
        FAULT(agni_tile_slots(r, q)->id, 1 << 20);
        FAULT(agni_tile_slots(r, q)->kind, AGNI_SLOT_SCRATCH + 1);
        break;
    default:
        break;
    }
}

/* Two buffers that are alive at once in one place: the one that was written first is gone. */
static void overlay_buffers(agni_region *r)
{
    for (int32_t b = 1, tried = 0; b < r->n_buf && tried < 8; b++) {
        const agni_tile_buffer *x = &r->buf[b - 1];
        agni_tile_instr *q = &r->in[0];
        if (x->rows != r->buf[b].rows || x->first < 0 || r->buf[b].first <= x->first ||
            r->buf[b].first >= x->last || r->buf[b].place == x->place)
            continue;
        FAULT(r->buf[b].place, x->place);
        tried++;
    }
}

static void break_region(agni_region *r)
{
    ok(agni_tile_verify(r) == AGN_OK, "a region of %d instructions is sound", r->n_in);
    for (int32_t i = 0; i < r->n_in; i++) {
        agni_tile_instr *q = &r->in[i];
        seen[q->op] = true;
        FAULT(q->op, AGNI_T_COUNT);
        FAULT(q->E, -1);
        if (q->dst >= 0) {
            FAULT(q->dst, r->n_buf);
            FAULT(r->buf[q->dst].rows, 0);
        }
        for (int k = 0; k < q->nin; k++) {
            if (q->in[k].kind == AGNI_ON_TILE && q->op != AGNI_T_GATHER_ROWS)
                FAULT(q->in[k].row, 1 << 20);
            if (q->in[k].kind == AGNI_ON_NUMBER)
                FAULT(q->in[k].id, r->n_num);
        }
        break_payload(r, q);
    }
    overlay_buffers(r);
    ok(agni_tile_verify(r) == AGN_OK, "and again, put back");
}

int main(void)
{
    for (int transposed = 0; transposed < 2; transposed++) {
        agni_plan *p = make_plan(transposed);
        for (int i = 0; i < p->n_step; i++)
            if (p->step[i].kind == AGNI_STEP_REGION)
                break_region(p->step[i].region);
        agni_plan_release(p);
    }
    int kinds = 0;
    for (int i = 0; i < AGNI_T_COUNT; i++)
        kinds += seen[i];
    ok(kinds >= 8, "%d kinds of instructions were met", kinds);
    ok(wrong > 100 && found == wrong, "%d of %d faults are found", found, wrong);
    return done();
}
