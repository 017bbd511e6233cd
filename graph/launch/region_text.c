/* graph/launch/region_text.c - the text of a region as functions of a kernel. Instructions that treat each row of
   a value alone and stand side by side are one loop, in which a value passes from one to the next
   in a register (loop fusion, Kennedy & McKinley 1994); what none but the loop reads is never
   stored. */
#include "graph/launch/region_text.h"

#include <string.h>

enum { MOST_SUMS = 64 };

typedef struct writer {
    const agni_region *r;
    const agni_launch_member *at;
    agni_text *t;
    bool *bare; /* buffers that need no memory: set by the first pass, read by the second */
    bool second;
    int32_t lanes, warps;
    int32_t first, end; /* the open loop's instructions */
    agni_row_hazards block, loop;
    struct {
        int32_t at, by;
    } sum[MOST_SUMS]; /* accumulators met since the last barrier */
    int32_t n_sum;
    bool failed;
} writer;

#define SAY(...) agni_text_append(w->t, __VA_ARGS__)

static const char *const map_names[] = {
#define NAME(name) [AGNI_VM_##name] = "t_" #name,
    AGNI_VMAPS(NAME)
#undef NAME
};
static const char *const loop2_names[] = {
#define NAME(name) [AGNI_V2_##name] = "t_" #name,
    AGNI_VLOOPS2(NAME)
#undef NAME
};
static const char *const loop3_names[] = {
#define NAME(name) [AGNI_V3_##name] = "t_" #name,
    AGNI_VLOOPS3(NAME)
#undef NAME
};
static const char *function_name(const agni_tile_instr *q)
{
    return q->op == AGNI_T_MAP     ? map_names[q->elementwise.kernel]
           : q->op == AGNI_T_LOOP2 ? loop2_names[q->elementwise.kernel]
                                   : loop3_names[q->elementwise.kernel];
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Are n places, `by` apart in the table, an arithmetic progression? */
static bool is_progression(const int32_t *at, int32_t n, int32_t by)
{
    for (int32_t k = 2; k < n; k++)
        if (at[k * by] - at[(k - 1) * by] != at[by] - at[0])
            return false;
    return true;
}

/* the tables that no formula stands for, before the kernel */
static void write_table(writer *w, int32_t i, const char *name, const int32_t *at, int32_t n,
                        int32_t by)
{
    if (is_progression(at, n, by))
        return;
    SAY("static __device__ const int %s%d[] = {", name, i);
    for (int32_t k = 0; k < n; k++)
        SAY(k % 16 ? "%d," : "\n%d,", at[k * by]);
    SAY("};\n");
}
static void write_tables(writer *w)
{
    for (int32_t i = 0; i < w->r->n_in; i++) {
        const agni_tile_instr *q = &w->r->in[i];
        if (q->op == AGNI_T_LOAD || q->op == AGNI_T_STORE)
            write_table(w, i, "at", w->r->table + q->access.offsets, q->E, 1);
        if (q->op == AGNI_T_GATHER_ROWS) {
            write_table(w, i, "to", w->r->table + q->gather.pairs, q->E, 2);
            write_table(w, i, "from", w->r->table + q->gather.pairs + 1, q->E, 2);
        }
    }
}
/* element u of a table */
static void write_place(writer *w, int32_t i, const char *name, const int32_t *at, int32_t n,
                        int32_t by)
{
    if (!is_progression(at, n, by))
        SAY("%s%d[u]", name, i);
    else if (n > 1)
        SAY("(%d + u * %d)", at[0], at[by] - at[0]);
    else
        SAY("%d", n ? at[0] : 0);
}

static void write_operand_row(writer *w, const agni_tile_operand *o)
{
    if (o->cycle)
        SAY("%d + u %% %d * %d + u / %d * %d", o->row, o->cycle, o->step, o->cycle, o->hop);
    else
        SAY("%d + u * %d", o->row, o->step);
}
static void write_row(writer *w, int32_t buf, int32_t row)
{
    if (w->second && w->bare && w->bare[buf])
        w->failed = true; /* the loops are others than those of the first pass */
    SAY("m[(%d", w->r->buf[buf].place + row);
}

/* ---- loops over rows ------------------------------------------------------------------------- */

/* the instruction of the open loop before i that made row u of this operand; -1 */
static int32_t find_maker(const writer *w, int32_t i, const agni_tile_operand *o)
{
    if (o->kind != AGNI_ON_TILE || (w->r->in[i].E != 1 && (o->step != 1 || o->cycle)))
        return -1;
    for (int32_t k = i - 1; k >= w->first; k--) {
        const agni_tile_instr *q = &w->r->in[k];
        if (q->dst == o->id && q->dst_row == o->row)
            return k;
    }
    return -1;
}

static void write_operand(writer *w, int32_t i, const agni_tile_operand *o)
{
    int32_t k = find_maker(w, i, o);
    if (k >= 0) {
        SAY("v%d", k);
    } else if (o->kind == AGNI_ON_TILE) {
        write_row(w, o->id, 0);
        SAY(" + ");
        write_operand_row(w, o);
        SAY(") * %d + lane]", w->lanes);
    } else if (o->kind == AGNI_ON_ARRAY) {
        SAY("((const real *)a.array[%d])[", w->at->array + o->id);
        write_operand_row(w, o);
        SAY("]");
    } else {
        SAY("(real)a.number[%d]", w->at->number + o->id);
    }
}

/* memory of v<i>, where another than the open loop reads it */
static void write_kept(writer *w, int32_t i)
{
    const agni_tile_instr *q = &w->r->in[i];
    if (w->r->buf[q->dst].last < w->end && w->r->buf[q->dst].first >= w->first) {
        if (!w->second && w->bare)
            w->bare[q->dst] = true;
        return;
    }
    SAY("            ");
    write_row(w, q->dst, q->dst_row);
    SAY(" + u) * %d + lane] = v%d;\n", w->lanes, i);
}

static void write_by_row(writer *w, int32_t i)
{
    const agni_tile_instr *q = &w->r->in[i];
    const int32_t *off = w->r->table + q->access.offsets;
    switch (q->op) {
    case AGNI_T_LOAD:
        SAY("            const real v%d = (real)((const %s *)a.array[%d])[", i,
            q->access.truth ? "bool" : "real", w->at->array + q->in[0].id);
        write_place(w, i, "at", off, q->E, 1);
        SAY(" + row * %lldll];\n", (long long)q->access.stride);
        write_kept(w, i);
        return;
    case AGNI_T_STORE:
        SAY("            if (lane < n) ((%s *)a.array[%d])[", q->access.truth ? "bool" : "real",
            w->at->array + q->in[1].id);
        write_place(w, i, "at", off, q->E, 1);
        SAY(" + row * %lldll] = ", (long long)q->access.stride);
        write_operand(w, i, &q->in[0]);
        SAY(q->access.truth ? " != 0;\n" : ";\n");
        return;
    case AGNI_T_BATCH_SUM:
        SAY("            t_add_row_sum<%d>(sums + %d + u, ", w->lanes, q->dst_row);
        write_operand(w, i, &q->in[0]);
        SAY(", lane, n);\n");
        return;
    default:
        SAY("            const real v%d = %s(", i, function_name(q));
        for (int k = 0; k < q->nin; k++) {
            SAY(k ? ", " : "");
            write_operand(w, i, &q->in[k]);
        }
        SAY(");\n");
        write_kept(w, i);
    }
}

static void begin_units(writer *w, int64_t units)
{
    if (w->warps > 1)
        SAY("        for (int u = warp; u < %lld; u += %d) {\n", (long long)units, w->warps);
    else
        SAY("        for (int u = 0; u < %lld; u++) {\n", (long long)units);
}

static void close_loop(writer *w)
{
    if (w->first == w->end)
        return;
    begin_units(w, w->r->in[w->first].E);
    for (int32_t i = w->first; i < w->end; i++)
        write_by_row(w, i);
    SAY("        }\n");
    w->first = w->end;
    agni_row_hazards_clear(&w->loop);
}

/* ---- other instructions ---------------------------------------------------------------------- */

static void write_gather(writer *w, int32_t i)
{
    const agni_tile_instr *q = &w->r->in[i];
    const int32_t *pair = w->r->table + q->gather.pairs;
    begin_units(w, q->E);
    SAY("            const int from = ");
    write_place(w, i, "from", pair + 1, q->E, 2);
    SAY(";\n            ");
    write_row(w, q->dst, 0);
    SAY(" + ");
    write_place(w, i, "to", pair, q->E, 2);
    SAY(") * %d + lane] = from < 0 ? (real)0 : ", w->lanes);
    if (q->in[0].kind == AGNI_ON_TILE) {
        write_row(w, q->in[0].id, 0);
        SAY(" + from) * %d + lane];\n        }\n", w->lanes);
    } else {
        SAY("((const real *)a.array[%d])[from];\n        }\n", w->at->array + q->in[0].id);
    }
}

static void write_reduce(writer *w, const agni_tile_instr *q)
{
    long long inner = q->reduce.inner, count = q->reduce.count;
    begin_units(w, q->E);
    SAY("            const real *x = &");
    write_row(w, q->in[0].id, q->in[0].row);
    SAY(" + u / %lld * %lld + u %% %lld) * %d + lane];\n", inner, count * inner, inner, w->lanes);
    SAY("            real y = %s;\n", count ? "x[0]" : "0");
    SAY("            for (int k = 1; k < %lld; k++) y = %s(y, x[k * %lld]);\n            ", count,
        loop2_names[q->reduce.kernel], inner * w->lanes);
    write_row(w, q->dst, 0);
    SAY(" + u) * %d + lane] = y;\n        }\n", w->lanes);
}

static void write_products(writer *w, const agni_tile_instr *q)
{
    const agni_tile_product *p = agni_tile_products(w->r, q);
    const agni_packed_weights *k = &w->r->pack[q->product.pack];
    long long C = q->product.columns, J = q->product.J;
    for (int32_t i = 0; i < q->product.count; i++, p++) {
        begin_units(w, (J + AGNI_PRODUCT_ROWS - 1) / AGNI_PRODUCT_ROWS * C);
        SAY("            t_product<real, %d, %lld, %lld, %lld>(&", w->lanes,
            (long long)q->product.K, J, C);
        write_row(w, p->y, p->y_row);
        SAY(") * %d + lane], &", w->lanes);
        write_row(w, p->x, p->x_row);
        SAY(") * %d + lane], ", w->lanes);
        if (k->kept)
            SAY("(const real *)room + %lld", (long long)k->kept - 1);
        else
            SAY("(const real *)a.array[%d]", w->at->array + k->arr);
        const bool flat = k->kept && k->ldk < k->ldj; /* as it was copied */
        SAY(", %lldll, %lldll, u);\n        }\n",
            (long long)(!k->kept ? k->ldk : flat ? 1 : k->J),
            (long long)(!k->kept ? k->ldj : flat ? k->K : 1));
    }
}

static void write_batched(writer *w, const agni_tile_instr *q)
{
    begin_units(w, q->E);
    SAY("            t_batched_product<real, %d, %lld, %lld, %lld>(&", w->lanes,
        (long long)q->batched.I, (long long)q->batched.K, (long long)q->batched.J);
    write_row(w, q->dst, q->dst_row);
    SAY(") * %d + lane], &", w->lanes);
    write_row(w, q->in[0].id, q->in[0].row);
    SAY(") * %d + lane], &", w->lanes);
    write_row(w, q->in[1].id, q->in[1].row);
    SAY(") * %d + lane], u);\n        }\n", w->lanes);
}

static void write_outer(writer *w, const agni_tile_instr *q)
{
    const int32_t *p = w->r->table + q->outer.pairs;
    for (int32_t i = 0; i < q->outer.count; i++, p += 4) {
        SAY("        t_outer_product<real, %d, %lld, %lld>(sums + %d, &", w->lanes,
            (long long)q->outer.K, (long long)q->outer.J, q->dst_row);
        write_row(w, p[0], p[1]);
        SAY(") * %d], &", w->lanes);
        write_row(w, p[2], p[3]);
        SAY(") * %d], lane, n);\n", w->lanes);
    }
}

/* over lanes of several warps: barriers stand within */
static void write_block_sum(writer *w, const agni_tile_instr *q)
{
    SAY("        for (int u = 0; u < %d; u++)\n            t_add_block_sum(sums + %d + u, ", q->E,
        q->dst_row);
    write_row(w, q->in[0].id, 0);
    SAY(" + ");
    write_operand_row(w, &q->in[0]);
    SAY(") * %d + lane], n, part);\n", w->lanes);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static void write_barrier(writer *w)
{
    SAY("        __syncthreads();\n");
    agni_row_hazards_clear(&w->block);
    w->n_sum = 0;
}
/* another kind of instruction than this one added to the same accumulators since the last
   barrier */
static bool meets_sums(writer *w, const agni_tile_instr *q)
{
    if (q->op != AGNI_T_BATCH_SUM && q->op != AGNI_T_OUTER_PRODUCT)
        return false;
    for (int32_t k = 0; k < w->n_sum; k++)
        if (w->sum[k].at == q->dst_row)
            return w->sum[k].by != q->op;
    if (w->n_sum == MOST_SUMS)
        return true;
    w->sum[w->n_sum].at = q->dst_row;
    w->sum[w->n_sum++].by = q->op;
    return false;
}

static bool joins_loop(const writer *w, const agni_tile_instr *q)
{
    return w->first < w->end && agni_region_is_by_rows(q, w->lanes) &&
           w->r->in[w->first].E == q->E && !agni_row_hazards_meet(&w->loop, w->r, q);
}

static agn_status write_instruction(writer *w, int32_t i)
{
    const agni_tile_instr *q = &w->r->in[i];
    bool by_rows = agni_region_is_by_rows(q, w->lanes);
    bool wait = agni_row_hazards_meet(&w->block, w->r, q) || meets_sums(w, q);
    if (wait || !joins_loop(w, q))
        close_loop(w);
    if (wait) {
        write_barrier(w);
        (void)meets_sums(w, q);
    }
    agni_row_hazards_add(&w->block, w->r, q);
    if (by_rows) {
        w->first = w->first == w->end ? i : w->first;
        w->end = i + 1;
        agni_row_hazards_add(&w->loop, w->r, q);
        return AGN_OK;
    }
    w->first = w->end = i + 1;
    switch (q->op) {
    case AGNI_T_GATHER_ROWS:
        write_gather(w, i);
        break;
    case AGNI_T_REDUCE:
        write_reduce(w, q);
        break;
    case AGNI_T_PRODUCT:
        write_products(w, q);
        break;
    case AGNI_T_BATCHED_PRODUCT:
        write_batched(w, q);
        break;
    case AGNI_T_OUTER_PRODUCT:
        write_outer(w, q);
        break;
    case AGNI_T_BATCH_SUM:
        write_block_sum(w, q);
        break;
    default:
        return agni_fail(AGN_EUNSUPPORTED,
                         "compile: instruction %d of a region has no text (op %d)", i, q->op);
    }
    return AGN_OK;
}

/* Weights that a block keeps are copied once, as they lie in their array: the longer stride first. */
static void write_kept_weights(writer *w)
{
    SAY("static __device__ void keep(const region_arguments &a, unsigned char *room)\n{\n"
        "    (void)a, (void)room;\n");
    for (int32_t i = 0; i < w->r->n_pack; i++) {
        const agni_packed_weights *k = &w->r->pack[i];
        bool flat = k->ldk < k->ldj, again = false;
        for (int32_t j = 0; j < i; j++)
            again = again || (w->r->pack[j].kept == k->kept);
        if (!k->kept || again)
            continue;
        long long inner = flat ? k->K : k->J, by = flat ? k->ldj : k->ldk,
                  step = flat ? k->ldk : k->ldj;
        SAY("    for (int k = threadIdx.x; k < %lld; k += %d)\n"
            "        ((real *)room)[%lld + k] = ((const real *)a.array[%d])[k / %lld * %lldll"
            " + k %% %lld * %lldll];\n",
            (long long)(k->K * k->J), w->r->threads, (long long)k->kept - 1,
            w->at->array + k->arr, inner, by, inner, step);
    }
    SAY("}\n");
}

/* ---- the functions --------------------------------------------------------------------------- */

static void write_head(writer *w)
{
    const agni_region *r = w->r;
    SAY("typedef %s real;\n", r->dtype == AGN_F64 ? "double" : "float");
    write_tables(w);
    if (!r->acc)
        return;
    SAY("static __device__ void finish(const region_arguments &a, int k)\n{\n"
        "    const real s = t_total((const real *)((const char *)a.sums + %lld), %d, %lld, k);\n",
        (long long)w->at->sums, r->n_chunk, (long long)r->acc);
    for (int32_t i = 0; i < r->n_result; i++)
        SAY("    if (k >= %lld && k < %lld) ((real *)a.array[%d])[k - %lld] = s;\n",
            (long long)r->result[i].at, (long long)(r->result[i].at + r->result[i].n),
            w->at->array + r->result[i].arr, (long long)r->result[i].at);
    SAY("}\n");
}

static void write_begin(writer *w)
{
    const agni_region *r = w->r;
    write_kept_weights(w);
    SAY("static __device__ void run(const region_arguments &a, const int block, "
        "unsigned char *room, unsigned char *tile)\n{\n");
    SAY("    real *m = tile ? (real *)tile : (real *)room + %lld;\n", (long long)r->kept);
    if (w->warps == 1)
        SAY("    __shared__ real part[%d];\n", w->lanes / 32);
    SAY("    const int lane = threadIdx.x %% %d, warp = threadIdx.x / %d;\n"
        "    (void)warp, (void)m;\n",
        w->lanes, w->lanes);
    if (r->acc)
        SAY("    real *sums = (real *)((char *)a.sums + %lld) + block * %lldll;\n"
            "    for (int k = threadIdx.x; k < %lld; k += %d) sums[k] = 0;\n",
            (long long)w->at->sums, (long long)r->acc, (long long)r->acc, r->threads);
    SAY("    const long long end = t_least((block + 1) * %lldll, %lldll);\n"
        "    for (long long row0 = block * %lldll; row0 < end; row0 += %lld) {\n"
        "        const int n = (int)t_least(end - row0, %lldll);\n"
        "        const long long row = row0 + (lane < n ? lane : n - 1);\n"
        "        __syncthreads();\n",
        (long long)r->chunk, (long long)r->N, (long long)r->chunk, (long long)r->T,
        (long long)r->T);
}

/* bare: by buffer; NULL: all have memory. Where *bare is false at all buffers it becomes true at
   those that may go without; a second call with it, after places were given anew, leaves them
   out. */
agn_status agni_region_write_text(const agni_region *r, const agni_launch_member *at,
                                  agni_text *t, bool *bare)
{
    writer state = {.r = r,
                    .at = at,
                    .t = t,
                    .bare = bare,
                    .lanes = (int32_t)r->T,
                    .warps = (int32_t)(r->threads / r->T)},
           *w = &state;
    for (int32_t b = 0; bare && b < r->n_buf; b++)
        w->second = w->second || bare[b];
    bool made = agni_row_hazards_make(&w->block, (int32_t)r->rows, w->warps);
    made = agni_row_hazards_make(&w->loop, (int32_t)r->rows, 0) && made;
    agn_status st = made ? AGN_OK : agni_nomem("compile", (size_t)r->rows * sizeof(int32_t));
    if (!st) {
        write_head(w);
        write_begin(w);
    }
    for (int32_t i = 0; !st && i < r->n_in; i++)
        st = write_instruction(w, i);
    if (!st) {
        close_loop(w);
        SAY("    }\n}\n");
    }
    agni_row_hazards_free(&w->block);
    agni_row_hazards_free(&w->loop);
    if (!st && t->failed)
        st = agni_nomem("compile", t->cap);
    return !st && w->failed ? agni_fail(AGN_EUNSUPPORTED, "compile: loops of a region differ") : st;
}
