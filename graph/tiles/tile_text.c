/* graph/tiles/tile_text.c - tile programs as text, instruction by instruction. */
#include "graph/tiles/tile_text.h"

static const char *const map_names[] = {
#define NAME(name) #name,
    AGNI_VMAPS(NAME)};
static const char *const loop2_names[] = {AGNI_VLOOPS2(NAME)};
static const char *const loop3_names[] = {AGNI_VLOOPS3(NAME)};
#undef NAME
static const char *const tile_names[AGNI_T_COUNT] = {
    [AGNI_T_LOAD] = "load",
    [AGNI_T_STORE] = "store",
    [AGNI_T_LOAD_TRANSPOSED] = "take",
    [AGNI_T_STORE_TRANSPOSED] = "give",
    [AGNI_T_MAP] = "map",
    [AGNI_T_LOOP2] = "loop",
    [AGNI_T_LOOP3] = "loop",
    [AGNI_T_EAGER_LOOP] = "plain",
    [AGNI_T_GATHER_ROWS] = "rows",
    [AGNI_T_REDUCE] = "fold",
    [AGNI_T_PRODUCT] = "product",
    [AGNI_T_BATCHED_PRODUCT] = "batched product",
    [AGNI_T_OUTER_PRODUCT] = "outer",
    [AGNI_T_BATCH_SUM] = "row sum",
    [AGNI_T_CHAIN] = "chain",
};

static void say_operand(const agni_region *r, agni_text *t, const agni_tile_operand *o)
{
    if (o->kind == AGNI_ON_NUMBER)
        agni_text_append(t, " %g", r->num[o->id]);
    else
        agni_text_append(t, o->hop ? " %s%d[%d]%%%d+%d" : o->cycle ? " %s%d[%d]%%%d" : " %s%d[%d]",
                 o->kind == AGNI_ON_TILE ? "t" : "a", o->id, o->row, o->cycle, o->hop);
}

static void say_products(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_tile_product *p = agni_tile_products(r, q);
    agni_text_append(t, "    product %lldx%lld", (long long)q->product.K, (long long)q->product.J);
    for (int32_t k = 0; k < q->product.count; k++, p++) {
        agni_text_append(t, "%s t%d[%d] <- t%d[%d]", k ? "," : "", p->y, p->y_row, p->x, p->x_row);
        if (p->bias >= 0)
            agni_text_append(t, " + a%d[%d]", p->bias, p->bias_row);
    }
    agni_text_append(t, "\n");
}

/* neighbours of a row that are rows of one buffer as [first:many] */
static void say_transposed(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_transposed_run *s = agni_tile_runs(r, q);
    agni_text_append(t, "    %s a%d", tile_names[q->op], q->in[0].id);
    for (int32_t e = 0, n; e < q->E; e += n) {
        for (n = 1; n < s[e].run && s[e + n].buf == s[e].buf && s[e + n].row == s[e].row + n;)
            n++;
        agni_text_append(t, " [%d:%d] t%d[%d]", s[e].off, n, s[e].buf, s[e].row);
    }
    agni_text_append(t, "\n");
}

static void say_slot(const agni_region *r, agni_text *t, const agni_chain_slot *s)
{
    if (s->kind == AGNI_SLOT_NUMBER)
        agni_text_append(t, " %g", r->num[s->row]);
    else if (s->kind == AGNI_SLOT_UNIFORM)
        agni_text_append(t, " a%d[%d]", r->uniform[s->row].arr, r->uniform[s->row].row);
    else if (s->kind == AGNI_SLOT_SCRATCH)
        agni_text_append(t, " s%d", s->row);
    else if (s->kind == AGNI_SLOT_ARRAY)
        agni_text_append(t, " a%d", s->id);
    else if (s->kind == AGNI_SLOT_ROW_NUMBERS)
        agni_text_append(t, s->cycle ? " a%d[%d]%%%d" : " a%d[%d]", s->id, s->row, s->cycle);
    else
        agni_text_append(t, s->cycle ? " t%d[%d]%%%d" : " t%d[%d]", s->id, s->row, s->cycle);
}
static const char *const near_names[] = {
    [AGNI_VC_MUL] = "mul",   [AGNI_VC_ADD] = "add",   [AGNI_VC_SUB] = "sub",
    [AGNI_VC_FMA] = "fma",   [AGNI_VC_FNMA] = "fnma", [AGNI_VC_NEG] = "neg",
    [AGNI_VC_MULZ] = "mulz", [AGNI_VC_FMAZ] = "fmaz", [AGNI_VC_FMA_PRODUCT] = "fma of product",
    [AGNI_VC_DIV] = "div",   [AGNI_VC_MAGNITUDE] = "abs",   [AGNI_VC_EQ] = "eq",
    [AGNI_VC_WHERE] = "where", [AGNI_VC_LT] = "lt",  [AGNI_VC_GATE] = "gate"};
