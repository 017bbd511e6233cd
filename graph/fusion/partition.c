/* graph/fusion/partition.c - fusion partition: which nodes run on tiles, along which axis, in which
   stage. */
#include "graph/fusion/tile_forms.h"

#include <string.h>

enum { MIN_ROWS = 16, MIN_LANES = 8, MAX_GROUPS = AGNI_GROUPS - AGNI_MAX_COALESCED };

/* ---- extents --------------------------------------------------------------------------------- */

/* what a region begins with: arguments, constants, random numbers, and what is cut or picked out of
   arrays */
static bool begins_region(const agni_ir *ir, int32_t v)
{
    int k = ir->val[v].node;
    return ir->val[v].input >= 0 || ir->val[v].constant ||
           (k >= 0 && (ir->node[k].op == &agni_op_slice || ir->node[k].op == &agni_op_gather ||
                       ir->node[k].op->cls == AGNI_RANDOM));
}

/* By value: is it what a product multiplies with weights, and no weight itself? Its rows are then
   points. NULL: no memory */
static bool *find_points(const agni_ir *ir)
{
    bool *points = agni_zalloc((size_t)ir->n_val + 1);
    for (int side = 0; points && side < 2; side++)
        for (int k = 0; k < ir->n_node; k++) {
            int32_t v = ir->node[k].op == &agni_op_matmul ? agni_node_arg(ir, &ir->node[k], side)
                                                          : -1;
            if (v >= 0)
                points[v] = side == 0 && ir->val[v].t->ndim == 2;
        }
    return points;
}

/* Is extent x tried before y? Of a device axes of points are first, so that networks over fewer
   points than they are wide are cut along these, not along their width. */
static bool comes_first(bool points_x, const agni_extent *x, bool points_y, const agni_extent *y)
{
    return points_x != points_y ? points_x : x->n > y->n;
}

static void list_extents(agni_partition *c, const agni_ir *ir)
{
    bool points[MAX_GROUPS] = {false};
    bool *found = c->device ? find_points(ir) : NULL; /* NULL on a device: slower, not wrong */
    for (int v = 0; v < ir->n_val; v++) {
        const agn_tensor *t = ir->val[v].t;
        bool array = begins_region(ir, v);
        if (!array || !t->size || t->ndim < 1 || t->shape[0] < (c->device ? MIN_LANES : MIN_ROWS) ||
            (t->dtype != AGN_F32 && t->dtype != AGN_F64))
            continue;
        agni_extent now = {t->shape[0], t->dtype, false};
        bool own = found && found[v];
        int g = 0;
        while (g < c->n_group && (c->extent[g].n != now.n || c->extent[g].dtype != now.dtype))
            g++;
        if (g < c->n_group && (points[g] || !own))
            continue;
        if (g == c->n_group) {
            if (g == MAX_GROUPS && !comes_first(own, &now, points[g - 1], &c->extent[g - 1]))
                continue;
            g = g == MAX_GROUPS ? g - 1 : c->n_group++;
        }
        for (; g > 0 && comes_first(own, &now, points[g - 1], &c->extent[g - 1]); g--) {
            c->extent[g] = c->extent[g - 1];
            points[g] = points[g - 1];
        }
        c->extent[g] = now;
        points[g] = own;
    }
    agni_free(found);
    for (int i = 0; i < ir->n_merged; i++)
        c->extent[c->n_group++] = ir->merged[i];
}

static void exclude_node(agni_partition *c, const agni_ir *ir, int k)
{
    c->mode[k] = AGNI_WHOLE;
    c->group[k] = -1;
    c->axis[ir->node[k].val] = -1;
}

static int32_t find_root(int32_t *up, int32_t k)
{
    while (up[k] != k)
        k = up[k] = up[up[k]];
    return k;
}

/* Tiles keep the batch innermost: loads and stores transpose, which numbers that stay within the
   tile must pay for. Nodes connected by tile values are accepted or excluded together
   (union-find). A row of one number is not transposed and costs nothing. Where the batch is the
   last axis rows are copied, not transposed, which costs less. */
