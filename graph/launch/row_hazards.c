/* graph/launch/row_hazards.c - hazards between rows of a tile: read after write, write after read
   and write after write (Hennessy & Patterson) of threads of a block, for which a barrier must
   stand between. */
#include "graph/launch/region_text.h"

#include <string.h>

enum { NOBODY = -2, SEVERAL = -1 };

/* negative: the buffer has no memory, and its rows meet nobody */
static int32_t place_of(const agni_region *r, int32_t buf)
{
    return r->buf[buf].rows ? r->buf[buf].place : INT32_MIN / 2;
}
static int32_t operand_row(const agni_tile_operand *o, int32_t e)
{
    return o->cycle ? o->row + e % o->cycle * o->step + e / o->cycle * o->hop
                    : o->row + e * o->step;
}

static void visit_elementwise(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                              void *user)
{
    for (int32_t e = 0; e < q->E; e++) {
        for (int i = 0; i < q->nin; i++)
            if (q->in[i].kind == AGNI_ON_TILE)
                f(user, place_of(r, q->in[i].id) + operand_row(&q->in[i], e), e, false);
        f(user, place_of(r, q->dst) + q->dst_row + e, e, true);
    }
}

static void visit_gather(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                         void *user)
{
    const int32_t *pair = r->table + q->gather.pairs;
    for (int32_t e = 0; e < q->E; e++, pair += 2) {
        if (pair[1] >= 0 && q->in[0].kind == AGNI_ON_TILE)
            f(user, place_of(r, q->in[0].id) + pair[1], e, false);
        f(user, place_of(r, q->dst) + pair[0], e, true);
    }
}

static void visit_reduce(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                         void *user)
{
    int32_t inner = (int32_t)q->reduce.inner, count = (int32_t)q->reduce.count;
    for (int32_t u = 0; u < q->E; u++) {
        for (int32_t k = 0; k < count; k++)
            f(user,
              place_of(r, q->in[0].id) + q->in[0].row + (u / inner * count + k) * inner + u % inner,
              u, false);
        f(user, place_of(r, q->dst) + u, u, true);
    }
}

static void visit_products(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                           void *user)
{
    const agni_tile_product *p = agni_tile_products(r, q);
    int32_t C = (int32_t)q->product.columns, J = (int32_t)q->product.J, K = (int32_t)q->product.K;
    int32_t units = (J + AGNI_PRODUCT_ROWS - 1) / AGNI_PRODUCT_ROWS * C;
    for (int32_t i = 0; i < q->product.count; i++, p++)
        for (int32_t u = 0; u < units; u++) {
            for (int32_t k = 0; k < K; k++)
                f(user, place_of(r, p->x) + p->x_row + k * C + u % C, u, false);
            for (int32_t j = u / C * AGNI_PRODUCT_ROWS;
                 j < J && j < (u / C + 1) * AGNI_PRODUCT_ROWS; j++)
                f(user, place_of(r, p->y) + p->y_row + j * C + u % C, u, true);
        }
}

static void visit_batched(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                          void *user)
{
    int32_t I = (int32_t)q->batched.I, K = (int32_t)q->batched.K, J = (int32_t)q->batched.J;
    for (int32_t u = 0; u < q->E; u++) {
        int32_t m = u / (I * J), i = u / J % I, j = u % J;
        for (int32_t k = 0; k < K; k++) {
            f(user, place_of(r, q->in[0].id) + q->in[0].row + (m * I + i) * K + k, u, false);
            f(user, place_of(r, q->in[1].id) + q->in[1].row + (m * K + k) * J + j, u, false);
        }
        f(user, place_of(r, q->dst) + q->dst_row + u, u, true);
    }
}

static void visit_outer(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                        void *user)
{
    const int32_t *p = r->table + q->outer.pairs;
    for (int32_t i = 0; i < q->outer.count; i++, p += 4) {
        for (int32_t k = 0; k < q->outer.K; k++)
            f(user, place_of(r, p[0]) + p[1] + k, AGNI_ALL_UNITS, false);
        for (int32_t j = 0; j < q->outer.J; j++)
            f(user, place_of(r, p[2]) + p[3] + j, AGNI_ALL_UNITS, false);
    }
}

