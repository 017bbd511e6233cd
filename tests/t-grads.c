/* tests/t-grads.c - gradients that add up over calls of backward. */
#include "laws.h"

#include <time.h>

#undef I /* of <complex.h> */

static bool is(const agn_grads *g, const agn_tensor *x, double want)
{
    agn_tensor *y = NULL;
    bool good = !agn_grads_get(&y, g, x) && same_shapes(x, y);
    for (int64_t i = 0; good && i < agn_numel(y); i++)
        good = fabs(peek(y, i) - want) <= 1e-14 * (1 + fabs(want));
    if (!good)
        diag("%s, wanted %g", y ? "another value" : agn_error_message(), want);
    agn_release(y);
    return good;
}

static bool absent(const agn_grads *g, const agn_tensor *x)
{
    agn_tensor *y = untouched;
    return refused(agn_grads_get(&y, g, x), AGN_EARG, "grads_get", "summed", NULL, y);
}

static agn_tensor *watched(double v)
{
    agn_tensor *x = scalar_of(AGN_F64, v), *w = NULL;
    must(agn_watch(&w, x));
    agn_release(x);
    return w;
}

/* n leaves, each added to one sum: processor time of backward, of summing again and of reading */
static double seconds(int64_t n)
{
    agn_grads *h = NULL;
    agn_tensor **leaf = room_for((size_t)n * sizeof *leaf), *sum = scalar_of(AGN_F64, 0), *y = NULL;
    for (int64_t i = 0; i < n; i++) {
        leaf[i] = watched(1);
        must(agn_add(&y, sum, leaf[i]));
        agn_release(sum);
        sum = y;
    }
    must(agn_grads_new(&h));
    clock_t start = clock();
    must(agn_backward(h, sum, NULL));
    must(agn_backward(h, sum, NULL));
    bool good = true;
    for (int64_t i = 0; i < n; i++) {
        y = NULL;
        must(agn_grads_get(&y, h, leaf[n - 1 - i]));
        good = good && peek(y, 0) == 2;
        agn_release(y);
    }
    double t = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int64_t i = 0; i < n; i++)
        agn_release(leaf[i]);
    free(leaf);
    agn_release(sum);
    agn_grads_release(h);
    return good ? t : (double)INFINITY;
}

/* ten times as many leaves take some ten times as long: a hundred times where each is looked for
   among all. The least of three runs of each. */
static void test_many(void)
{
    double few = (double)INFINITY, many = (double)INFINITY;
    int64_t n = tap_scale(100000);
    for (int i = 0; i < 3; i++) {
        few = fmin(few, seconds(n / 10));
        many = fmin(many, seconds(n));
    }
    diag("%lld leaves: %.3g s; a tenth of them: %.3g s", (long long)n, many, few);
    ok(many < 40 * few, "gradients of %lld leaves in linear time", (long long)n);
}

