/* pca.c - principal components of Fisher's irises by a singular value decomposition, and what each
   flower does to them: the gradient of the first component's share of the variance, compared with
   the formula for it. With an argument a picture is written there. */
#include "chart.h"
#include "iris.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>

static const int32_t rows = 0;

static const agn_tensor *centred(agn_scope *s, const agn_tensor *x)
{
    return ag_sub(s, x, ag_mean(s, x, &rows, 1, true));
}
/* singular values and right singular vectors of data about their mean */
static void components(agn_scope *s, const agn_tensor *x, const agn_tensor **values,
                       const agn_tensor **vectors)
{
    agn_tensor *u = NULL, *sigma = NULL, *vh = NULL;
    const agn_tensor *c = centred(s, x);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_linalg_svd(&u, &sigma, &vh, c, false);
    *values = agn_scope_adopt(s, st, &sigma);
    *vectors = agn_scope_adopt(s, st, &vh);
    agn_release(u);
}
static agn_status share(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    (void)user;
    const agn_tensor *variance = ag_square(s, ag_linalg_svdvals(s, centred(s, in[0])));
    out[0] = ag_div(s, ag_index_axis(s, variance, 0, 0), ag_sum_all(s, variance));
    return agn_scope_status(s);
}

/* d share = 2 (c v v' - share c) / sum of squares, with centred data c and the first vector v */
static const agn_tensor *formula(agn_scope *s, const agn_tensor *x, const agn_tensor *values,
                                 const agn_tensor *vectors)
{
    const agn_tensor *variance = ag_square(s, values), *total = ag_sum_all(s, variance);
    const agn_tensor *part = ag_div(s, ag_index_axis(s, variance, 0, 0), total);
    const agn_tensor *c = centred(s, x), *v = ag_index_axis(s, vectors, 0, 0);
    const agn_tensor *along = ag_outer(s, ag_matmul(s, c, v), v);
    return ag_div(s, ag_mul_c(s, ag_sub(s, along, ag_mul(s, c, part)), 2), total);
}

/* flowers by their scores: the size of a disc is what the flower does to the share */
static void draw(const char *path, const double *score, const double *effect, double largest)
{
    static const char *const colour[] = {CHART_BLUE, CHART_GREEN, CHART_RED};
    chart c = {picture_open(path, 640, 380), 60, 25, 560, 300, -40, 40, -15, 17};
    chart_frame(&c, "irises: setosa (blue), versicolor (green), virginica (red)");
    chart_axes(&c, "first component, mm", "second component, mm");
    for (int i = 0; i < FLOWERS; i++)
        chart_point(&c, score[2 * i], score[2 * i + 1], 1.5 + 5 * effect[i] / largest,
                    colour[i / 50]);
    picture_close(c.f);
}

static agn_status report(agn_scope *s, const char *path)
{
    agn_fn *f = NULL, *df = NULL;
    const agn_tensor *x = ag_from_host(s, AGN_F64, 2, (const int64_t[]){FLOWERS, MEASURES}, iris);
    const agn_tensor *values = NULL, *vectors = NULL, *g = NULL;
    agn_status st = agn_fn_new(&f, share, NULL, NULL, 1, 1);
    st = st ? st : agn_fn_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_apply(s, &g, 1, df, &x, 1);
    agn_scope_fail(s, st);
    components(s, x, &values, &vectors);
    const agn_tensor *variance = ag_square(s, values);
    const agn_tensor *parts = ag_div(s, variance, ag_sum_all(s, variance));
    const agn_tensor *off = ag_max(s, ag_abs(s, ag_sub(s, g, formula(s, x, values, vectors))), NULL,
                                   0, false);
    const int32_t columns = 1;
    const agn_tensor *effect = ag_sqrt(s, ag_sum(s, ag_square(s, g), &columns, 1, false));
    const agn_tensor *two = ag_slice(s, vectors, 1, (const int64_t[]){0}, (const int64_t[]){2},
                                     NULL);
    const agn_tensor *score = ag_matmul(s, centred(s, x), ag_transpose(s, two));
    score = ag_contiguous(s, score);
    st = agn_scope_status(s);
    if (!st) {
        const double *p = agn_data(parts), *v = agn_data(vectors), *e = agn_data(effect),
                     *d = agn_data(off);
        int most = 0;
        printf("share of the variance: %.4f %.4f %.4f %.4f\n", p[0], p[1], p[2], p[3]);
        printf("first component: %.4f %.4f %.4f %.4f\n", v[0], v[1], v[2], v[3]);
        for (int i = 0; i < FLOWERS; i++)
            most = e[i] > e[most] ? i : most;
        printf("gradient: %s\n", *d < 1e-14 ? "as by the formula" : "not as by the formula");
        printf("flower %d changes the first share most, by %.5f a millimetre\n", most + 1, e[most]);
        if (path)
            draw(path, agn_data(score), e, e[most]);
    }
    agn_fn_release(f);
    agn_fn_release(df);
    return st;
}

int main(int argc, char **argv)
{
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_fail(s, report(s, argc > 1 ? argv[1] : NULL));
    agn_status st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