static void exclude_unprofitable_groups(agni_partition *c, const agni_ir *ir, int g)
{
    enum { CHUNK = 256 }; /* rows that share an accumulator, about */
    bool last = c->extent[g].last;
    int64_t N = c->extent[g].n,
            *gain = agni_zalloc((size_t)(ir->n_node + 1) * sizeof *gain);
    int32_t *up = agni_alloc((size_t)(ir->n_node + 1) * sizeof *up);
    int32_t *seen = agni_alloc((size_t)(ir->n_val + 1) * sizeof *seen);
    bool *outside = agni_zalloc((size_t)ir->n_val + 1);
    bool ok = gain && up && seen && outside; /* else slower, not wrong */
    for (int v = 0; ok && v < ir->n_val; v++)
        seen[v] = -1;
    for (int k = 0; ok && k < ir->n_node; k++) {
        up[k] = k;
        for (int i = 0; i < ir->node[k].nin; i++) {
            int32_t v = agni_node_arg(ir, &ir->node[k], i), from = ir->val[v].node;
            if (from < 0 || c->group[from] != g)
                continue;
            if (c->group[k] == g && c->mode[from] == AGNI_TILE)
                up[find_root(up, from)] = find_root(up, k);
            else
                outside[v] = true;
        }
    }
    for (int i = 0; ok && i < ir->n_out; i++)
        outside[ir->out[i]] = true;
    for (int k = 0; ok && k < ir->n_node; k++) {
        const agni_pnode *n = &ir->node[k];
        int64_t size = ir->val[n->val].t->size, *sum = &gain[find_root(up, k)];
        if (c->group[k] != g)
            continue;
        if (c->mode[k] == AGNI_REDUCE)
            *sum -= size * ((N + CHUNK - 1) / CHUNK);
        else if (!outside[n->val])
            *sum += size;
        else if (size > N)
            *sum -= last ? size / 4 : size;
        agni_op_tile_form f = agni_tile_form(c, ir, g, k);
        for (int i = 0; i < n->nin && i < AGNI_COUNT(f.in_axis); i++) {
            int32_t v = agni_node_arg(ir, n, i), root = find_root(up, k);
            if (c->axis[v] >= 0 || f.in_axis[i] < 0 || seen[v] == root)
                continue;
            seen[v] = root;
            if (ir->val[v].t->size > N)
                *sum -= last ? ir->val[v].t->size / 4 : ir->val[v].t->size;
        }
    }
    for (int k = 0; ok && k < ir->n_node; k++)
        if (c->group[k] == g && gain[find_root(up, k)] < last)
            exclude_node(c, ir, k);
    agni_free(gain);
    agni_free(up);
    agni_free(seen);
    agni_free(outside);
}

/* A permutation or reshape that no node of the group reads, nor the caller, is a view of its
   operand as a whole array: a tile would store both. */
static void exclude_outer_views(agni_partition *c, const agni_ir *ir, int g)
{
    bool *within = agni_zalloc((size_t)ir->n_val + 1);
    if (!within)
        return; /* slower, not wrong */
    for (int i = 0; i < ir->n_out; i++)
        within[ir->out[i]] = true;
    for (int k = ir->n_node - 1; k >= 0; k--) {
        const agni_pnode *n = &ir->node[k];
        if (c->group[k] != g)
            continue;
        int32_t x = n->nin ? agni_node_arg(ir, n, 0) : -1;
        if ((n->op == &agni_op_permute || n->op == &agni_op_reshape) && !within[n->val] &&
            c->axis[x] >= 0) {
            exclude_node(c, ir, k);
            continue;
        }
        for (int i = 0; i < n->nin; i++)
            within[agni_node_arg(ir, n, i)] = true;
    }
    agni_free(within);
}

/* marks the nodes of a group; nothing if they are too few to gain */
static void accept_group(agni_partition *c, const agni_ir *ir, int g)
{
    int many = 0;
    bool product = false;
    for (int k = 0; k < ir->n_node; k++) {
        if (c->mode[k] != AGNI_WHOLE)
            continue;
        agni_op_tile_form f = agni_tile_form(c, ir, g, k);
        if (f.mode == AGNI_WHOLE)
            continue;
        c->mode[k] = (uint8_t)f.mode;
        c->group[k] = (int8_t)g;
        c->axis[ir->node[k].val] = (int8_t)f.axis;
        many += ir->node[k].op->ew >= 0 || agni_tile_reduction(ir->node[k].op) >= 0;
        product |= ir->node[k].op == &agni_op_matmul;
    }
    bool pays = c->device ? many > 1 : many >= AGNI_MIN_NODES && c->extent[g].n >= AGNI_WIDE_ROWS;
    if (pays || (product && many)) {
        exclude_outer_views(c, ir, g);
        if (!c->device)
            exclude_unprofitable_groups(c, ir, g);
        return;
    }
    for (int k = 0; k < ir->n_node; k++)
        if (c->group[k] == g)
            exclude_node(c, ir, k);
}

