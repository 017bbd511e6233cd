/* tests/t-written.c - H11: whose version a write raises. A tensor is written after a gradient has
   saved it, or after something else was written that shares its memory or does not; each row says
   whether the gradient may still be had. */
#include "deriv.h"

typedef struct situation {
    const char *name;
    /* what is multiplied by itself, and what is written; both made of x, a leaf without node */
    bool (*make)(agn_tensor **used, agn_tensor **written, agn_tensor *x);
    int writes;
    agn_status want;
} situation;

static bool itself(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *used = agn_retain(x);
    *written = agn_retain(x);
    return true;
}
static bool copy_written(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *used = agn_retain(x);
    return !agn_copy(written, x);
}
static bool copy_used(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *written = agn_retain(x);
    return !agn_copy(used, x);
}
static bool view_written(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *used = agn_retain(x);
    return !agn_reshape(written, x, 2, (int64_t[]){2, 2});
}
static bool view_used(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *written = agn_retain(x);
    return !agn_reshape(used, x, 2, (int64_t[]){2, 2});
}
static bool alias_used(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *written = agn_retain(x);
    return !agn_contiguous(used, x);
}
static bool sum_used(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    *written = agn_retain(x);
    return !agn_add(used, x, x);
}
/* a value with a place changed has memory of its own, as x is held elsewhere */
static bool put_used(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    agn_tensor *v = scalar(5);
    bool made = !agn_index_put(used, x, AGN_IX(agn_ix_int(1)), v);
    agn_release(v);
    *written = agn_retain(x);
    return made;
}
static bool put_written(agn_tensor **used, agn_tensor **written, agn_tensor *x)
{
    bool made = put_used(written, used, x);
    return made;
}

static const situation table[] = {
    {"nothing is written", itself, 0, AGN_OK},
    {"x is written", itself, 1, AGN_ESTALE},
    {"x is written 256 times", itself, 256, AGN_ESTALE},
    {"x is written 65536 times", itself, 65536, AGN_ESTALE},
    {"a copy of x is written", copy_written, 1, AGN_OK},
    {"x is written, its copy was used", copy_used, 1, AGN_OK},
    {"a view of x is written", view_written, 1, AGN_ESTALE},
    {"x is written, a view of it was used", view_used, 1, AGN_ESTALE},
    {"x is written, the same in a row was used", alias_used, 1, AGN_ESTALE},
    {"x is written, a sum was used", sum_used, 1, AGN_OK},
    {"x is written, x with a place changed was used", put_used, 1, AGN_OK},
    {"x with a place changed is written", put_written, 1, AGN_OK},
};

static bool try_situation(const situation *q)
{
    agn_tensor *x = vector(4, (const double[]){1, 2, 3, 4}), *used = NULL, *written = NULL;
    agn_tensor *w = NULL, *y = NULL, *sum = NULL, *g = NULL;
    bool made = q->make(&used, &written, x) && !agn_watch(&w, used) && !agn_mul(&y, w, w) &&
                !agn_sum_all(&sum, y);
    if (!made)
        diag("%s", agn_error_message());
    for (int i = 0; made && i < q->writes; i++) {
        void *p = NULL;
        made = !agn_data_mut(&p, written);
        if (made)
            ((double *)p)[0] = 7 + i;
    }
    const agn_tensor *from[] = {sum}, *to[] = {w};
    agn_status st = made ? agn_gradient(&g, from, 1, to, 1, NULL) : AGN_EARG;
    double v[8] = {NAN}, u[8] = {NAN};
    bool good = st == q->want;
    if (good && !st) {
        int n = numbers(v, 8, g);
        good = n == 4 && numbers(u, 8, used) == 4;
        for (int i = 0; good && i < n; i++)
            good = v[i] == 2 * u[i];
    }
    if (!good)
        diag("status %d, not %d: %s", st, q->want, agn_error_message());
    agn_tensor *all[] = {x, used, written, w, y, sum, g};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        agn_release(all[i]);
    return good;
}

/* A result that a rule reads, written by a name without a node, before or after it is used: that of exp is
   read, that of sin is not. */
static void result_written(void)
{
    for (int k = 0; k < 8; k++) {
        bool read = k & 1, late = k & 2, viewed = k & 4;
        agn_tensor *x = scalar(0.5), *w = NULL, *y = NULL, *z = NULL, *name = NULL, *g = NULL;
        void *p = NULL;
        bool made = !agn_watch(&w, x) && !(read ? agn_exp(&y, w) : agn_sin(&y, w)) &&
                    (!late || !agn_add(&z, y, y)) && !agn_stop_gradient(&name, y);
        if (made && viewed) {
            agn_tensor *v = NULL;
            made = !agn_reshape(&v, name, 1, (int64_t[]){1});
            agn_release(name);
            name = v;
        }
        made = made && !agn_data_mut(&p, name);
        if (made)
            *(double *)p = 55;
        made = made && (late || !agn_add(&z, y, y));
        const agn_tensor *from[] = {z}, *to[] = {w};
        is_int(made ? agn_gradient(&g, from, 1, to, 1, NULL) : AGN_EARG, read ? AGN_ESTALE : AGN_OK,
               "the result of %s is written %s its use%s", read ? "exp" : "sin",
               late ? "after" : "before", viewed ? ", by a view" : "");
        agn_tensor *all[] = {x, w, y, z, name, g};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            agn_release(all[i]);
    }
}

/* an operation into a tensor is a write to it */
static void into(void)
{
    agn_tensor *x = scalar(3), *out = scalar(2), *w = NULL, *y = NULL, *g = NULL;
    bool made = !agn_watch(&w, out) && !agn_square(&y, w) && !agn_exp_into(out, x);
    const agn_tensor *from[] = {y}, *to[] = {w};
    is_int(made ? agn_gradient(&g, from, 1, to, 1, NULL) : AGN_EARG, AGN_ESTALE,
           "H11: exp into a saved tensor");
    agn_release(x);
    agn_release(out);
    agn_release(w);
    agn_release(y);
    agn_release(g);
}

int main(void)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ok(try_situation(&table[i]), "H11: %s", table[i].name);
    result_written();
    into();
    return done();
}
