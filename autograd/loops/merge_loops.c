/* merge_loops.c - loop fusion: two loops over the same steps as one. Carried values are equal at
   every step if their initial values are, and if equal values before a step give equal values
   after it. The coarsest such classes are found by partition refinement (Hopcroft 1971), from
   equal initial values. The values after a step are compared by tracing both bodies into one
   program with CSE. A loop all of whose carried values another one carries adds at most its
   results to that one. */
#include "autograd/loops/scan.h"

#include <string.h>

/* Carried values are numbered: those of wide, then those of narrow. */
typedef struct loop_pair {
    agni_scan wide, narrow;
    const int32_t *wide_arg, *narrow_arg; /* argument values of the two nodes */
    int *first;                           /* representative of the class of a carried value */
    int *input;   /* of narrow's arrays and constants: which inputs of wide's body they are */
    int *pick;    /* of what both steps give, in this order: what the traced one does */
    int n_pick;
} loop_pair;

static int count_carried(const loop_pair *q)
{
    return q->wide.nc + q->narrow.nc;
}

static int count_both_results(const loop_pair *q)
{
    return q->wide.p->n_out + q->narrow.p->n_out;
}

/* the number of a carried value among the results of both steps */
static int carried_result(const loop_pair *q, int c)
{
    return c < q->wide.nc ? c : q->wide.p->n_out + c - q->wide.nc;
}

static bool have_same_steps(const agni_scan *a, const agni_scan *b)
{
    return a->open == b->open && a->length == b->length && a->reverse == b->reverse;
}

/* an argument of either loop, and how its body was traced */
typedef struct traced_argument {
    int32_t value;
    bool weak;
} traced_argument;
static traced_argument wide_argument(const loop_pair *q, int i)
{
    return (traced_argument){q->wide_arg[i], q->wide.p->val[i]->weak};
}
static traced_argument narrow_argument(const loop_pair *q, int i)
{
    return (traced_argument){q->narrow_arg[i], q->narrow.p->val[i]->weak};
}
static traced_argument carried_argument(const loop_pair *q, int c)
{
    return c < q->wide.nc ? wide_argument(q, c) : narrow_argument(q, c - q->wide.nc);
}
static bool is_same_argument(traced_argument a, traced_argument b)
{
    return a.value == b.value && a.weak == b.weak;
}

/* initial classes by initial values; maps narrow's arrays and constants to inputs of wide */
static bool init_classes(loop_pair *q)
{
    const agni_scan *w = &q->wide, *n = &q->narrow;
    for (int c = 0; c < count_carried(q); c++) {
        int k = 0;
        while (!is_same_argument(carried_argument(q, k), carried_argument(q, c)))
            k++;
        if (c >= w->nc && k >= w->nc)
            return false;
        q->first[c] = k;
    }
    for (int i = n->nc; i < n->p->n_in; i++) {
        bool slices = i < n->nc + n->nx;
        int at = slices ? w->nc : w->nc + w->nx, end = slices ? w->nc + w->nx : w->p->n_in;
        while (at < end && !is_same_argument(wide_argument(q, at), narrow_argument(q, i)))
            at++;
        if (at == end)
            return false;
        q->input[i] = at;
    }
    return true;
}

/* ---- one program of both --------------------------------------------------------------------- */

static bool is_same_literal(const agn_tensor *a, const agn_tensor *b)
{
    bool plain = !a->ndim && !b->ndim && a->weak && b->weak && a->dtype == b->dtype && a->st &&
                 b->st && a->st->device == AGN_CPU && b->st->device == AGN_CPU;
    return plain && !memcmp(a->data, b->data, (size_t)agni_dtypes[a->dtype].bytes);
}

/* Replays p with its literals replaced by equal ones of wide's body, so that CSE finds them.
   Valid here only: elsewhere two equal arguments may have different derivatives. */
static agn_status replay_sharing_literals(const loop_pair *q, const agni_prog *p, agn_scope *s,
                                          const agn_tensor *const *in, const agn_tensor **out)
{
    const agni_prog *w = q->wide.p;
    const agn_tensor **put = agni_zalloc((size_t)(p->n_val + 1) * sizeof *put);
    if (!put)
        return agn_scope_fail(s, agni_nomem("compile", (size_t)p->n_val * sizeof *put));
    for (int i = p->n_in; i < p->n_in + p->n_cap; i++)
        for (int k = w->n_in; k < w->n_in + w->n_cap && !put[i]; k++)
            if (is_same_literal(p->val[i], w->val[k]))
                put[i] = w->val[k];
    agn_status st = agni_prog_replay_from(p, s, in, put, out, NULL);
    agni_free(put);
    return st;
}

/* in: the inputs of wide's body, then narrow's carried values where they are compared */
static agn_status both_steps_body(void *user, agn_scope *s, const agn_tensor *const *in,
                                  const agn_tensor **out)
{
    const loop_pair *q = user;
    const agni_prog *w = q->wide.p, *n = q->narrow.p;
    size_t room = (size_t)(w->n_in + n->n_in + count_both_results(q) + 1);
    const agn_tensor **x = agni_zalloc(room * sizeof *x);
    if (!x)
        return agn_scope_fail(s, agni_nomem("compile", room * sizeof *x));
    const agn_tensor **z = x + w->n_in, **y = z + n->n_in;
    for (int i = 0; i < w->n_in; i++)
        x[i] = in[i < q->wide.nc ? q->first[i] : i];
    for (int i = 0; i < n->n_in; i++) {
        int c = i < q->narrow.nc ? q->first[q->wide.nc + i] : -1;
        z[i] = in[c < 0 ? q->input[i] : c < q->wide.nc ? c : w->n_in + c - q->wide.nc];
    }
    if (!replay_sharing_literals(q, w, s, x, y) &&
        !replay_sharing_literals(q, n, s, z, y + w->n_out))
        for (int i = 0; i < q->n_pick; i++)
            out[i] = y[q->pick[i]];
    agni_free(x);
    return agn_scope_status(s);
}

