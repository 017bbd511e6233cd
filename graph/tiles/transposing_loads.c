/* graph/tiles/transposing_loads.c - loads and stores that transpose: adjacent elements of an
   array's row are transposed together, whatever buffers they go to or come from.

   Loads of few elements that look at the same array (a row's columns by name) become one, at the
   first of them. What a store writes is taken from where it was made: rows that were copied only
   to be joined before it are not. */
#include "graph/tiles/tile.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 8, MOST = 64 }; /* elements of a load that joins others; of all of them */

typedef struct origin {
    int32_t buf, row; /* of which a row is a copy; -1: it is itself */
} origin;

typedef struct transposing {
    agni_region *r;
    const agni_plan *p;
    origin *of;         /* of rows of buffers */
    int32_t *first;     /* of each buffer: its first row in of[] */
    int32_t *reads;     /* of buffers */
} transposing;

static bool is_strided(const agni_tile_instr *q)
{
    return (q->op == AGNI_T_LOAD || q->op == AGNI_T_STORE) && !q->access.truth &&
           q->access.stride != 1;
}
static bool is_row_copy(const agni_tile_instr *q)
{
    return q->op == AGNI_T_GATHER_ROWS && q->in[0].kind == AGNI_ON_TILE;
}

static void count_reads(void *user, int32_t b, bool writes)
{
    transposing *s = user;
    s->reads[b] += !writes;
}

static void find_origins(transposing *s)
{
    const agni_region *r = s->r;
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tile_instr *q = &r->in[i];
        if (!is_row_copy(q))
            continue;
        const int32_t *pair = r->table + q->gather.pairs;
        for (int32_t e = 0; e < q->E; e++, pair += 2) {
            origin from = {q->in[0].id, pair[1]};
            if (pair[1] < 0)
                continue;
            if (s->of[s->first[from.buf] + from.row].buf >= 0)
                from = s->of[s->first[from.buf] + from.row];
            s->of[s->first[q->dst] + pair[0]] = from;
        }
    }
}

/* ---- tables ------------------------------------------------------------------------------ */

static int compare_offset(const void *a, const void *b)
{
    const agni_transposed_run *x = a, *y = b;
    return (x->off > y->off) - (x->off < y->off);
}
static void find_runs(agni_transposed_run *t, int32_t E)
{
    for (int32_t e = E - 1; e >= 0; e--)
        t[e].run = e + 1 < E && t[e + 1].off == t[e].off + 1 ? t[e + 1].run + 1 : 1;
}
static agni_transposed_run *runs_at(const agni_region *r, int32_t table)
{
    return (agni_transposed_run *)(void *)(r->table + table);
}

static const agni_plan_value *array_view(const transposing *s, const agni_tile_instr *q)
{
    return &s->p->val[s->p->arr[s->r->arr[q->in[0].id]]];
}
/* in how many elements b begins after a, where both look at the same memory, one row as far from
   the next: else false */
static bool may_join_load(const transposing *s, const agni_tile_instr *a, const agni_tile_instr *b,
                          int64_t *apart)
{
    if (b->op != AGNI_T_LOAD || !is_strided(b) || b->E > FEW ||
        a->access.stride != b->access.stride)
        return false;
    const agni_plan_value *x = array_view(s, a), *y = array_view(s, b);
    *apart = (y->offset - x->offset) / s->r->bytes;
    return x->buffer == y->buffer && *apart > -a->access.stride && *apart < a->access.stride;
}

/* the load at i, and those behind it that join it, as one */
static bool join_loads(transposing *s, int32_t i)
{
    agni_region *r = s->r;
    int32_t E = 0, rest = i, at = agni_tile_add_table(r, MOST * AGNI_TRANSPOSED_RUN_INTS);
    if (at < 0)
        return false;
    for (; rest < r->n_in; rest++) {
        agni_tile_instr *q = &r->in[rest];
        int64_t apart = 0;
        if (rest != i && (!may_join_load(s, &r->in[i], q, &apart) || E + q->E > MOST))
            continue;
        for (int32_t e = 0; e < q->E; e++)
            runs_at(r, at)[E + e] = (agni_transposed_run){
                r->table[q->access.offsets + e] + (int32_t)apart, q->dst, e, 0};
        E += q->E;
        if (rest != i)
            q->op = AGNI_T_DELETED;
    }
    r->n_table = at + E * AGNI_TRANSPOSED_RUN_INTS;
    qsort(runs_at(r, at), (size_t)E, sizeof(agni_transposed_run), compare_offset);
    const int64_t stride = r->in[i].access.stride;
    r->in[i].op = AGNI_T_LOAD_TRANSPOSED;
    r->in[i].dst = -1;
    r->in[i].E = E;
    r->in[i].transposed.stride = stride;
    r->in[i].transposed.runs = at;
    find_runs(runs_at(r, at), E);
    return true;
}

static bool transpose_access(transposing *s, agni_tile_instr *q)
{
    agni_region *r = s->r;
    int32_t at = agni_tile_add_table(r, q->E * AGNI_TRANSPOSED_RUN_INTS);
    if (at < 0)
        return false;
    bool load = q->op == AGNI_T_LOAD;
    agni_transposed_run *t = runs_at(r, at);
    for (int32_t e = 0; e < q->E; e++) {
        origin from = {load ? q->dst : q->in[0].id, load ? e : q->in[0].row + e};
        const origin *of = &s->of[s->first[from.buf] + from.row];
        from = !load && of->buf >= 0 ? *of : from;
        t[e] = (agni_transposed_run){r->table[q->access.offsets + e], from.buf, from.row, 0};
    }
    find_runs(t, q->E);
    if (!load)
        q->in[0] = q->in[1];
    const int64_t stride = q->access.stride;
    q->op = load ? AGNI_T_LOAD_TRANSPOSED : AGNI_T_STORE_TRANSPOSED;
    q->dst = -1;
    q->nin = 1;
    q->transposed.stride = stride;
    q->transposed.runs = at;
    return true;
}

bool agni_tile_transpose_loads(agni_region *r, const agni_plan *p)
{
    transposing s = {.r = r, .p = p};
    int32_t rows = 0;
    s.first = agni_alloc((size_t)(r->n_buf + 1) * sizeof *s.first);
    s.reads = agni_zalloc((size_t)(r->n_buf + 1) * sizeof *s.reads);
    for (int32_t b = 0; s.first && b < r->n_buf; b++) {
        s.first[b] = rows;
        rows += r->buf[b].rows;
    }
    s.of = agni_alloc((size_t)(rows + 1) * sizeof *s.of);
    bool ok = s.first && s.reads && s.of;
    if (ok) {
        memset(s.of, -1, (size_t)(rows + 1) * sizeof *s.of);
        find_origins(&s);
    }
    for (int32_t i = 0; ok && i < r->n_in; i++)
        if (is_strided(&r->in[i]))
            ok = r->in[i].op == AGNI_T_LOAD && r->in[i].E <= FEW ? join_loads(&s, i)
                                                                 : transpose_access(&s, &r->in[i]);
    for (int32_t i = 0; ok && i < r->n_in; i++)
        agni_tile_visit_buffers(r, &r->in[i], count_reads, &s);
    for (int32_t i = r->n_in - 1; ok && i >= 0; i--) /* copies that nobody reads any more */
        if (is_row_copy(&r->in[i]) && !s.reads[r->in[i].dst]) {
            s.reads[r->in[i].in[0].id]--;
            r->in[i].op = AGNI_T_DELETED;
        }
    agni_tile_remove_deleted(r);
    agni_free(s.of);
    agni_free(s.first);
    agni_free(s.reads);
    return ok;
}