/* ---- stages ---------------------------------------------------------------------------------- */

/* Values of the two stages before are recomputed, values of earlier stages are stored and read:
   else a program of many sums, each of which needs the one before (normalised layers), would
   take the square of their number in time. */
static bool is_materialised(int32_t stage, int32_t now)
{
    enum { AGAIN = 3 };
    return stage / AGAIN != now / AGAIN;
}

/* A truth value that later stages alone read is found again from the numbers it compares, where
   these are stored anyway. */
static void recompute_truth_values(agni_partition *c, const agni_ir *ir)
{
    bool *needed = agni_zalloc((size_t)ir->n_val + 1); /* as an array */
    if (!needed)
        return; /* slower, not wrong */
    for (int i = 0; i < ir->n_out; i++)
        needed[ir->out[i]] = true;
    for (int k = 0; k < ir->n_node; k++)
        for (int i = 0; i < ir->node[k].nin; i++) {
            int32_t v = agni_node_arg(ir, &ir->node[k], i);
            needed[v] |= c->axis[v] >= 0 && c->group[ir->val[v].node] != c->group[k];
        }
    for (int k = 0; k < ir->n_node; k++) {
        const agni_pnode *n = &ir->node[k];
        bool again = c->mode[k] == AGNI_TILE && n->op->ew >= 0 && !needed[n->val] &&
                     ir->val[n->val].t->dtype == AGN_BOOL;
        for (int i = 0; again && i < n->nin; i++) {
            int32_t u = agni_node_arg(ir, n, i);
            again = c->axis[u] < 0 || c->stored[u];
        }
        if (again)
            c->stored[n->val] = false;
    }
    agni_free(needed);
}

static void assign_stages(agni_partition *c, const agni_ir *ir)
{
    memset(c->stage, 0, (size_t)ir->n_val * sizeof *c->stage);
    memset(c->stored, 0, (size_t)ir->n_val * sizeof *c->stored);
    c->stages = 0;
    for (int k = 0; k < ir->n_node; k++) {
        const agni_pnode *n = &ir->node[k];
        int32_t stage = 0;
        for (int i = 0; i < n->nin; i++) {
            int32_t v = agni_node_arg(ir, n, i), l = c->stage[v];
            int from = ir->val[v].node;
            bool tile = c->axis[v] >= 0;
            if (tile && (c->mode[k] == AGNI_WHOLE || c->group[from] != c->group[k])) {
                c->stored[v] = true;
                l++;
            }
            stage = l > stage ? l : stage;
        }
        c->at[k] = stage;
        for (int i = 0; i < n->nin && c->mode[k] != AGNI_WHOLE; i++) {
            int32_t v = agni_node_arg(ir, n, i);
            if (c->axis[v] >= 0 && is_materialised(c->stage[v], stage))
                c->stored[v] = true;
        }
        for (int o = 0; o < n->nout; o++)
            c->stage[n->val + o] = stage +
                                   (c->mode[k] == AGNI_REDUCE && n->op != &agni_op_add);
        if (stage + 1 > c->stages)
            c->stages = stage + 1;
    }
    for (int i = 0; i < ir->n_out; i++)
        if (c->axis[ir->out[i]] >= 0)
            c->stored[ir->out[i]] = true;
    recompute_truth_values(c, ir);
}

/* Each stage looks at all nodes: of very many, the last run on whole arrays. */
static void exclude_late_stages(agni_partition *c, const agni_ir *ir)
{
    enum { LOOKS = 3000000, LEAST = 16 };
    const int most = LOOKS / (ir->n_node + 1) > LEAST ? LOOKS / (ir->n_node + 1) : LEAST;
    for (int k = 0; k < ir->n_node; k++)
        if (c->mode[k] != AGNI_WHOLE && c->at[k] >= most)
            exclude_node(c, ir, k);
}