static agn_status trace_both_steps(agni_prog **p, const loop_pair *q, bool narrow_carries)
{
    const agni_prog *w = q->wide.p, *n = q->narrow.p;
    int n_in = w->n_in + (narrow_carries ? q->narrow.nc : 0);
    const agn_tensor **in = agni_alloc((size_t)(n_in + 1) * sizeof *in);
    uint64_t first;
    if (!in)
        return agni_nomem("compile", (size_t)n_in * sizeof *in);
    for (int i = 0; i < n_in; i++)
        in[i] = i < w->n_in ? w->val[i] : n->val[i - w->n_in];
    agn_status st = agni_trace_body(p, &first, both_steps_body, (void *)(uintptr_t)q, n_in, in,
                                    q->n_pick, true);
    agni_free(in);
    return st;
}

/* one refinement of the classes by p, a step; did any split? */
static bool split_classes(loop_pair *q, const agni_prog *p, int *before)
{
    bool any = false;
    memcpy(before, q->first, (size_t)count_carried(q) * sizeof *before);
    for (int c = 0; c < count_carried(q); c++) {
        int k = 0;
        while (before[k] != before[c] ||
               p->out[carried_result(q, k)] != p->out[carried_result(q, c)])
            k++;
        q->first[c] = k;
        any |= k != before[c];
    }
    return any;
}

static bool is_all_carried(const loop_pair *q)
{
    for (int c = q->wide.nc; c < count_carried(q); c++)
        if (q->first[c] >= q->wide.nc)
            return false;
    return true;
}

/* the results of narrow among those of p; its own are appended to wide's */
static void find_results(loop_pair *q, const agni_prog *p, int32_t *result)
{
    int nw = q->wide.p->n_out;
    q->n_pick = nw;
    for (int o = 0; o < q->narrow.p->n_out; o++) {
        int k = q->wide.nc;
        while (k < q->n_pick && p->out[q->pick[k]] != p->out[nw + o])
            k++;
        if (o < q->narrow.nc)
            k = q->first[q->wide.nc + o];
        else if (k == q->n_pick)
            q->pick[q->n_pick++] = nw + o;
        result[o] = k;
    }
}

/* the attributes of a loop whose body is that of wide and what was picked */
static agn_status make_merged_loop(agni_attr **at, const loop_pair *q, const agni_use *wide,
                                   const agni_use *narrow)
{
    agni_prog *traced = NULL, *p = NULL;
    const agn_tensor **extra = NULL;
    agni_obj *loop = NULL;
    int n_extra = 0;
    agn_status st = trace_both_steps(&traced, q, false);
    st = st ? st : agni_prog_store(&p, traced, &n_extra, &extra);
    if (!st && n_extra == 0 &&
        !(loop = agni_loop_new(p, (agni_obj *[]){wide->at->obj, narrow->at->obj})))
        st = agni_nomem("compile", sizeof *p);
    if (loop) {
        p = NULL; /* the loop's */
        int64_t ints[8];
        memcpy(ints, wide->at->i, (size_t)wide->at->ni * sizeof *ints);
        ints[2] += q->n_pick - q->wide.p->n_out;
        *at = agni_attr_keep(&(agni_attr){.ni = wide->at->ni, .i = ints, .obj = loop});
        if (!*at)
            st = agni_nomem("compile", sizeof **at);
        agni_obj_release(loop);
    }
    agni_prog_release(traced);
    agni_prog_release(p);
    agni_free(extra);
    return st;
}

agn_status agni_merge_loops(const agni_use *wide, const agni_use *narrow, agni_attr **at, int *nout,
                            int32_t *result)
{
    loop_pair q = {.wide = agni_scan_describe(wide->op, wide->at, wide->nin),
                   .narrow = agni_scan_describe(narrow->op, narrow->at, narrow->nin),
                   .wide_arg = wide->arg,
                   .narrow_arg = narrow->arg};
    if (!have_same_steps(&q.wide, &q.narrow) || q.narrow.nc > q.wide.nc)
        return AGN_OK;
    int nc = count_carried(&q), no = count_both_results(&q);
    size_t room = (size_t)(2 * nc + q.narrow.p->n_in + no + 1);
    int *mem = agni_alloc(room * sizeof *mem), *before = mem;
    if (!mem)
        return agni_nomem("compile", room * sizeof *mem);
    q.first = before + nc;
    q.input = q.first + nc;
    q.pick = q.input + q.narrow.p->n_in;
    q.n_pick = no;
    for (int o = 0; o < no; o++)
        q.pick[o] = o;
    agn_status st = AGN_OK;
    agni_prog *p = NULL;
    bool same = init_classes(&q), more = same;
    while (more && !st) {
        agni_prog_release(p);
        p = NULL;
        st = trace_both_steps(&p, &q, true);
        more = !st && split_classes(&q, p, before);
        same = is_all_carried(&q);
        more = more && same;
    }
    if (!st && same) {
        find_results(&q, p, result);
        *nout = q.n_pick;
        st = make_merged_loop(at, &q, wide, narrow);
    }
    agni_prog_release(p);
    agni_free(mem);
    return st;
}