/* op and the operand that the step before hands on, by kind */
#define NEAR(name, op, sum, number, value) {AGNI_VC_##op, sum},
static const struct {
    uint8_t op, sum;
} row[] = {
#include "tensor/cpu/simd/fused_steps.def"
};
#undef NEAR
/* "_" is what a step hands to the next, or the next takes from it */
static void say_fused_step(const agni_region *r, agni_text *t, const agni_chain_slot *s,
                           const agni_chain_step *c, bool handed_on)
{
    const uint8_t in[] = {c->a, c->b, c->c};
    int op = row[c->kind].op, sum = row[c->kind].sum;
    bool three = op == AGNI_VC_FMA || op == AGNI_VC_FNMA || op == AGNI_VC_FMAZ ||
                 op == AGNI_VC_WHERE || op == AGNI_VC_GATE;
    int n = op == AGNI_VC_NEG || op == AGNI_VC_MAGNITUDE ? 1
            : op == AGNI_VC_FMA_PRODUCT                  ? 4
            : three                                      ? 3
                                                         : 2;
    agni_text_append(t, "        %s", near_names[op]);
    if (handed_on)
        agni_text_append(t, " _");
    else
        say_slot(r, t, &s[c->to]);
    for (int k = 0; k < n; k++)
        if (sum == (n == 4 ? k : k + 1)) /* a product's factors and its number stand before it */
            agni_text_append(t, " _");
        else
            say_slot(r, t, &s[in[k]]);
    agni_text_append(t, "\n");
}
static void say_chain(const agni_region *r, agni_text *t, const agni_tile_instr *q)
{
    const agni_chain_slot *s = agni_tile_slots(r, q);
    const agni_chain_step *c = r->step + q->chain.first_step;
    agni_text_append(t, "    chain of %d, rows %d\n", q->chain.n_step, q->E);
    for (int32_t k = 0; k < q->chain.n_step; k++, c++) {
        if (c->kind < AGNI_VC_MAP) {
            int next = k + 1 < q->chain.n_step && c[1].kind < AGNI_VC_MAP ? row[c[1].kind].sum : 0;
            say_fused_step(r, t, s, c, next != 0);
            continue;
        }
        const char *f = c->kind == AGNI_VC_MAP     ? map_names[c->f]
                        : c->kind == AGNI_VC_LOOP2 ? loop2_names[c->f]
                                                   : loop3_names[c->f];
        agni_text_append(t, "        %s", f);
        say_slot(r, t, &s[c->to]);
        say_slot(r, t, &s[c->a]);
        if (c->kind != AGNI_VC_MAP)
            say_slot(r, t, &s[c->b]);
        if (c->kind == AGNI_VC_LOOP3)
            say_slot(r, t, &s[c->c]);
        agni_text_append(t, "\n");
    }
}

void agni_tile_describe(const agni_region *r, agni_text *t)
{
    for (int32_t b = 0; b < r->n_buf; b++)
        if (r->buf[b].array)
            agni_text_append(t, "    t%d lies in a%d\n", b, r->buf[b].array - 1);
        else if (r->buf[b].inside)
            agni_text_append(t, "    t%d lies in t%d[%d]\n", b, r->buf[b].inside - 1,
                             r->buf[b].offset);
    for (int32_t i = 0; i < r->n_in; i++) {
        const agni_tile_instr *q = &r->in[i];
        if (q->op == AGNI_T_PRODUCT || q->op == AGNI_T_CHAIN) {
            (q->op == AGNI_T_PRODUCT ? say_products : say_chain)(r, t, q);
            continue;
        }
        if (q->op == AGNI_T_LOAD_TRANSPOSED || q->op == AGNI_T_STORE_TRANSPOSED) {
            say_transposed(r, t, q);
            continue;
        }
        const char *f = q->op == AGNI_T_MAP     ? map_names[q->elementwise.kernel]
                        : q->op == AGNI_T_LOOP2 ? loop2_names[q->elementwise.kernel]
                        : q->op == AGNI_T_LOOP3 ? loop3_names[q->elementwise.kernel]
                                                : "";
        agni_text_append(t, "    %s %s", tile_names[q->op], f);
        if (q->dst >= 0)
            agni_text_append(t, " t%d[%d]", q->dst, q->dst_row);
        else
            agni_text_append(t, " acc[%d]", q->dst_row);
        for (int k = 0; k < q->nin; k++)
            say_operand(r, t, &q->in[k]);
        if (q->op == AGNI_T_OUTER_PRODUCT)
            agni_text_append(t, " %lldx%lld", (long long)q->outer.K, (long long)q->outer.J);
        else
            agni_text_append(t, " rows %d", q->E);
        agni_text_append(t, "\n");
    }
}