/* A sum of two sums over the batch is one: both add to the same accumulators. */
static void merge_batch_sums(agni_partition *c, const agni_ir *ir)
{
    int32_t *uses = agni_zalloc((size_t)(ir->n_val + 1) * sizeof *uses);
    if (!uses)
        return; /* slower, not wrong */
    for (int k = 0; k < ir->n_node; k++)
        for (int i = 0; i < ir->node[k].nin; i++)
            uses[agni_node_arg(ir, &ir->node[k], i)]++;
    for (int i = 0; i < ir->n_out; i++)
        uses[ir->out[i]]++;
    for (int k = 0; k < ir->n_node; k++) {
        const agni_pnode *n = &ir->node[k];
        if (n->op != &agni_op_add || c->mode[k] != AGNI_WHOLE)
            continue;
        int32_t a = agni_node_arg(ir, n, 0), b = agni_node_arg(ir, n, 1);
        int ka = ir->val[a].node, kb = ir->val[b].node;
        if (a == b || ka < 0 || kb < 0 || uses[a] != 1 || uses[b] != 1 ||
            c->mode[ka] != AGNI_REDUCE || c->mode[kb] != AGNI_REDUCE ||
            c->group[ka] != c->group[kb] || c->stage[a] != c->stage[b] ||
            !agni_same_shape(ir->val[a].t, ir->val[b].t) ||
            !agni_same_shape(ir->val[a].t, ir->val[n->val].t))
            continue;
        c->mode[k] = AGNI_REDUCE;
        c->group[k] = c->group[ka];
    }
    agni_free(uses);
}

/* Groups that came later may have put apart what was merged before: such sums are added as they
   are. */
static bool split_batch_sums(agni_partition *c, const agni_ir *ir)
{
    bool any = false;
    for (int k = 0; k < ir->n_node; k++) {
        const agni_pnode *n = &ir->node[k];
        if (n->op != &agni_op_add || c->mode[k] != AGNI_REDUCE)
            continue;
        int32_t a = agni_node_arg(ir, n, 0), b = agni_node_arg(ir, n, 1);
        int ka = ir->val[a].node, kb = ir->val[b].node;
        if (c->mode[ka] == AGNI_REDUCE && c->mode[kb] == AGNI_REDUCE &&
            c->group[ka] == c->group[k] && c->group[kb] == c->group[k] &&
            c->stage[a] == c->stage[b])
            continue;
        exclude_node(c, ir, k);
        any = true;
    }
    return any;
}

void agni_partition_free(agni_partition *c)
{
    if (!c)
        return;
    agni_free(c->mode);
    agni_free(c->at);
    agni_free(c->axis);
    agni_free(c->group);
    agni_free(c->stage);
    agni_free(c->stored);
    agni_free(c->kept);
    agni_free(c);
}

agn_status agni_partition_make(agni_partition **out, const agni_ir *ir, bool tiles, bool device)
{
    agni_partition *c = agni_zalloc(sizeof *c);
    size_t nn = (size_t)ir->n_node + 1, nv = (size_t)ir->n_val + 1;
    if (c) {
        c->mode = agni_zalloc(nn);
        c->at = agni_zalloc(nn * sizeof *c->at);
        c->axis = agni_alloc(nv);
        c->group = agni_alloc(nn);
        c->stage = agni_zalloc(nv * sizeof *c->stage);
        c->stored = agni_zalloc(nv * sizeof *c->stored);
        c->kept = agni_zalloc(nv * sizeof *c->kept);
    }
    if (!c || !c->mode || !c->at || !c->axis || !c->group || !c->stage || !c->stored || !c->kept) {
        agni_partition_free(c);
        return agni_nomem("compile", nv * sizeof *c->stage);
    }
    c->device = device;
    memset(c->axis, -1, nv);
    memset(c->group, -1, nn);
    if (tiles) {
        list_extents(c, ir);
        for (int g = 0; g < c->n_group; g++) {
            accept_group(c, ir, g);
            assign_stages(c, ir);
            merge_batch_sums(c, ir);
        }
        exclude_late_stages(c, ir);
    }
    do
        assign_stages(c, ir);
    while (split_batch_sums(c, ir));
    if (!device)
        agni_partition_keep_values(c, ir);
    *out = c;
    return AGN_OK;
}
