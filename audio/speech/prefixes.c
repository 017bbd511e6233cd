/* audio/speech/prefixes.c - search of prefixes (Graves & Jaitly 2014; Hannun et al. 2014): each
   prefix that is kept knows
   the probabilities of its paths that end in blank and in its last label. Prefixes are nodes of a
   tree, one for each. */
#include "audio/speech/speech.h"
#include "tensor/dispatch/host_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct prefix {
    int32_t label;
    int64_t parent, child, sibling; /* -1: none */
} prefix;

typedef struct beam {
    int64_t node;
    double blank, label; /* logarithms: paths that end in blank, in the last label */
} beam;

typedef struct candidate {
    double total;
    int64_t order; /* ties go to what was found first */
    int64_t node, parent;
    int32_t label_of;
    double blank, label;
} candidate;

static double add_logs(double a, double b)
{
    double most = a > b ? a : b, least = a > b ? b : a;
    return most == -(double)INFINITY ? most : most + log1p(exp(least - most));
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* the child of a node with a label, made where there is none */
static int64_t find_child(prefix *tree, int64_t *nodes, int64_t parent, int32_t label)
{
    for (int64_t k = tree[parent].child; k >= 0; k = tree[k].sibling)
        if (tree[k].label == label)
            return k;
    int64_t k = (*nodes)++;
    tree[k] = (prefix){label, parent, -1, tree[parent].child};
    tree[parent].child = k;
    return k;
}

typedef struct search {
    prefix *tree;
    beam *kept;
    candidate *found;
    int32_t *slot;  /* [width, classes]: candidate of a kept child of a kept prefix, or -1 */
    int64_t *place; /* of each node among those kept, or -1 */
    int64_t nodes, count, width, classes;
} search;

/* one frame: what stays, what is one label longer, and the best of all */
static void step_search(search *q, const double *x, int32_t blank)
{
    int64_t n = q->count, found = n;
    for (int64_t i = 0; i < n * q->classes; i++)
        q->slot[i] = -1;
    for (int64_t i = 0; i < n; i++)
        q->place[q->kept[i].node] = i;
    for (int64_t i = 0; i < n; i++) {
        const beam *b = &q->kept[i];
        const prefix *p = &q->tree[b->node];
        candidate *c = &q->found[i];
        *c = (candidate){.order = i, .node = b->node, .parent = -1};
        c->blank = add_logs(b->blank, b->label) + x[blank];
        c->label = p->label >= 0 ? b->label + x[p->label] : -(double)INFINITY;
        if (p->parent >= 0 && q->place[p->parent] >= 0)
            q->slot[q->place[p->parent] * q->classes + p->label] = (int32_t)i;
    }
    for (int64_t i = 0; i < n; i++) {
        const beam *b = &q->kept[i];
        double all = add_logs(b->blank, b->label);
        for (int32_t k = 0; k < q->classes; k++) {
            if (k == blank)
                continue;
            double total = (k == q->tree[b->node].label ? b->blank : all) + x[k];
            int32_t slot = q->slot[i * q->classes + k];
            if (slot >= 0) {
                q->found[slot].label = add_logs(q->found[slot].label, total);
            } else if (total > -(double)INFINITY) {
                q->found[found] = (candidate){.order = found,
                                              .node = -1,
                                              .parent = b->node,
                                              .label_of = k,
                                              .blank = -(double)INFINITY,
                                              .label = total};
                found++;
            }
        }
    }
    for (int64_t i = 0; i < n; i++)
        q->place[q->kept[i].node] = -1;
    for (int64_t i = 0; i < found; i++)
        q->found[i].total = add_logs(q->found[i].blank, q->found[i].label);
    qsort(q->found, (size_t)found, sizeof *q->found, compare_candidates);
    q->count = found < q->width ? found : q->width;
    for (int64_t i = 0; i < q->count; i++) {
        const candidate *c = &q->found[i];
        int64_t node = c->node >= 0 ? c->node
                                    : find_child(q->tree, &q->nodes, c->parent, c->label_of);
        q->kept[i] = (beam){node, c->blank, c->label};
    }
}

/* labels of a node from the first on, in v; how many */
static int64_t read_prefix(int64_t *v, const search *q, int64_t node)
{
    int64_t n = 0;
    for (int64_t k = node; k > 0; k = q->tree[k].parent)
        n++;
    for (int64_t k = node, i = n; k > 0; k = q->tree[k].parent)
        v[--i] = q->tree[k].label;
    return n;
}

static agn_status start_search(search *q, const char *op, int64_t frames, int64_t classes,
                               int64_t width)
{
    int64_t nodes = frames * width + 1, found = width + width * classes;
    size_t sizes[] = {(size_t)nodes * sizeof(prefix), (size_t)width * sizeof(beam),
                      (size_t)found * sizeof(candidate), (size_t)nodes * sizeof(int64_t),
                      (size_t)(width * classes) * sizeof(int32_t)};
    size_t size = sizes[0] + sizes[1] + sizes[2] + sizes[3] + sizes[4];
    char *room = agni_alloc(size);
    if (!room)
        return agni_nomem(op, size);
    *q = (search){
        .tree = (prefix *)(void *)room, .width = width, .classes = classes, .nodes = 1, .count = 1};
    q->kept = (beam *)(void *)(room + sizes[0]);
    q->found = (candidate *)(void *)(room + sizes[0] + sizes[1]);
    q->place = (int64_t *)(void *)(room + sizes[0] + sizes[1] + sizes[2]);
    q->slot = (int32_t *)(void *)(room + sizes[0] + sizes[1] + sizes[2] + sizes[3]);
    q->tree[0] = (prefix){-1, -1, -1, -1};
    q->kept[0] = (beam){0, 0, -(double)INFINITY};
    for (int64_t i = 0; i < nodes; i++)
        q->place[i] = -1;
    return AGN_OK;
}

agn_status agn_audio_ctc_decode(agn_tensor **out, agn_tensor **score, const agn_tensor *x,
                                int32_t width, int32_t blank)
{
    agni_host_call h;
    if (agni_host_call_begin(&h, "audio_ctc_decode", 1, (const agn_tensor *[]){x})) {
        agn_status st = h.st ? h.st : agn_audio_ctc_decode(out ? &h.y[0] : NULL,
                                                           score ? &h.y[1] : NULL, h.in[0], width,
                                                           blank);
        return agni_host_call_end(&h, st, 2, (agn_tensor * *[]){out, score});
    }
    static const char op[] = "audio_ctc_decode";
    agn_tensor *rows = NULL, *labels = NULL, *value = NULL;
    const double *v = NULL;
    search q = {.nodes = 0};
    AGNI_NEED(op, out);
    AGNI_NEED(op, score);
    AGNI_NEED(op, x);
    if (width < 1 || width > 4096)
        return agni_fail(AGN_EARG, "%s: a width of %d for x %s; it is 1 to 4096", op, width,
                         AGNI_SHAPE(x));
    agn_status st = agni_emissions_read(&rows, &v, op, x, blank);
    if (st)
        return st;
    int64_t frames = x->shape[0], classes = x->shape[1];
    st = start_search(&q, op, frames, classes, width);
    if (st) {
        agn_release(rows);
        return st;
    }
    for (int64_t t = 0; t < frames; t++)
        step_search(&q, v + t * classes, blank);
    double total = add_logs(q.kept[0].blank, q.kept[0].label);
    if (total == -(double)INFINITY)
        st = agni_fail(AGN_EDOMAIN, "%s: no labels are possible in x %s", op, AGNI_SHAPE(x));
    size_t size = (size_t)(frames + 1) * sizeof(int64_t);
    int64_t *found = st ? NULL : agni_alloc(size);
    if (!st && !found)
        st = agni_nomem(op, size);
    if (!st) {
        int64_t n = read_prefix(found, &q, q.kept[0].node);
        st = agn_from_host(&labels, AGN_I64, 1, &n, found);
    }
    if (!st)
        st = agn_from_host(&value, AGN_F64, 0, NULL, &total);
    agni_free(found);
    agni_free(q.tree);
    agn_release(rows);
    if (st) {
        agn_release(labels);
        return st;
    }
    *out = labels;
    *score = value;
    return AGN_OK;
}