void agni_region_visit_rows(const agni_region *r, const agni_tile_instr *q, agni_visit_row *f,
                            void *user)
{
    switch (q->op) {
    case AGNI_T_LOAD:
        for (int32_t e = 0; e < q->E; e++)
            f(user, place_of(r, q->dst) + e, e, true);
        return;
    case AGNI_T_STORE:
    case AGNI_T_BATCH_SUM:
        for (int32_t e = 0; e < q->E; e++)
            f(user, place_of(r, q->in[0].id) + operand_row(&q->in[0], e), e, false);
        return;
    case AGNI_T_MAP:
    case AGNI_T_LOOP2:
    case AGNI_T_LOOP3:
        visit_elementwise(r, q, f, user);
        return;
    case AGNI_T_GATHER_ROWS:
        visit_gather(r, q, f, user);
        return;
    case AGNI_T_REDUCE:
        visit_reduce(r, q, f, user);
        return;
    case AGNI_T_PRODUCT:
        visit_products(r, q, f, user);
        return;
    case AGNI_T_BATCHED_PRODUCT:
        visit_batched(r, q, f, user);
        return;
    case AGNI_T_OUTER_PRODUCT:
        visit_outer(r, q, f, user);
        return;
    default:
        return; /* none of a device's regions */
    }
}

bool agni_region_is_by_rows(const agni_tile_instr *q, int32_t lanes)
{
    return q->op == AGNI_T_LOAD || q->op == AGNI_T_STORE || q->op == AGNI_T_MAP ||
           q->op == AGNI_T_LOOP2 || q->op == AGNI_T_LOOP3 ||
           (q->op == AGNI_T_BATCH_SUM && lanes <= 32);
}

/* ---- who met a row --------------------------------------------------------------------------- */

bool agni_row_hazards_make(agni_row_hazards *h, int32_t rows, int32_t modulo)
{
    *h = (agni_row_hazards){.n = rows, .modulo = modulo};
    h->wrote = agni_alloc(2 * ((size_t)rows + 1) * sizeof *h->wrote);
    h->read = h->wrote ? h->wrote + rows + 1 : NULL;
    if (h->wrote)
        agni_row_hazards_clear(h);
    return h->wrote;
}
void agni_row_hazards_free(agni_row_hazards *h)
{
    agni_free(h->wrote);
}
void agni_row_hazards_clear(agni_row_hazards *h)
{
    for (int32_t k = 0; k < h->n; k++)
        h->wrote[k] = h->read[k] = NOBODY;
}

typedef struct meeting {
    const agni_row_hazards *h;
    bool found;
} meeting;

static int32_t number_of(const agni_row_hazards *h, int32_t unit)
{
    return unit < 0 ? SEVERAL : h->modulo ? unit % h->modulo : unit;
}
static bool is_another(int32_t who, int32_t met)
{
    return met != NOBODY && (met == SEVERAL || who == SEVERAL || met != who);
}

static void check_row(void *user, int32_t row, int32_t unit, bool writes)
{
    meeting *m = user;
    if (row < 0)
        return;
    int32_t who = number_of(m->h, unit);
    m->found = m->found || is_another(who, m->h->wrote[row]) ||
               (writes && is_another(who, m->h->read[row]));
}
bool agni_row_hazards_meet(const agni_row_hazards *h, const agni_region *r,
                           const agni_tile_instr *q)
{
    meeting m = {h, false};
    agni_region_visit_rows(r, q, check_row, &m);
    return m.found;
}

static void add_row(void *user, int32_t row, int32_t unit, bool writes)
{
    agni_row_hazards *h = user;
    if (row < 0)
        return;
    int32_t who = number_of(h, unit), *met = writes ? &h->wrote[row] : &h->read[row];
    *met = *met == NOBODY || *met == who ? who : SEVERAL;
}
void agni_row_hazards_add(agni_row_hazards *h, const agni_region *r, const agni_tile_instr *q)
{
    agni_region_visit_rows(r, q, add_row, h);
}
