/* tests/fuzz/program-loop.c - steps that are loops: scans, whiles, maps and partial results of an
   associative function, whose body is a program of its own, with loops in it at times. Run by the
   library, or step by step as one would write it out, which is what it should be.               */
#include "draw.h"

/* a step that makes its values larger does not lose them to roundings in so many turns */
enum { MOST_TURNS = 14, DEEPEST = 2 };

enum { AS_IS, STEP_SAVED, STEP_CHECKPOINT, LOOP_CHECKPOINT, STEP_PLANNED, WRAPS };
typedef enum loop_kind { SCAN, WHILE, MAP, PARTIAL } loop_kind;
static const char *const kinds[] = {"scan", "while", "map", "associative scan"};

typedef struct loop {
    agni_obj head;
    loop_kind kind;
    int n_carry,
        n_read;  /* operands: of a scan slices are read, of a while the same values at each turn */
    int n_slice; /* results that are stacked */
    int turns, limit;   /* while the first carried value is below that */
    int64_t most_steps; /* of a while */
    bool reverse;
    int64_t keep;
    int wrap;      /* what the step, or the loop, lies in */
    program *body; /* carried and read to carried and slices */
} loop;

static void loop_destroy(agni_obj *o)
{
    loop *l = (loop *)(void *)o;
    fuzz_free(l->body);
    free(l);
}
static const agni_obj_type loop_type = {.name = "loop", .destroy = loop_destroy};
const agni_op fuzz_loop = {.name = "loop", .cls = AGNI_OPAQUE, .ew = -1};

static const loop *loop_of(const agni_obj *o)
{
    return (const loop *)(const void *)o;
}
static loop *loop_new(const loop *like)
{
    loop *l = malloc(sizeof *l);
    if (!l)
        return NULL;
    *l = *like;
    l->head.type = &loop_type;
    agni_ref_init(&l->head.ref);
    return l;
}

/* ---- step by step ------------------------------------------------------------------------------ */

static T slice_of(agn_scope *s, T x, int at)
{
    return ag_index_axis(s, x, 0, at);
}
/* each element combined with all before it */
static void partial_results(const loop *l, agn_scope *s, const agn_fn *body, const T *in, T *out)
{
    T y[MOST_ARGS][MOST_TURNS], pair[2 * MOST_ARGS], next[MOST_ARGS];
    for (int k = 0; k < l->turns && !agn_scope_status(s); k++) {
        int at = l->reverse ? l->turns - 1 - k : k;
        for (int i = 0; i < l->n_slice; i++) {
            pair[l->n_slice + i] = slice_of(s, in[i], at);
            pair[i] = k ? next[i] : NULL;
        }
        if (k)
            agn_fn_apply(s, next, agn_fn_n_out(body), body, pair, agn_fn_n_in(body));
        for (int i = 0; i < l->n_slice && !agn_scope_status(s); i++)
            y[i][at] = next[i] = k ? next[i] : pair[l->n_slice + i];
    }
    for (int i = 0; i < l->n_slice && !agn_scope_status(s); i++)
        out[i] = ag_stack(s, y[i], l->turns, 0);
}
static void turn_by_turn(const loop *l, agn_scope *s, const agn_fn *body, const T *in, T *out)
{
    T a[MOST_ARGS], next[MOST_ARGS], y[MOST_ARGS][MOST_TURNS];
    memcpy(a, in, (size_t)(l->n_carry + l->n_read) * sizeof *a);
    for (int k = 0; k < l->turns && !agn_scope_status(s); k++) {
        int at = l->reverse ? l->turns - 1 - k : k;
        for (int i = l->n_carry; i < l->n_carry + l->n_read && l->kind != WHILE; i++)
            a[i] = slice_of(s, in[i], at);
        if (agn_fn_apply(s, next, agn_fn_n_out(body), body, a, agn_fn_n_in(body)))
            return;
        memcpy(a, next, (size_t)l->n_carry * sizeof *a);
        for (int o = 0; o < l->n_slice; o++)
            y[o][at] = next[l->n_carry + o];
    }
    memcpy(out, a, (size_t)l->n_carry * sizeof *a);
    for (int o = 0; o < l->n_slice && !agn_scope_status(s); o++)
        out[l->n_carry + o] = ag_stack(s, y[o], l->turns, 0);
    if (l->kind == WHILE)
        out[l->n_carry] = ag_from_host(s, AGN_I64, 0, NULL, &(int64_t){l->turns});
}

