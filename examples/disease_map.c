/* disease_map.c - risks over the map of an island from counts in its cells: a Gaussian Markov
   random field (Besag, York & Mollie 1991; Rue & Held 2005, 4.4) is integrated out by Laplace's
   method with a sparse Hessian, and how strongly neighbours hang together is what makes the counts
   most likely, by an exact gradient. The errors of what it says are held against those of the
   counts themselves. With an argument a picture is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/infer_approximation.h>
#include <agnesi/optim.h>
#include <agnesi/series_laws.h>

enum { COLUMNS = 36, ROWS = 26, MOST = COLUMNS * ROWS };

typedef struct island {
    int64_t cells, entries, begin[MOST + 1], to[5 * MOST];
    double laplacian[5 * MOST], diagonal[5 * MOST]; /* at the entries */
    int column[MOST], row[MOST];
    double expected[MOST], risk[MOST], count[MOST];
} island;

static int is_land(int x, int y)
{
    double a = (x - 17.5) / 17, b = (y - 12.5) / 12, t = atan2(b, a);
    return x >= 0 && y >= 0 && x < COLUMNS && y < ROWS &&
           sqrt(a * a + b * b) < 0.85 + 0.12 * sin(3 * t + 1) + 0.08 * cos(5 * t);
}
static void survey(island *q)
{
    int number[ROWS][COLUMNS];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            if (is_land(x, y)) {
                number[y][x] = (int)q->cells;
                q->column[q->cells] = x;
                q->row[q->cells++] = y;
            }
    for (int i = 0; i < q->cells; i++) {
        const int x = q->column[i], y = q->row[i];
        const int next[5][2] = {{x, y - 1}, {x - 1, y}, {x, y}, {x + 1, y}, {x, y + 1}};
        int neighbours = 0;
        int64_t own = 0;
        for (int m = 0; m < 5; m++) {
            if (!is_land(next[m][0], next[m][1]))
                continue;
            if (m == 2)
                own = q->entries;
            neighbours += m != 2;
            q->diagonal[q->entries] = m == 2;
            q->laplacian[q->entries] = -1;
            q->to[q->entries++] = number[next[m][1]][next[m][0]];
        }
        q->laplacian[own] = neighbours;
        q->begin[i + 1] = q->entries;
        q->expected[i] = 2 + 1.5 * sin(0.9 * x) * cos(0.7 * y); /* by the people who live there */
        q->risk[i] = 0.9 * exp(-((x - 10) * (x - 10) + (y - 9) * (y - 9)) / 40.0) +
                     0.7 * sin(0.15 * x + 0.2 * y) - 0.2;
    }
}
static agn_status fall_ill(agn_scope *s, island *q)
{
    agn_generator *g = NULL;
    agn_tensor *k = NULL;
    agn_status st = agn_generator_new(&g, 5);
    const agn_tensor *key = agn_scope_adopt(s, st ? st : agn_key(&k, g), &k);
    const agn_tensor *rate = ag_mul(s, ag_from_host(s, AGN_F64, 1, &q->cells, q->expected),
                                    ag_exp(s, ag_from_host(s, AGN_F64, 1, &q->cells, q->risk)));
    const agn_tensor *count = ag_distribution_sample(s, ag_distribution_poisson(s, rate, NULL), key,
                                                     0, NULL);
    count = ag_contiguous(s, ag_cast(s, count, AGN_F64));
    agn_generator_release(g);
    st = agn_scope_status(s);
    for (int i = 0; i < q->cells && !st; i++)
        q->count[i] = ((const double *)agn_data(count))[i];
    return st;
}

/* log density of log risks and counts; theta: logs of the precision and of the pull to the mean,
   the mean */
