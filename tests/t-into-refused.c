/* tests/t-into-refused.c - what agn_X_into refuses leaves every byte of out as it was, for every
   function of that form: results that do not fit, arguments that are refused, data that has no result. */
#include "tests/laws.h"

#undef I /* of <complex.h> */

/* what functions may be given, by type */
typedef struct arguments {
    const agn_tensor *x[4];
    int32_t axes[4], count, axis;
    int64_t sizes[4], size;
    double reals[4], real;
    bool flag;
    agn_dtype dtype;
    const char *text;
    agn_ix entries[2];
} arguments;

/* y of the function, or out filled by its _into form */
typedef struct call {
    const char *name;
    agn_status (*run)(agn_tensor **y, agn_tensor *out, const arguments *a);
} call;
#include "tests/into-calls.inc"

/* ---- results that fit or not --------------------------------------------------------------- */

typedef struct kind {
    int dtype, ndim;
    int64_t shape[6];
} kind;

static kind result_kind(const agn_tensor *x)
{
    kind k = {.dtype = agn_dtype_of(x), .ndim = agn_ndim(x)};
    for (int i = 0; i < k.ndim; i++)
        k.shape[i] = agn_shape(x)[i];
    return k;
}
static bool same_kind(const kind *a, const kind *b)
{
    return a->dtype == b->dtype && a->ndim == b->ndim &&
           (!a->ndim || !memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape));
}

/* k without and with an axis, turned round, flat, one longer */
enum { SHAPES = 7 };
static bool vary(kind *k, int how)
{
    kind was = *k;
    int64_t size = 1;
    for (int i = 0; i < was.ndim; i++)
        size *= was.shape[i];
    if (how == 1 && was.ndim) {
        k->shape[k->ndim - 1]++;
    } else if (how == 2) {
        k->shape[k->ndim++] = 1;
    } else if (how == 3) {
        k->ndim++;
        k->shape[0] = 1;
        memcpy(k->shape + 1, was.shape, sizeof was.shape - sizeof *was.shape);
    } else if (how == 4 && was.ndim > 1) {
        k->shape[k->ndim - 1] = was.shape[k->ndim - 2];
        k->shape[k->ndim - 2] = was.shape[k->ndim - 1];
    } else if (how == 5) {
        k->ndim = 1;
        k->shape[0] = size;
    } else if (how == 6 && was.ndim) {
        k->ndim--;
    } else {
        return how == 0;
    }
    return k->ndim < 6;
}

/* true: out, of this kind, was refused and holds what it held; with y the function's result, or NULL */
static bool refused_and_kept(const call *c, const kind *k, const arguments *a, bool *ran)
{
    int64_t n = 1;
    for (int i = 0; i < k->ndim; i++)
        n *= k->shape[i];
    size_t bytes = (size_t)n * agn_dtype_size(k->dtype);
    unsigned char *p = room_for(bytes + 1), *was = room_for(bytes + 1);
    memset(p, 1, bytes + 1);
    memset(was, 1, bytes + 1);
    agn_tensor *out = NULL;
    must(agn_wrap_host(&out, k->dtype, k->ndim, k->shape, NULL, p, false, NULL, NULL));
    agn_status st = c->run(NULL, out, a);
    *ran = !st;
    bool kept = !st || !memcmp(p, was, bytes + 1);
    agn_release(out);
    free(p), free(was);
    return kept;
}

/* the _into form of one function with these arguments, into all kinds of results */
static void try_call(tally *t, const call *c, const arguments *a, int64_t *accepted)
{
    agn_tensor *y = NULL;
    bool good = !c->run(&y, NULL, a);
    kind results[4], right = {.ndim = 0};
    int n = 0;
    if (good)
        results[n++] = right = result_kind(y);
    for (int i = 0; !good && i < 2; i++)
        results[n++] = result_kind(a->x[i]);
    agn_release(y);
    for (int i = 0; i < n; i++)
        for (int how = 0; how < SHAPES; how++)
            for (int d = 0; d < AGN_NDTYPES; d++) {
                kind k = results[i];
                bool ran, other = d != k.dtype;
                k.dtype = d;
                /* sanitized builds try one other dtype, with every shape */
                if (((how || tap_quick()) && other && d != AGN_F64) || !vary(&k, how))
                    continue;
                bool kept = refused_and_kept(c, &k, a, &ran);
                bool fits = good && same_kind(&k, &right);
                check(t, kept && ran == fits, "%s_into(%s, ...), arguments %s %s: out %s, rank %d: %s",
                      c->name, agn_dtype_name(d), agn_dtype_name(agn_dtype_of(a->x[0])),
                      good ? "good" : "refused", kept ? ran ? "taken" : "refused" : "overwritten",
                      k.ndim, kept ? "" : agn_error_message());
                *accepted += ran;
            }
}

/* ---- arguments --------------------------------------------------------------------------------- */

enum { MOST = 5 };
static const struct {
    int ndim;
    int64_t shape[3];
} shapes[][2] = {
    {{2, {3, 3}}, {2, {3, 3}}},    {{2, {2, 3}}, {1, {3}}},       {{1, {3}}, {2, {3, 2}}},
    {{1, {3}}, {1, {3}}},          {{3, {2, 3, 3}}, {2, {3, 3}}}, {{0, {0}}, {1, {3}}},
    {{3, {2, 2, 2}}, {1, {2}}},
};

/* numbers that suit many functions: a batch of matrices of which the second is singular, indices
   of which the last is too large */
static agn_tensor *numbers(int dtype, int ndim, const int64_t *shape, bool hard)
{
    double v[MOST * MOST * MOST];
    int64_t n = 1;
    for (int i = 0; i < ndim; i++)
        n *= shape[i];
    for (int64_t i = 0; i < n; i++)
        v[i] = hard && i >= n / 2 ? (double)(i == n - 1 ? 100 : 0) : (double)((i * 7 + 3) % 5) / (dtype >= AGN_F16 ? 4 : 2);
    return of_reals(dtype, ndim, shape, v);
}

static void test_all(void)
{
    static const int dtypes[] = {AGN_F64, AGN_C128, AGN_F32, AGN_BF16, AGN_I64, AGN_BOOL};
    tally t = {0};
    int64_t accepted = 0;
    for (int s = 0; s < COUNT(shapes); s++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int e = 0; e < 3; e++)
                for (int hard = 0; hard < 2; hard++) {
                    int other = e == 0 ? dtypes[d] : e == 1 ? AGN_I64 : AGN_F64;
                    if (e && other == dtypes[d])
                        continue;
                    agn_tensor *x = numbers(dtypes[d], shapes[s][0].ndim, shapes[s][0].shape, hard),
                               *y = numbers(other, shapes[s][1].ndim, shapes[s][1].shape, hard);
                    arguments a = {
                        .x = {x, y, x, y},
                        .axes = {0, 1},
                        .count = 1,
                        .axis = 0,
                        .sizes = {1, 2, 1, 1},
                        .size = 1,
                        .reals = {0.5, 0.25},
                        .real = 0.5,
                        .flag = hard,
                        .dtype = dtypes[d],
                        .text = "ij,jk->ik",
                        .entries = {agn_ix_int(0)},
                    };
                    for (int k = 0; k < COUNT(calls); k++)
                        try_call(&t, &calls[k], &a, &accepted);
                    agn_release(x), agn_release(y);
                }
    ok(accepted > 1000, "%" PRId64 " calls were accepted, of %d functions", accepted, COUNT(calls));
    tell(&t, "what is refused leaves out as it was: %" PRId64 " checks", t.checks);
}

int main(void)
{
    test_all();
    return done();
}