/* ---- by the library ---------------------------------------------------------------------------- */

static agn_status going(void *limit, agn_scope *s, const T *in, T *out)
{
    out[0] = ag_lt(s, in[0], ag_lit(s, *(const int *)limit));
    return agn_scope_status(s);
}
static agn_status make_while(agn_fn **out, const loop *l, const agn_fn *body)
{
    agn_while_options opts = {.size = sizeof opts, .max_steps = l->most_steps, .keep = l->keep};
    agn_fn *cond = NULL;
    agn_status st = agn_fn_new(&cond, going, (void *)(uintptr_t)&l->limit, NULL,
                               l->n_carry + l->n_read, 1);
    if (!st)
        st = agn_fn_while(out, cond, body, &opts);
    agn_fn_release(cond);
    return st;
}
static agn_status make_loop(agn_fn **out, const loop *l, const agn_fn *body)
{
    agn_scan_options opts = {.size = sizeof opts, .reverse = l->reverse, .keep = l->keep};
    switch (l->kind) {
    case SCAN:
        return agn_fn_scan_with(out, body, l->n_carry, 0, l->turns, &opts);
    case WHILE:
        return make_while(out, l, body);
    case MAP:
        return agn_fn_map(out, body, NULL, 0, NULL, 0, 1 + (int)(l->keep > 0 ? l->keep : 0));
    default:
        return agn_fn_associative_scan(out, body, 0, l->reverse);
    }
}
static agn_status make_step(agn_fn **out, const loop *l, bool plain)
{
    agn_checkpoint_options opts = {.size = sizeof opts, .save = AGN_SAVE_SMALL, .max_bytes = 32};
    agn_fn *f = fuzz_fn(l->body);
    agn_status st = f ? AGN_OK : AGN_ENOMEM;
    int wrap = plain ? AS_IS : l->wrap;
    if (!st && wrap == STEP_SAVED)
        st = agn_fn_checkpoint_with(out, f, &opts);
    else if (!st && wrap == STEP_CHECKPOINT)
        st = agn_fn_checkpoint(out, f);
    else if (!st && wrap == STEP_PLANNED)
        st = agn_fn_compile(out, f, NULL);
    else
        *out = f;
    if (*out != f)
        agn_fn_release(f);
    return st;
}
static void by_library(const loop *l, agn_scope *s, const agn_fn *body, const T *in, T *out)
{
    agn_fn *f = NULL, *g = NULL;
    if (!agn_scope_fail(s, make_loop(&f, l, body)) && l->wrap == LOOP_CHECKPOINT)
        agn_scope_fail(s, agn_fn_checkpoint(&g, f));
    if (!agn_scope_status(s))
        agn_fn_apply(s, out, agn_fn_n_out(g ? g : f), g ? g : f, in, agn_fn_n_in(g ? g : f));
    agn_fn_release(f);
    agn_fn_release(g);
}

agn_status fuzz_loop_apply(agn_tensor **out, const step *q, const program *p, const T *in)
{
    const loop *l = loop_of(q->obj);
    agn_fn *body = NULL;
    T y[MOST_ARGS] = {NULL};
    l->body->unrolled = p->unrolled;
    l->body->level = p->level;
    l->body->apart = p->apart;
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, make_step(&body, l, p->unrolled));
    if (!agn_scope_status(s))
        (!p->unrolled         ? by_library
         : l->kind == PARTIAL ? partial_results
                              : turn_by_turn)(l, s, body, in, y);
    for (int o = 0; o < q->n_out; o++)
        agn_scope_return(s, out + o, agn_scope_status(s) ? NULL : y[o]);
    agn_fn_release(body);
    return agn_scope_close(s);
}
bool fuzz_loop_noise(const step *q)
{
    return fuzz_make_noise(loop_of(q->obj)->body);
}

