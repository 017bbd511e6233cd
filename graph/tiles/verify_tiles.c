/* graph/tiles/verify_tiles.c - the verifier of tile programs: each instruction has what its op
   needs, names what exists, and reads what was written before it and is still there, by running
   the program on rows that know their owner in place of numbers. */
#include "graph/tiles/tile.h"

#include "core/internal.h"
#include <stdarg.h>

typedef struct verifier {
    const agni_region *r;
    int32_t *first; /* of buffers: their first row among the rows of all */
    int32_t *owner; /* of rows of memory: the row of all that was written there last; -1 */
    const agni_tile_instr *q;
    char *text;
    size_t size;
    bool bad;
} verifier;

static void AGNI_PRINTF(2, 3) report_fault(verifier *v, const char *fmt, ...)
{
    if (v->bad)
        return;
    va_list ap;
    va_start(ap, fmt);
    agni_vformat(v->text, v->size, fmt, ap);
    va_end(ap);
    v->bad = true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool has_row(verifier *v, int32_t buf, int64_t row)
{
    const agni_region *r = v->r;
    if (buf < 0 || buf >= r->n_buf)
        report_fault(v, "names buffer %d of %d", buf, r->n_buf);
    else if (row < 0 || row >= r->buf[buf].rows)
        report_fault(v, "names row %lld of buffer %d, which has %d", (long long)row, buf,
                     r->buf[buf].rows);
    else if (r->buf[buf].place < 0 || r->buf[buf].place + r->buf[buf].rows > r->rows)
        report_fault(v, "has buffer %d beyond the tile", buf);
    return !v->bad;
}
static void read_row(verifier *v, int32_t buf, int64_t row)
{
    if (has_row(v, buf, row) && !v->r->buf[buf].array &&
        v->owner[v->r->buf[buf].place + row] != v->first[buf] + row)
        report_fault(v, "reads row %lld of buffer %d, which is not there", (long long)row, buf);
}
static void write_row(verifier *v, int32_t buf, int64_t row)
{
    if (has_row(v, buf, row))
        v->owner[v->r->buf[buf].place + row] = v->first[buf] + (int32_t)row;
}
static void write_result(verifier *v, int64_t rows)
{
    for (int64_t e = 0; e < rows && !v->bad; e++)
        write_row(v, v->q->dst, v->q->dst_row + e);
}

static bool has_array(verifier *v, int32_t id)
{
    if (id < 0 || id >= v->r->n_arr)
        report_fault(v, "names array %d of %d", id, v->r->n_arr);
    return !v->bad;
}
static bool has_table(verifier *v, int32_t first, int64_t n)
{
    if (first < 0 || n < 0 || first + n > v->r->n_table)
        report_fault(v, "wants %lld numbers from %d of a table of %d", (long long)n, first,
                     v->r->n_table);
    return !v->bad;
}
static bool is_within(verifier *v, const char *what, int64_t k, int64_t n)
{
    if (k < 0 || k >= n)
        report_fault(v, "has %s %lld of %lld", what, (long long)k, (long long)n);
    return !v->bad;
}
static void has_accumulators(verifier *v, int64_t n)
{
    if (v->q->dst_row < 0 || v->q->dst_row + n > v->r->acc)
        report_fault(v, "adds to %lld accumulators from %d of %lld", (long long)n, v->q->dst_row,
                     (long long)v->r->acc);
}

/* operand k, of which E rows are read */
static void read_operand(verifier *v, int k, int64_t E)
{
    const agni_tile_operand *o = &v->q->in[k];
    if (o->kind == AGNI_ON_NUMBER)
        is_within(v, "number", o->id, v->r->n_num);
    else if (o->kind == AGNI_ON_ARRAY)
        has_array(v, o->id);
    else if (o->kind != AGNI_ON_TILE)
        report_fault(v, "has an operand of kind %d", o->kind);
    for (int64_t e = 0; o->kind == AGNI_ON_TILE && e < E && !v->bad; e++) {
        int64_t at = o->cycle ? e % o->cycle : e, hops = o->cycle ? e / o->cycle : 0;
        read_row(v, o->id, o->row + at * o->step + hops * o->hop);
    }
}
static void read_operands(verifier *v, int32_t nin)
{
    if (v->q->nin != nin)
        report_fault(v, "has %d operands of %d", v->q->nin, nin);
    for (int k = 0; k < nin && !v->bad; k++)
        read_operand(v, k, v->q->E);
}

/* ---- instructions, by op --------------------------------------------------------------------- */

static void verify_access(verifier *v)
{
    const agni_tile_instr *q = v->q;
    bool load = q->op == AGNI_T_LOAD;
    read_operands(v, load ? 1 : 2);
    has_table(v, q->access.offsets, q->E);
    if (q->in[!load].kind != AGNI_ON_ARRAY)
        report_fault(v, "has no array of numbers");
    if (load)
        write_result(v, q->E);
}

static void verify_transposed(verifier *v)
{
    const agni_tile_instr *q = v->q;
    bool load = q->op == AGNI_T_LOAD_TRANSPOSED;
    if (!has_array(v, q->in[0].id) ||
        !has_table(v, q->transposed.runs, (int64_t)q->E * AGNI_TRANSPOSED_RUN_INTS))
        return;
    const agni_transposed_run *s = agni_tile_runs(v->r, q);
    for (int32_t e = 0; e < q->E && !v->bad; e++) {
        if (s[e].run < 1 || e + s[e].run > q->E ||
            (s[e].run > 1 && s[e + 1].off != s[e].off + 1))
            report_fault(v, "has a run of %d at element %d of %d", s[e].run, e, q->E);
        (load ? write_row : read_row)(v, s[e].buf, s[e].row);
    }
}

static void verify_elementwise(verifier *v)
{
    static const struct {
        int32_t nin, kernels;
    } form[AGNI_T_COUNT] = {[AGNI_T_MAP] = {1, AGNI_VMAP_COUNT},
                            [AGNI_T_LOOP2] = {2, AGNI_VLOOP2_COUNT},
                            [AGNI_T_LOOP3] = {3, AGNI_VLOOP3_COUNT},
                            [AGNI_T_EAGER_LOOP] = {0, AGNI_EW_COUNT}};
    const agni_tile_instr *q = v->q;
    is_within(v, "kernel", q->elementwise.kernel, form[q->op].kernels);
    read_operands(v, form[q->op].nin ? form[q->op].nin : q->nin);
    write_result(v, q->E);
}

static void verify_gather(verifier *v)
{
    const agni_tile_instr *q = v->q;
    if (q->nin != 1 || !has_table(v, q->gather.pairs, 2 * (int64_t)q->E))
        report_fault(v, "has %d operands of 1", q->nin);
    const int32_t *pair = v->r->table + q->gather.pairs;
    for (int32_t e = 0; e < q->E && !v->bad; e++)
        if (q->in[0].kind == AGNI_ON_TILE && pair[2 * e + 1] >= 0)
            read_row(v, q->in[0].id, pair[2 * e + 1]);
    for (int32_t e = 0; e < q->E && !v->bad; e++)
        write_row(v, q->dst, pair[2 * e]);
}

static void verify_reduce(verifier *v)
{
    const agni_tile_instr *q = v->q;
    is_within(v, "kernel", q->reduce.kernel, AGNI_VLOOP2_COUNT);
    if (q->reduce.outer * q->reduce.inner != q->E || q->in[0].step != 1 || q->in[0].cycle)
        report_fault(v, "reduces [%lld][%lld][%lld] to %d rows", (long long)q->reduce.outer,
                     (long long)q->reduce.count, (long long)q->reduce.inner, q->E);
    if (!v->bad)
        read_operand(v, 0, q->E * q->reduce.count);
    write_result(v, q->E);
}

static void verify_products(verifier *v)
{
    const agni_tile_instr *q = v->q;
    const int64_t K = q->product.K, J = q->product.J, wide = q->product.columns;
    if (!is_within(v, "pack", q->product.pack, v->r->n_pack) ||
        !has_table(v, q->product.products, (int64_t)q->product.count * AGNI_PRODUCT_INTS))
        return;
    const agni_packed_weights *w = &v->r->pack[q->product.pack];
    if (w->K != K || w->J != J)
        report_fault(v, "has a pack of [%lld,%lld] for [%lld,%lld]", (long long)w->K,
                     (long long)w->J, (long long)K, (long long)J);
    const agni_tile_product *p = agni_tile_products(v->r, q);
    for (int32_t i = 0; i < q->product.count; i++) {
        for (int64_t e = 0; e < K * wide && !v->bad; e++)
            read_row(v, p[i].x, p[i].x_row + e);
        if (p[i].bias >= 0)
            has_array(v, p[i].bias);
    }
    for (int32_t i = 0; i < q->product.count; i++)
        for (int64_t e = 0; e < J * wide && !v->bad; e++)
            write_row(v, p[i].y, p[i].y_row + e);
}

static void verify_batched_product(verifier *v)
{
    const agni_tile_instr *q = v->q;
    const int64_t I = q->batched.I, K = q->batched.K, J = q->batched.J, n = q->batched.count;
    if (n * I * J != q->E)
        report_fault(v, "makes %lld of %d rows", (long long)(n * I * J), q->E);
    read_operand(v, 0, n * I * K);
    read_operand(v, 1, n * K * J);
    write_result(v, q->E);
}

static void verify_outer_product(verifier *v)
{
    const agni_tile_instr *q = v->q;
    if (!has_table(v, q->outer.pairs, 4 * (int64_t)q->outer.count))
        return;
    const int32_t *p = v->r->table + q->outer.pairs;
    for (int32_t i = 0; i < q->outer.count; i++, p += 4) {
        for (int64_t e = 0; e < q->outer.K && !v->bad; e++)
            read_row(v, p[0], p[1] + e);
        for (int64_t e = 0; e < q->outer.J && !v->bad; e++)
            read_row(v, p[2], p[3] + e);
    }
    has_accumulators(v, q->outer.K * q->outer.J);
}

static void verify_batch_sum(verifier *v)
{
    read_operands(v, 1);
    has_accumulators(v, v->q->E);
}

static void verify_slot(verifier *v, const agni_chain_slot *s, bool write)
{
    const agni_region *r = v->r;
    bool repeated = !agni_chain_slot_has_rows(s);
    switch (s->kind) {
    case AGNI_SLOT_NUMBER:
        is_within(v, "number", s->row, r->n_num);
        return;
    case AGNI_SLOT_UNIFORM:
        is_within(v, "uniform number", s->row, r->n_uniform);
        return;
    case AGNI_SLOT_ROW_NUMBERS:
        has_array(v, s->id);
        return;
    case AGNI_SLOT_SCRATCH:
        is_within(v, "scratch block", s->row, r->scratch);
        return;
    case AGNI_SLOT_ARRAY:
        has_array(v, s->id);
        has_table(v, s->row, v->q->E);
        return;
    default:
        if (is_within(v, "slot kind", s->kind, AGNI_SLOT_SCRATCH + 1) && s->writes == write)
            for (int64_t e = 0; e < (repeated ? 1 : v->q->E) && !v->bad; e++)
                (write ? write_row : read_row)(v, s->id, s->row + (s->cycle ? e % s->cycle : e));
    }
}

static void verify_chain(verifier *v)
{
    const agni_tile_instr *q = v->q;
    const int32_t n = q->chain.n_moving + q->chain.n_fixed;
    if (n > AGNI_VSLOTS || q->chain.n_beside > q->chain.n_fixed ||
        !has_table(v, q->chain.slots, (int64_t)n * AGNI_SLOT_INTS) ||
        q->chain.first_step < 0 || q->chain.first_step + q->chain.n_step > v->r->n_step) {
        report_fault(v, "has %d slots and steps %d to %d of %d", n, q->chain.first_step,
                     q->chain.first_step + q->chain.n_step, v->r->n_step);
        return;
    }
    for (int32_t write = 0; write < 2; write++)
        for (int32_t k = 0; k < n && !v->bad; k++)
            verify_slot(v, &agni_tile_slots(v->r, q)[k], write);
    for (int32_t k = 0; k < q->chain.n_step && !v->bad; k++) {
        const agni_chain_step *s = &v->r->step[q->chain.first_step + k];
        const int most = s->a > s->b ? s->a : s->b, last = s->c > s->to ? s->c : s->to;
        is_within(v, "slot", most > last ? most : last, n);
    }
}

typedef void verify_op(verifier *v);
static verify_op *const verify_ops[AGNI_T_COUNT] = {
    [AGNI_T_LOAD] = verify_access,
    [AGNI_T_STORE] = verify_access,
    [AGNI_T_LOAD_TRANSPOSED] = verify_transposed,
    [AGNI_T_STORE_TRANSPOSED] = verify_transposed,
    [AGNI_T_MAP] = verify_elementwise,
    [AGNI_T_LOOP2] = verify_elementwise,
    [AGNI_T_LOOP3] = verify_elementwise,
    [AGNI_T_EAGER_LOOP] = verify_elementwise,
    [AGNI_T_GATHER_ROWS] = verify_gather,
    [AGNI_T_REDUCE] = verify_reduce,
    [AGNI_T_PRODUCT] = verify_products,
    [AGNI_T_BATCHED_PRODUCT] = verify_batched_product,
    [AGNI_T_OUTER_PRODUCT] = verify_outer_product,
    [AGNI_T_BATCH_SUM] = verify_batch_sum,
    [AGNI_T_CHAIN] = verify_chain,
};

agn_status agni_tile_verify(const agni_region *r)
{
    char text[192] = "";
    verifier v = {.r = r, .text = text, .size = sizeof text};
    int32_t rows = 0, i = 0;
    v.first = agni_alloc((size_t)(r->n_buf + 1) * sizeof *v.first);
    v.owner = agni_alloc((size_t)(r->rows + 1) * sizeof *v.owner);
    agn_status st = v.first && v.owner ? AGN_OK : agni_nomem("compile", (size_t)r->rows);
    for (int32_t b = 0; !st && b < r->n_buf; b++) {
        v.first[b] = rows;
        rows += r->buf[b].rows;
    }
    for (int32_t b = 0; !st && b < r->n_buf; b++)
        if (r->buf[b].inside)
            v.first[b] = v.first[r->buf[b].inside - 1] + r->buf[b].offset;
    for (int64_t k = 0; !st && k < r->rows; k++)
        v.owner[k] = -1;
    for (; !st && i < r->n_in && !v.bad; i++) {
        v.q = &r->in[i];
        if (v.q->op >= AGNI_T_COUNT || v.q->E < 0)
            report_fault(&v, "has op %d and %d rows", v.q->op, v.q->E);
        else
            verify_ops[v.q->op](&v);
    }
    if (v.bad)
        st = agni_fail(AGN_EUNSUPPORTED,
                       "compile: a region would be wrong: instruction %d of %d (op %d) %s", i - 1,
                       r->n_in, r->in[i - 1].op, text);
    agni_free(v.first);
    agni_free(v.owner);
    return st;
}
