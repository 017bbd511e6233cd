/* graph/shapes/dynamic_shapes.c - dynamic shapes. A function is traced at a few sizes, its
   programs are compared (diff.c), and the program for any other sizes is made of that
   (specialise.c). Simplifier and planner see it as if it had been traced. */
#include "core/fork_mutex.h"
#include "graph/shapes/dynamic_shapes.h"

#include "graph/shapes/specialise.h"
#include "tensor/dispatch/op_helpers.h"

#include <string.h>

enum {
    NAME = 32,
    MOST_KEPT = 16,      /* families of one function */
    LEAST_SIZE = 61,     /* traced; small sizes are often those of something else */
    MOST_SIZE = 1 << 20, /* what a body makes at once shall fit into memory */
    LEAST_FITTED = 2,    /* at sizes 0 and 1 functions do other things */
};

typedef struct argument {
    bool any; /* as given */
    int32_t ndim;
    int8_t name[AGNI_MAX_RANK]; /* -1: as given */
    int64_t want[AGNI_MAX_RANK]; /* -1: as given */
} argument;

struct agni_dynamic_shapes {
    argument *arg;
    int n_arg, n_name;
    char name[AGNI_SIZES][NAME];
    char **text;
    agni_mutex busy; /* guards what follows */
    agni_shape_family *kept;
};

/* ---- life ------------------------------------------------------------------------------------ */

void agni_dynamic_shapes_free(agni_dynamic_shapes *o)
{
    if (!o)
        return;
    agni_shape_family_free(o->kept);
    for (int i = 0; o->text && i < o->n_arg; i++)
        agni_free(o->text[i]);
    agni_free(o->text);
    agni_free(o->arg);
    agni_mutex_destroy(&o->busy);
    agni_free(o);
}

/* ---- shapes as text -------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* the number of a name, which may be new; -1: too long, or one too many */
static int size_index(agni_dynamic_shapes *o, const char *p, size_t n)
{
    for (int i = 0; i < o->n_name; i++)
        if (strlen(o->name[i]) == n && !memcmp(o->name[i], p, n))
            return i;
    if (n >= NAME || o->n_name == AGNI_SIZES)
        return -1;
    memcpy(o->name[o->n_name], p, n);
    return o->n_name++;
}

static const char *skip_spaces(const char *p)
{
    return p + strspn(p, " \t");
}

/* one axis from p; what follows it, NULL: it is none */
static const char *parse_axis(agni_dynamic_shapes *o, argument *a, const char *p)
{
    const char *q = p;
    int d = a->ndim++;
    a->name[d] = -1;
    a->want[d] = -1;
    if (*q == '_')
        return q + 1;
    if (is_letter(*q)) {
        while (is_letter(*q) || is_digit(*q) || *q == '_')
            q++;
        int k = size_index(o, p, (size_t)(q - p));
        a->name[d] = (int8_t)k;
        return k < 0 ? NULL : q;
    }
    int64_t n = 0;
    for (; is_digit(*q); q++)
        if (!agni_checked_mul(n, 10, &n) || !agni_checked_add(n, *q - '0', &n))
            return NULL;
    a->want[d] = n;
    return q > p ? q : NULL;
}

static agn_status parse_shape(agni_dynamic_shapes *o, int i, const char *text)
{
    argument *a = &o->arg[i];
    const char *p = skip_spaces(text);
    bool more = *p;
    while (more && p && a->ndim < AGNI_MAX_RANK) {
        p = parse_axis(o, a, p);
        p = p ? skip_spaces(p) : NULL;
        more = p && *p == ',';
        p = more ? skip_spaces(p + 1) : p;
    }
    if (p && !*p && !more)
        return AGN_OK;
    return agni_fail(AGN_EARG,
                     "fn_compile: the open shape \"%.60s\" of argument %d is no list of at most %d "
                     "names, numbers and _ with commas between, or of more than %d names in all",
                     text, i, AGNI_MAX_RANK, AGNI_SIZES);
}