static agn_status joint(void *user, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    const island *q = user;
    const int64_t n = q->cells, e = q->entries, ends = n + 1;
    const agn_tensor *t[3];
    for (int i = 0; i < 3; i++)
        t[i] = ag_index_axis(s, in[1], 0, i);
    const agn_tensor *values = ag_add(
        s, ag_from_host(s, AGN_F64, 1, &e, q->laplacian),
        ag_mul(s, ag_from_host(s, AGN_F64, 1, &e, q->diagonal), ag_exp(s, t[1])));
    const agn_tensor *precision = ag_sparse_csr(
        s, n, n, ag_from_host(s, AGN_I64, 1, &ends, q->begin),
        ag_from_host(s, AGN_I64, 1, &e, q->to), ag_mul(s, values, ag_exp(s, t[0])));
    const agn_tensor *field = ag_gaussian_markov_field_log_prob(
        s, in[0], ag_broadcast_to(s, t[2], 1, &n), precision);
    const agn_tensor *rate = ag_mul(s, ag_from_host(s, AGN_F64, 1, &n, q->expected),
                                    ag_exp(s, in[0]));
    const agn_distribution *seen = ag_distribution_poisson(s, rate, NULL);
    const agn_tensor *like = ag_distribution_log_prob(s, seen,
                                                      ag_from_host(s, AGN_F64, 1, &n, q->count));
    out[0] = ag_add(s, field, ag_sum_all(s, like));
    return agn_scope_status(s);
}
static agn_status loss(void *integral, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    const agn_tensor *y[2] = {NULL, NULL}, *args[2] = {in[1], in[0]};
    agn_status st = agn_fn_apply(s, y, 2, integral, args, 2);
    out[0] = ag_neg(s, y[0]);
    return st ? st : agn_scope_status(s);
}

static void draw(const char *path, const island *q, const double *mode)
{
    FILE *f = picture_open(path, 30 + 3 * 7 * COLUMNS, 40 + 7 * ROWS);
    static const char *const title[] = {"risk", "cases over expected ones", "what the field says"};
    for (int map = 0; map < 3; map++) {
        chart c = {f, 10 + 7 * COLUMNS * map, 25, 7 * COLUMNS, 7 * ROWS, 0, 1, 0, 1};
        chart_label(&c, c.left + c.width / 2, 16, "middle", title[map]);
        for (int i = 0; i < q->cells; i++) {
            double r = map == 0   ? exp(q->risk[i])
                       : map == 1 ? q->count[i] / q->expected[i]
                                  : exp(mode[i]);
            picture_square(f, c.left + 7 * q->column[i], c.top + 7 * q->row[i], 7.1, r / 4);
        }
    }
    picture_close(f);
}

static agn_status report(agn_scope *s, island *q, const char *path)
{
    agn_fn *density = NULL, *integral = NULL, *f = NULL;
    agn_tensor *best = NULL;
    const agn_tensor *y[2] = {NULL, NULL}, *zero = ag_zeros(s, AGN_F64, 1, &q->cells);
    const agn_tensor *in[2] = {ag_zeros(s, AGN_F64, 1, (const int64_t[]){3}), zero};
    double value = 0;
    agn_optim_options opts = {.size = sizeof opts, .gradient_tol = 1e-5};
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&density, joint, q, NULL, 2, 1);
    st = st ? st : agn_fn_laplace(&integral, density, NULL);
    st = st ? st : agn_fn_new(&f, loss, integral, NULL, 2, 1);
    st = st ? st : agn_fn_minimise(&best, 1, &value, NULL, f, in, 2, AGN_OPTIM_BFGS, 100, &opts);
    const agn_tensor *at[2] = {zero, agn_scope_adopt(s, st, &best)};
    st = st ? st : agn_fn_apply(s, y, 2, integral, at, 2);
    agn_fn_release(f);
    agn_fn_release(integral);
    agn_fn_release(density);
    if (st)
        return st;
    const double *t = agn_data(at[1]), *mode = agn_data(y[1]);
    double raw = 0, smooth = 0;
    for (int i = 0; i < q->cells; i++) {
        raw += pow(q->count[i] / q->expected[i] - exp(q->risk[i]), 2) / (double)q->cells;
        smooth += pow(exp(mode[i]) - exp(q->risk[i]), 2) / (double)q->cells;
    }
    printf("%d cells, precision %.1f, pull %.3f, mean %.2f\n", (int)q->cells, exp(t[0]), exp(t[1]),
           t[2]);
    printf("log marginal likelihood %.1f\n", -value);
    printf("error of the risk: %.2f by the counts, %.2f by the field\n", sqrt(raw), sqrt(smooth));
    if (path)
        draw(path, q, mode);
    return AGN_OK;
}

int main(int argc, char **argv)
{
    static island q;
    survey(&q);
    agn_scope *s = agn_scope_open(NULL);
    agn_status st = fall_ill(s, &q);
    st = st ? st : report(s, &q, argc > 1 ? argv[1] : NULL);
    agn_scope_fail(s, st);
    st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