/* ---- drawing ------------------------------------------------------------------------------------- */

static bool same_form(const drawing *g, int a, int b)
{
    return agn_dtype_of(g->value[a]) == agn_dtype_of(g->value[b]) &&
           rank_of(g, a) == rank_of(g, b) &&
           (!rank_of(g, a) ||
            !memcmp(shape_of(g, a), shape_of(g, b), (size_t)rank_of(g, a) * sizeof(int64_t)));
}
/* an input of the form of value v, itself if there is no other */
static int handed_on(drawing *g, int v)
{
    for (int k = 0; k < 6; k++) {
        int i = below(g, g->p->n_x);
        if (same_form(g, i, v))
            return i;
    }
    return v;
}
static int held(drawing *g, int v)
{
    for (int64_t i = 0; i < 2 * agn_numel(g->value[v]); i++)
        g->room[i] = between(g, -1, 1);
    return push_constant(g, agn_dtype_of(g->value[v]), rank_of(g, v), shape_of(g, v), g->room);
}
/* a value of the form of v that stays small however often the step is taken */
static int computed(drawing *g, int v)
{
    int kind = kind_of(g, v), e = of_shape(g, kind, rank_of(g, v), shape_of(g, v)), k = below(g, 4);
    int bent = kind == CPLX ? push_scaled(g, e, 0.25, 0) : push(g, k & 1 ? "tanh" : "sin", 1, &e);
    if (k == 0)
        return push_scaled(g, bent, 0.9, 0);
    int other = k == 1 ? handed_on(g, v) : of_shape(g, kind, rank_of(g, v), shape_of(g, v));
    if (kind == REAL && other >= g->p->n_x)
        other = push(g, "tanh", 1, &other);
    if (k == 2)
        return push(g, "mul", 2, ARGS(bent, other));
    return push_scaled(g, push(g, below(g, 2) ? "add" : "sub", 2, ARGS(bent, other)), 0.55, 0);
}
/* what becomes of a carried value, or a slice, of the form of v */
static int next_of(drawing *g, int v)
{
    int k = below(g, 5), y = k < 2                        ? handed_on(g, v)
                             : k == 2 && below(g, 4) == 0 ? held(g, v)
                                                          : computed(g, v);
    return y >= 0 && below(g, 6) == 0 ? push(g, "copy", 1, &y) : y;
}

/* x at its first place */
static agn_tensor *first_of(T x)
{
    agn_tensor *y = NULL;
    return agn_index_axis(&y, x, 0, 0) ? NULL : y;
}

/* a body whose inputs are like the operands: whole or one slice of each */
static program *begin_body(drawing *b, const drawing *g, const loop *l, int n_in, const int *in)
{
    program *p = calloc(1, sizeof *p);
    b->p = p;
    bool good = p && drawing_room(b, g->most);
    if (p)
        p->unrolled = true;
    for (int i = 0; i < n_in && good; i++) {
        bool whole = i < l->n_carry || l->kind == WHILE;
        b->value[i] = whole ? agn_retain(g->value[in[i]]) : first_of(g->value[in[i]]);
        p->x[i] = agn_retain(b->value[i]);
        good = b->value[i] != NULL;
        p->n_value = p->n_x = i + 1;
    }
    return good ? p : NULL;
}
static bool draw_body(drawing *b, const loop *l)
{
    program *p = b->p;
    int n = p->n_step + 1 + below(b, 6), form[MOST_ARGS];
    for (int tries = 0; p->n_step < n && tries < 40; tries++)
        if (b->within < DEEPEST && below(b, 10) == 0)
            draw_loop(b);
        else if (b->kind == FUZZ_WIDE || below(b, 2))
            below(b, 3) ? draw_common(b) : draw_some_row(b);
        else
            draw_step(b);
    for (int o = 0; o < l->n_carry + l->n_slice; o++) {
        form[o] = o < l->n_carry ? o : l->kind == WHILE ? -1 : below(b, p->n_x);
        if (kind_of(b, form[o]) & (INT | TRUTH)) /* the count */
            p->out[o] = o == 0 && l->n_carry
                            ? push(b, "add", 2, ARGS(0, push_integers(b, 0, NULL, 1, 1)))
                            : form[o];
        else
            p->out[o] = next_of(b, form[o]);
        if (p->out[o] < 0)
            return false;
    }
    p->n_out = l->n_carry + l->n_slice;
    return true;
}
/* (a, b), (c, d) to what is associative: sums, products, the larger, or x -> b + a x after one another */
static bool draw_combination(drawing *b, const loop *l)
{
    static const char *const op[] = {"add", "mul", "maximum", "minimum", "logaddexp"};
    program *p = b->p;
    p->n_out = l->n_slice;
    if (l->n_slice == 1) {
        p->out[0] = push(b, op[below(b, COUNT(op))], 2, ARGS(0, 1));
        return p->out[0] >= 0;
    }
    p->out[0] = push(b, "mul", 2, ARGS(2, 0));
    int moved = push(b, "mul", 2, ARGS(2, 1));
    p->out[1] = push(b, "add", 2, ARGS(moved, 3));
    return p->out[0] >= 0 && p->out[1] >= 0;
}