agn_status agni_dynamic_shapes_parse(agni_dynamic_shapes **out, int n, const char *const *shape)
{
    agni_dynamic_shapes *o = agni_zalloc(sizeof *o);
    if (!o)
        return agni_nomem("fn_compile", sizeof *o);
    agni_mutex_init(&o->busy);
    o->arg = agni_zalloc(((size_t)n + 1) * sizeof *o->arg);
    o->text = agni_zalloc(((size_t)n + 1) * sizeof *o->text);
    agn_status st = o->arg && o->text ? AGN_OK
                                      : agni_nomem("fn_compile", (size_t)n * sizeof *o->arg);
    o->n_arg = n;
    for (int i = 0; !st && i < n; i++) {
        o->arg[i].any = !shape[i];
        if (!shape[i])
            continue;
        size_t bytes = strlen(shape[i]) + 1;
        st = (o->text[i] = agni_alloc(bytes)) ? parse_shape(o, i, shape[i])
                                              : agni_nomem("fn_compile", bytes);
        if (o->text[i])
            memcpy(o->text[i], shape[i], bytes);
    }
    if (!st && !o->n_name)
        st = agni_fail(AGN_EARG, "fn_compile: no open shape of %d has a name in it", n);
    if (st)
        agni_dynamic_shapes_free(o);
    else
        *out = o;
    return st;
}

/* the sizes of now; every size is some argument's */
static agn_status read_sizes(const agni_dynamic_shapes *o, const agn_tensor *const *in,
                             int64_t *size)
{
    int of[AGNI_SIZES];
    for (int k = 0; k < o->n_name; k++)
        of[k] = -1;
    for (int i = 0; i < o->n_arg; i++) {
        const argument *a = &o->arg[i];
        if (a->any)
            continue;
        bool fit = a->ndim == in[i]->ndim;
        for (int d = 0; fit && d < a->ndim; d++)
            fit = a->want[d] < 0 || a->want[d] == in[i]->shape[d];
        if (!fit)
            return agni_fail(AGN_ESHAPE, "call: argument %d is %s, its open shape \"%s\"", i,
                             AGNI_SHAPE(in[i]), o->text[i]);
        for (int d = 0; d < a->ndim; d++) {
            int k = a->name[d];
            if (k < 0)
                continue;
            if (of[k] >= 0 && size[k] != in[i]->shape[d])
                return agni_fail(AGN_ESHAPE, "call: %s is %lld in argument %d and %lld in argument "
                                             "%d, %s",
                                 o->name[k], (long long)size[k], of[k],
                                 (long long)in[i]->shape[d], i, AGNI_SHAPE(in[i]));
            of[k] = i;
            size[k] = in[i]->shape[d];
        }
    }
    return AGN_OK;
}

/* ---- samples --------------------------------------------------------------------------------- */

static int64_t next_prime(int64_t n)
{
    for (n |= 1;; n += 2) {
        bool prime = true;
        for (int64_t d = 3; prime && d <= n / d; d += 2)
            prime = n % d != 0;
        if (prime)
            return n;
    }
}

/* primes in the neighbourhood of the sizes of now, all of them different */
static void choose_samples(agni_samples *s, int n_size, const int64_t *now)
{
    int64_t least = LEAST_SIZE;
    *s = (agni_samples){.n_size = n_size, .n = n_size > 1 ? 2 * n_size + 2 : 3};
    for (int pass = 0; pass < 3; pass++)
        for (int k = 0; k < n_size; k++) {
            int64_t near = now[k] < MOST_SIZE ? now[k] : MOST_SIZE;
            int64_t p = next_prime(near > least ? near : least);
            least = p + p / 8 + 1;
            for (int j = 0; j < s->n; j++)
                if (pass == 0 || j == pass + 2 * k || (pass == 2 && j == 2 * n_size + 1))
                    s->size[j][k] = p;
        }
}

/* ---- families -------------------------------------------------------------------------------- */

/* in all but the open sizes? */
static bool is_of_family(const agni_dynamic_shapes *o, const agni_shape_family *f,
                         const agn_tensor *const *in)
{
    for (int i = 0; i < o->n_arg; i++) {
        const agn_tensor *x = in[i], *y = f->p->val[i];
        bool same = x->dtype == y->dtype && x->weak == y->weak && x->ndim == y->ndim;
        for (int d = 0; same && d < x->ndim; d++)
            same = (!o->arg[i].any && o->arg[i].name[d] >= 0) || x->shape[d] == y->shape[d];
        if (!same)
            return false;
    }
    return true;
}

