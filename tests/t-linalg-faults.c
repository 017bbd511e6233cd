/* t-linalg-faults - what every function of agnesi/linalg.h refuses, by tables made from the header: a pointer that is
   NULL is AGN_ENULL, by its name, unless the comment allows it; a sparse matrix, numbers without axes and shapes that do
   not fit are refused with a status that the comment names; nothing is written. */
#include "laws.h"

enum { MOST = 12, LISTED = 2 };
struct arg {
    agn_tensor **out;
    const agn_tensor *x, *const *xs;
    const int64_t *sizes;
    const int32_t *axes;
    const char *text;
    const agn_graph *graph;
    const double *reals;
    int64_t i;
    double d;
};
struct call {
    const char *name, *kinds, *names;
    agn_status (*run)(const struct arg *a);
};
struct documented {
    const char *name, *errors, *nullable;
};
#include "tests/linalg-calls.inc"
#include "tests/linalg-errors.inc"

static const struct documented *doc_of(const struct call *c)
{
    for (int i = 0; i < COUNT(documented); i++)
        if (!strcmp(documented[i].name, c->name))
            return documented + i;
    return NULL;
}

static bool one_of(const char *word, const char *list)
{
    char padded[80];
    snprintf(padded, sizeof padded, " %s ", word);
    return strstr(list, padded) != NULL;
}

static void name_of(char *buf, size_t size, const struct call *c, int k)
{
    const char *p = c->names;
    for (; k > 0; k--)
        p = strchr(p, ',') + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(p, ","), p);
}

/* every argument the same matrix, every number 1 */
typedef struct operands {
    struct arg a[MOST];
    agn_tensor *out[MOST], *outs[MOST][LISTED];
    const agn_tensor *xs[LISTED];
} operands;

static void prepare(operands *o, const struct call *c, const agn_tensor *x)
{
    static const int64_t sizes[4] = {4, 4, 4, 4};
    static const int32_t axes[4] = {-2, -1, 0, 1};
    static const double reals[4] = {0.5, 0.5, 0.5, 0.5};
    memset(o, 0, sizeof *o);
    for (int i = 0; i < LISTED; i++)
        o->xs[i] = x;
    for (int k = 0; c->kinds[k]; k++) {
        o->out[k] = untouched;
        o->a[k] = (struct arg){.out = &o->out[k],
                               .x = x,
                               .xs = o->xs,
                               .sizes = sizes,
                               .axes = axes,
                               .text = "",
                               .reals = reals,
                               .i = 1,
                               .d = 0.5};
    }
}

/* refused with a status of the comment, in the name of the function, and nothing written */
static bool is_refusal(const struct call *c, const struct documented *d, const operands *o,
                       agn_status st, const char *fact)
{
    const char *m = agn_error_message(), *name = c->name + strlen("agn_");
    const size_t n = strlen(name);
    bool good = st && one_of(agn_status_name(st), d->errors) && !strncmp(m, name, n) &&
                m[n] == ':' && (!fact || strstr(m, fact));
    for (int k = 0; c->kinds[k]; k++)
        good = good && (c->kinds[k] != 'O' || o->out[k] == untouched || !o->a[k].out);
    if (!good)
        diag("%s: %s \"%s\", of %s", c->name, agn_status_name(st), m, d->errors);
    return good;
}

static void release_all(const struct call *c, operands *o)
{
    for (int k = 0; c->kinds[k]; k++)
        if (c->kinds[k] == 'O' && o->out[k] != untouched)
            agn_release(o->out[k]);
}

static void test_null(const agn_tensor *x)
{
    tally t = {0, 0};
    for (int i = 0; i < COUNT(calls); i++) {
        const struct call *c = calls + i;
        const struct documented *d = doc_of(c);
        for (int k = 0; d && c->kinds[k]; k++) {
            char name[40], fact[60];
            name_of(name, sizeof name, c, k);
            if (!strchr("OTL", c->kinds[k]) || one_of(name, d->nullable))
                continue;
            operands o;
            prepare(&o, c, x);
            o.a[k].out = NULL;
            o.a[k].x = NULL;
            o.a[k].xs = NULL;
            snprintf(fact, sizeof fact, "%s is NULL", name);
            agn_status st = c->run(o.a);
            check(&t, st == AGN_ENULL && is_refusal(c, d, &o, st, fact), "%s: %s is NULL: %s",
                  c->name, name, agn_status_name(st));
            release_all(c, &o);
        }
    }
    tell(&t, "pointers that are NULL, %" PRId64 " of them", t.checks);
}

/* one tensor after the other is a stranger among matrices; a call may take it, or refuses it as the comment says */
static void test_strangers(const agn_tensor *x, const agn_tensor *stranger, const char *what,
                           agn_status want, int least)
{
    tally t = {0, 0};
    int wanted = 0;
    for (int i = 0; i < COUNT(calls); i++) {
        const struct call *c = calls + i;
        const struct documented *d = doc_of(c);
        for (int k = 0; d && c->kinds[k]; k++) {
            if (c->kinds[k] != 'T')
                continue;
            operands o;
            prepare(&o, c, x);
            o.a[k].x = stranger;
            agn_status st = c->run(o.a);
            wanted += st == want;
            check(&t, !st || is_refusal(c, d, &o, st, NULL), "%s: argument %d is %s: %s", c->name,
                  k, what, agn_status_name(st));
            release_all(c, &o);
        }
    }
    tell(&t, "an argument that is %s: %d are %s", what, wanted, agn_status_name(want));
    ok(wanted >= least, "at least %d of them", least);
}

int main(void)
{
    agn_tensor *x = random_of(AGN_F64, 2, (int64_t[]){4, 4}, 1, 2), *sparse = NULL,
               *scalar = scalar_of(AGN_F64, 2),
               *tall = random_of(AGN_F64, 2, (int64_t[]){5, 3}, 1, 2),
               *nan = of_reals(
                   AGN_F64, 2, (int64_t[]){4, 4},
                   (double[]){1, 2, 3, 4, 2, (double)NAN, 1, 2, 3, 1, 4, 1, 4, 2, 1, 5});
    agn_tensor *turned = random_of(AGN_C128, 2, (int64_t[]){4, 4}, 1, 2),
               *truth = random_of(AGN_BOOL, 2, (int64_t[]){4, 4}, 0, 2),
               *half = random_of(AGN_F16, 2, (int64_t[]){4, 4}, 1, 2);
    must(agn_sparse_from_dense(&sparse, x));
    ok(COUNT(calls) >= 130, "%d functions", (int)COUNT(calls));
    for (int i = 0; i < COUNT(calls); i++)
        if (!doc_of(calls + i))
            ok(false, "%s has a comment", calls[i].name);
    test_null(x);
    test_strangers(x, sparse, "sparse", AGN_EUNSUPPORTED, 190);
    test_strangers(x, scalar, "a number without axes", AGN_ESHAPE, 190);
    test_strangers(x, tall, "5 x 3", AGN_ESHAPE, 160);
    test_strangers(x, nan, "not finite", AGN_EDOMAIN, 110);
    test_strangers(x, turned, "complex", AGN_EDTYPE, 20);
    test_strangers(x, truth, "of truth values", AGN_EDTYPE, 10);
    test_strangers(x, half, "f16", AGN_EDTYPE, 10);
    agn_release(x), agn_release(sparse), agn_release(scalar), agn_release(tall), agn_release(nan);
    agn_release(turned), agn_release(truth), agn_release(half);
    return done();
}