/* the operands: values of one form, or stacks of them */
static bool draw_operands(drawing *g, const loop *l, step *q)
{
    int like = pick(g, REAL), n = rank_of(g, like);
    int64_t shape[1 + MOST_AXES] = {l->turns};
    if (like < 0 || n >= MOST_AXES || agn_numel(g->value[like]) * l->turns > g->most)
        return false;
    memcpy(shape + 1, shape_of(g, like), (size_t)n * sizeof *shape);
    for (int i = 0; i < q->n_in; i++) {
        bool whole = i < l->n_carry || l->kind == WHILE;
        if (i == 0 && (l->kind == WHILE || (l->n_carry > 1 && below(g, 4) == 0))) {
            q->in[i] = push_integers(g, 0, NULL, 0, 0);
        } else {
            int kind = below(g, 12) || g->kind == FUZZ_WIDE ? REAL : CPLX;
            q->in[i] = of_shape(g, l->kind == PARTIAL ? REAL : kind, n + !whole, shape + whole);
            if (l->kind == PARTIAL) /* products of many stay small */
                q->in[i] = within(g, q->in[i], -1.25, 1.25);
        }
        if (q->in[i] < 0)
            return false;
    }
    return true;
}

static void draw_form_of_loop(drawing *g, loop *l)
{
    static const loop_kind often[] = {SCAN, SCAN, SCAN, SCAN, WHILE, WHILE, MAP, PARTIAL};
    l->kind = often[below(g, COUNT(often))];
    l->turns = 1 + below(g, below(g, 6) ? 7 : MOST_TURNS - 1);
    l->reverse = (l->kind == SCAN || l->kind == PARTIAL) && below(g, 2);
    l->keep = below(g, 3) ? 0 : below(g, 4) ? 1 + below(g, 3) : AGN_KEEP_LOG;
    l->wrap = below(g, 3) ? AS_IS : below(g, WRAPS);
    l->limit = l->turns;
    switch (l->kind) {
    case SCAN:
        l->n_carry = 1 + below(g, 4);
        l->n_read = below(g, 3);
        l->n_slice = below(g, 3);
        if (below(g, 20) == 0)
            l->turns = l->n_read = l->n_slice = 0;
        break;
    case WHILE:
        l->n_carry = 2 + below(g, 3);
        l->n_read = below(g, 2);
        l->most_steps = below(g, 6) == 0 ? 0 : 1 + below(g, 2 * l->turns);
        if (l->most_steps && l->turns > l->most_steps)
            l->turns = (int)l->most_steps;
        break;
    case MAP:
        l->n_read = 1 + below(g, 3);
        l->n_slice = 1 + below(g, 2);
        break;
    default:
        l->n_slice = l->n_read = 1 + below(g, 2);
    }
}

