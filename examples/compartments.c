/* compartments.c - a linear differential equation by matrix exponentials: a drug goes from the
   plasma to tissue, back, and out (Kwan & al. 1976: indometacin, the first of six people). Rates by
   the gradient of a sum of squares; what they give is the sum of two exponentials that R's nls is
   documented with. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>
#include <agnesi/optim.h>

enum { TIMES = 11, GRID = 161 };
static const double hour[TIMES] = {0.25, 0.5, 0.75, 1, 1.25, 2, 3, 4, 5, 6, 8};
static const double found[TIMES] = {1.50, 0.94, 0.78, 0.48, 0.37, 0.19,
                                    0.12, 0.11, 0.08, 0.07, 0.05};
static const int64_t times = TIMES;

static const agn_tensor *entry(agn_scope *s, const agn_tensor *v, int i)
{
    return ag_index_axis(s, v, 0, i);
}
/* x' = a x; p: logs of the rates out, to tissue and back, and of the dose by volume */
static const agn_tensor *flow_of(agn_scope *s, const agn_tensor *p)
{
    const agn_tensor *rate = ag_exp(s, p);
    const agn_tensor *out = entry(s, rate, 0), *there = entry(s, rate, 1),
                     *back = entry(s, rate, 2);
    const agn_tensor *const all[] = {ag_neg(s, ag_add(s, out, there)), back, there,
                                     ag_neg(s, back)};
    return ag_reshape(s, ag_stack(s, all, 4, 0), 2, (const int64_t[]){2, 2});
}
/* both concentrations at times t: dose times the first columns of exp(t a), [n, 2] */
static const agn_tensor *course(agn_scope *s, const agn_tensor *p, const agn_tensor *t)
{
    const agn_tensor *at = ag_mul(s, flow_of(s, p), ag_expand_dims(s, ag_expand_dims(s, t, 1), 2));
    return ag_mul(s, ag_index_axis(s, ag_linalg_matrix_exp(s, at), 2, 0),
                  ag_exp(s, entry(s, p, 3)));
}
static agn_status misfit(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    (void)user;
    const agn_tensor *t = ag_from_host(s, AGN_F64, 1, &times, hour);
    const agn_tensor *plasma = ag_index_axis(s, course(s, in[0], t), 1, 0);
    out[0] = ag_sum_all(
        s, ag_square(s, ag_sub(s, plasma, ag_from_host(s, AGN_F64, 1, &times, found))));
    return agn_scope_status(s);
}

static void draw(const char *path, const double *at, const double *x)
{
    chart c = {picture_open(path, 640, 310), 60, 25, 560, 240, 0, 8.4, 0, 2.4};
    double plasma[GRID], tissue[GRID];
    for (int i = 0; i < GRID; i++) {
        plasma[i] = x[2 * i];
        tissue[i] = x[2 * i + 1];
    }
    chart_frame(&c, "indometacin in plasma (blue) and in tissue (green, by the volume of plasma)");
    chart_axes(&c, "hours", "mcg/ml");
    chart_curve(&c, GRID, at, tissue, CHART_GREEN);
    chart_curve(&c, GRID, at, plasma, CHART_BLUE);
    for (int i = 0; i < TIMES; i++)
        chart_point(&c, hour[i], found[i], 2.5, "black");
    picture_close(c.f);
}

static agn_status report(agn_scope *s, const agn_tensor *best, double squares, const char *path)
{
    agn_tensor *w = NULL, *v = NULL;
    const agn_tensor *a = flow_of(s, best);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_linalg_eig(&w, &v, a);
    /* x(t) = v exp(w t) v^-1 x(0): weights of both exponentials */
    const agn_tensor *values = ag_real(s, agn_scope_adopt(s, st, &w));
    const agn_tensor *vectors = ag_real(s, agn_scope_adopt(s, st, &v));
    const agn_tensor *dose = ag_exp(s, entry(s, best, 3));
    const agn_tensor *to = ag_index_axis(s, ag_linalg_inv(s, vectors), 1, 0);
    const agn_tensor *weight = ag_mul(s, ag_mul(s, ag_index_axis(s, vectors, 0, 0), to), dose);
    const agn_tensor *grid = ag_linspace(s, AGN_F64, 0, 8.4, GRID), *x = course(s, best, grid);
    x = ag_contiguous(s, x);
    values = ag_contiguous(s, values);
    st = agn_scope_status(s);
    if (!st) {
        const double *p = agn_data(best), *l = agn_data(values), *c = agn_data(weight);
        int fast = l[0] < l[1] ? 0 : 1;
        printf("rates an hour: out %.3f, to tissue %.3f, back %.3f\n", exp(p[0]), exp(p[1]),
               exp(p[2]));
        printf("A1 %.3f  lrc1 %.4f  A2 %.3f  lrc2 %.3f\n", c[fast], log(-l[fast]), c[1 - fast],
               log(-l[1 - fast]));
        printf("residual standard error %.5f\n", sqrt(squares / (TIMES - 4)));
        if (path)
            draw(path, agn_data(grid), agn_data(x));
    }
    return st;
}

int main(int argc, char **argv)
{
    agn_fn *f = NULL;
    agn_tensor *start = NULL, *best = NULL;
    double squares = 0;
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-10};
    agn_status st = agn_fn_new(&f, misfit, NULL, NULL, 1, 1);
    st = st ? st : agn_zeros(&start, AGN_F64, 1, (const int64_t[]){4});
    const agn_tensor *in[] = {start};
    st = st ? st : agn_fn_minimise(&best, 1, &squares, NULL, f, in, 1, AGN_OPTIM_BFGS, 200, &opts);
    agn_scope *s = agn_scope_open(NULL);
    st = st ? st : report(s, best, squares, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    agn_fn_release(f);
    agn_release(start);
    agn_release(best);
    return st != AGN_OK;
}