int main(void)
{
    tally t = {0};
    agn_tensor *a = watched(3), *b = watched(5), *c = watched(7), *ab = NULL, *y = NULL, *z = NULL;
    must(agn_mul(&ab, a, b));
    must(agn_mul(&y, ab, ab)); /* (a b)^2 */
    must(agn_add(&z, a, c));
    agn_grads *g = NULL;
    must(agn_grads_new(&g));
    must(agn_backward(g, y, NULL));
    check(&t, is(g, a, 2 * 3 * 25) && is(g, b, 2 * 5 * 9), "(a b)^2");
    check(&t, absent(g, c), "c is not behind it");
    check(&t, absent(g, ab), "A6: a value that is no leaf has no gradient");
    must(agn_backward(g, y, NULL));
    check(&t, is(g, a, 4 * 3 * 25) && is(g, b, 4 * 5 * 9), "twice");
    must(agn_backward(g, z, NULL));
    check(&t, is(g, a, 4 * 3 * 25 + 1) && is(g, b, 4 * 5 * 9) && is(g, c, 1), "a + c");
    tell(&t, "A5 H3: gradients add up over calls and roots");

    t = (tally){0};
    must(agn_grads_clear(g, true));
    check(&t, is(g, a, 0) && is(g, b, 0) && is(g, c, 0), "to zero");
    must(agn_backward(g, z, NULL));
    check(&t, is(g, a, 1) && is(g, b, 0), "from zero");
    must(agn_grads_clear(g, false));
    check(&t, absent(g, a) && absent(g, b), "to absent");
    must(agn_grads_retain(g, ab));
    must(agn_grads_retain(g, ab));
    agn_tensor *two = scalar_of(AGN_F64, 2);
    must(agn_backward(g, y, two));
    check(&t, is(g, ab, 2 * 2 * 15) && is(g, a, 4 * 3 * 25), "A6: retained, with a cotangent of 2");
    must(agn_backward(g, z, NULL));
    check(&t, is(g, ab, 2 * 2 * 15) && is(g, a, 4 * 3 * 25 + 1), "and left alone by others");
    tell(&t, "A5 A6: cleared to zero or to absent; values are retained on request");

    t = (tally){0};
    agn_tensor *plain = scalar_of(AGN_F64, 1), *three = NULL, *whole = scalar_of(AGN_I64, 1), *wi = NULL;
    must(agn_full(&three, AGN_F64, 1, (int64_t[]){3}, 1));
    must(agn_watch(&wi, whole));
#define REFUSED(call, st, op, f1, f2) check(&t, refused(call, st, op, f1, f2, untouched), "%s", #call)
    REFUSED(agn_grads_new(NULL), AGN_ENULL, "grads_new", "NULL", NULL);
    REFUSED(agn_backward(NULL, y, NULL), AGN_ENULL, "backward", "map", NULL);
    REFUSED(agn_backward(g, NULL, NULL), AGN_ENULL, "backward", "y", NULL);
    REFUSED(agn_backward(g, plain, NULL), AGN_EARG, "backward", "not recorded", "[]");
    REFUSED(agn_backward(g, wi, NULL), AGN_EDTYPE, "backward", "i64", NULL);
    REFUSED(agn_backward(g, y, three), AGN_ESHAPE, "backward", "[3]", "[]");
    REFUSED(agn_grads_retain(g, plain), AGN_EARG, "grads_retain", "not recorded", NULL);
    REFUSED(agn_grads_retain(g, wi), AGN_EDTYPE, "grads_retain", "i64", NULL);
    REFUSED(agn_grads_retain(g, NULL), AGN_ENULL, "grads_retain", "x", NULL);
    REFUSED(agn_grads_retain(NULL, y), AGN_ENULL, "grads_retain", "map", NULL);
    REFUSED(agn_grads_clear(NULL, true), AGN_ENULL, "grads_clear", "map", NULL);
    REFUSED(agn_grads_get(NULL, g, a), AGN_ENULL, "grads_get", "out", NULL);
    check(&t, is(g, a, 4 * 3 * 25 + 1), "the map is as it was");
    int faults = 0;
    for (;; faults++) {
        agn_memory_fail_after(faults);
        agn_status st = agn_backward(g, y, NULL);
        agn_memory_fail_after(-1);
        if (!st)
            break;
        check(&t, st == AGN_ENOMEM && is(g, a, 4 * 3 * 25 + 1), "failure %d", faults);
    }
    check(&t, faults > 10 && is(g, a, 4 * 3 * 25 + 1 + 2 * 3 * 25), "%d failures", faults);
    tell(&t, "refusals and %d failures of memory leave the map alone", faults);

    /* a long tape, and many leaves */
    t = (tally){0};
    agn_grads *h = NULL;
    must(agn_grads_new(&h));
    agn_tensor *leaf[200], *sum = scalar_of(AGN_F64, 0);
    for (int i = 0; i < 200; i++) {
        leaf[i] = watched(i);
        for (int k = 0; k < 20; k++) {
            agn_tensor *u = NULL;
            must(agn_add(&u, sum, leaf[i]));
            agn_release(sum);
            sum = u;
        }
    }
    must(agn_backward(h, sum, NULL));
    for (int i = 0; i < 200; i++) {
        check(&t, is(h, leaf[i], 20), "leaf %d", i);
        agn_release(leaf[i]);
    }
    agn_release(sum);
    agn_grads_release(h);
    agn_grads_release(NULL);
    tell(&t, "200 leaves of a tape of 4000 ops");
    agn_grads_release(g);
    test_many();
    agn_tensor *all[] = {a, b, c, ab, y, z, two, plain, three, whole, wi};
    for (int i = 0; i < COUNT(all); i++)
        agn_release(all[i]);
    int64_t bytes, blocks;
    agn_memory_live(&bytes, &blocks, NULL);
    ok(blocks == 0, "nothing is left: %" PRId64 " blocks", blocks);
    return done();
}