int draw_loop(drawing *g)
{
    loop shape = {.kind = SCAN};
    step q = {.op = &fuzz_loop};
    draw_form_of_loop(g, &shape);
    q.n_in = shape.n_carry + shape.n_read;
    q.n_out = shape.n_carry + shape.n_slice + (shape.kind == WHILE);
    if (!draw_operands(g, &shape, &q))
        return -1;
    drawing b = {.state = fuzz_draw(&g->state),
                 .kind = g->kind == FUZZ_WIDE ? FUZZ_WIDE : FUZZ_SMALL,
                 .rows = g->rows,
                 .last = g->last,
                 .within = g->within + 1,
                 .moves = true,
                 .judged = true};
    int in[2 * MOST_ARGS];
    for (int i = 0; i < q.n_in; i++)
        in[i] = in[q.n_in + i] = q.in[i];
    shape.body = begin_body(&b, g, &shape, shape.kind == PARTIAL ? 2 * q.n_in : q.n_in, in);
    bool good = shape.body && (shape.kind == PARTIAL ? draw_combination : draw_body)(&b, &shape);
    if (b.p)
        drawn(&b);
    loop *l = good ? loop_new(&shape) : NULL;
    if (!l) {
        fuzz_free(b.p);
        return -1;
    }
    q.obj = &l->head;
    int y = push_op(g, &q, false);
    agni_obj_release(q.obj);
    return y;
}

/* ---- smaller ones --------------------------------------------------------------------------------- */

enum { OPTIONS = 3, WAYS = MOST_ARGS + 1 };

int fuzz_loop_ways(const agni_obj *o)
{
    return OPTIONS + loop_of(o)->body->n_step * WAYS;
}
/* without an option, or with a step of the body that is one of its operands, or what it was at first */
agni_obj *fuzz_loop_less(const agni_obj *o, int way)
{
    const loop *from = loop_of(o);
    loop less = *from;
    if (way == 0 ? !less.reverse : way == 1 ? !less.keep : way == 2 ? !less.wrap : false)
        return NULL;
    if (way == 0)
        less.reverse = false;
    if (way == 1)
        less.keep = 0;
    if (way == 2)
        less.wrap = AS_IS;
    less.body = fuzz_copy(from->body);
    bool good = less.body != NULL;
    if (good && way >= OPTIONS)
        good = fuzz_step_less(less.body, (way - OPTIONS) / WAYS, (way - OPTIONS) % WAYS);
    loop *l = good ? loop_new(&less) : NULL;
    if (!l)
        fuzz_free(less.body);
    return l ? &l->head : NULL;
}

/* ---- text ------------------------------------------------------------------------------------------ */

static void print_body(FILE *to, const program *p, const char *indent)
{
    bool live[MOST_STEPS];
    fuzz_live(p, live);
    for (int i = 0; i < p->n_step; i++) {
        const step *q = &p->s[i];
        if (!live[i])
            continue;
        fprintf(to, "%s %d = %s", indent, q->first,
                q->op           ? q->op->name
                : q->alias >= 0 ? "value"
                                : "constant");
        if (q->alias >= 0)
            fprintf(to, " %d", q->alias);
        for (int k = 0; q->op && k < q->n_in; k++)
            fprintf(to, " %d", q->in[k]);
        fprintf(to, "\n");
        if (q->op == &fuzz_loop)
            fuzz_loop_print(to, q);
    }
    fprintf(to, "%s results", indent);
    for (int o = 0; o < p->n_out; o++)
        fprintf(to, " %d", p->out[o]);
    fprintf(to, "\n");
}
void fuzz_loop_print(FILE *to, const step *q)
{
    static const char *const wraps[] = {"", ", step saves what is small", ", step checkpointed",
                                        ", checkpointed", ", step compiled"};
    const loop *l = loop_of(q->obj);
    fprintf(to, "#  %s of %d%s: carries %d, reads %d, stacks %d, keeps %d, at most %d%s\n",
            kinds[l->kind], l->turns, l->reverse ? ", reversed" : "", l->n_carry, l->n_read,
            l->n_slice, (int)l->keep, (int)l->most_steps, wraps[l->wrap]);
    print_body(to, l->body, "#   ");
}