static agn_status trace_at(agni_prog **out, const agni_dynamic_shapes *o, const agn_fn *f,
                           const agn_tensor *const *in, const int64_t *size)
{
    agn_tensor **x = agni_zalloc(((size_t)o->n_arg + 1) * sizeof *x);
    agn_status st = x ? AGN_OK : agni_nomem("compile", (size_t)o->n_arg * sizeof *x);
    for (int i = 0; !st && i < o->n_arg; i++) {
        int64_t shape[AGNI_MAX_RANK];
        memcpy(shape, in[i]->shape, (size_t)in[i]->ndim * sizeof *shape);
        for (int d = 0; !o->arg[i].any && d < in[i]->ndim; d++)
            if (o->arg[i].name[d] >= 0)
                shape[d] = size[o->arg[i].name[d]];
        if (!(x[i] = agni_describe_like(in[i], in[i]->ndim, shape)))
            st = agni_nomem("compile", sizeof *x[i]);
    }
    st = st ? st : agni_trace_stored("compile", out, f, (const agn_tensor *const *)x);
    for (int i = 0; x && i < o->n_arg; i++)
        agn_release(x[i]);
    agni_free(x);
    return st;
}

static agn_status trace_family(agni_shape_family **out, const agni_dynamic_shapes *o,
                               const agn_fn *fn, const agn_tensor *const *in, const int64_t *size)
{
    agni_samples s;
    agni_prog *p[AGNI_SAMPLES] = {NULL};
    agni_shape_family *f = agni_zalloc(sizeof *f);
    agn_status st = f ? AGN_OK : agni_nomem("compile", sizeof *f);
    choose_samples(&s, o->n_name, size);
    for (int j = 0; !st && j < s.n; j++)
        st = trace_at(&p[j], o, fn, in, s.size[j]);
    if (!st) {
        f->p = (agni_prog *)agni_obj_retain(&p[0]->head);
        st = agni_diff_programs(f, &s, (const agni_prog *const *)p, o->name[0]);
    }
    for (int j = 0; j < s.n; j++)
        if (p[j])
            agni_prog_release(p[j]);
    if (st)
        agni_shape_family_free(f);
    else
        *out = f;
    return st;
}
/* Numbers that depend on sizes as they may, 1 / n and 1 / (n - 1), can have a sum or a quotient
   that does not: then sums stay where they are. */
static agn_status new_family(agni_shape_family **out, const agni_dynamic_shapes *o,
                             const agn_fn *fn, const agn_tensor *const *in, const int64_t *size)
{
    int outer = agni_factoring_mode(0);
    agn_status st = trace_family(out, o, fn, in, size);
    if (st == AGN_EUNSUPPORTED && agni_factoring_mode(-1) > 0)
        st = trace_family(out, o, fn, in, size);
    agni_factoring_mode(outer);
    return st;
}

/* f first among those kept, the last of too many let go of */
static void keep_family(agni_dynamic_shapes *o, agni_shape_family *f)
{
    f->next = o->kept;
    o->kept = f;
    for (int n = 1; f && n < MOST_KEPT; n++)
        f = f->next;
    if (f) {
        agni_shape_family_free(f->next);
        f->next = NULL;
    }
}

agn_status agni_dynamic_shapes_program(agni_prog **out, agni_dynamic_shapes *o, const agn_fn *fn,
                             const agn_tensor *const *in)
{
    int64_t size[AGNI_SIZES];
    agn_status st = read_sizes(o, in, size);
    bool small = false;
    for (int k = 0; !st && k < o->n_name; k++)
        small = small || size[k] < LEAST_FITTED;
    if (st || small)
        return st ? st : agni_trace_stored("compile", out, fn, in);
    agni_mutex_lock(&o->busy);
    agni_shape_family *f = o->kept;
    while (f && !is_of_family(o, f, in))
        f = f->next;
    if (f)
        st = agni_specialise_program(out, f, o->n_name, size);
    agni_mutex_unlock(&o->busy);
    if (f)
        return st;
    st = new_family(&f, o, fn, in, size); /* the body runs outside of the lock */
    if (st)
        return st;
    st = agni_specialise_program(out, f, o->n_name, size);
    agni_mutex_lock(&o->busy);
    keep_family(o, f);
    agni_mutex_unlock(&o->busy);
    return st;
}
