/* procrustes.c - the mean of outlines that lie anywhere, at any angle and size (Gower 1975): each
   is turned to the mean of all by the orthogonal matrix of least distance, until nothing moves. In
   the plane the angle has a formula; it and its derivative are compared. With an argument a picture
   is written there. */
#include "chart.h"
#include <agnesi/agnesi.h>
#include <agnesi/linalg.h>

enum { LEAVES = 9, MARKS = 48 };
static const int32_t marks_axis = 1, both[] = {1, 2};

/* outlines of leaves of a maple: a curve of five lobes, each with small waves, turned, scaled and
   moved */
static void grow(double leaf[LEAVES][MARKS][2])
{
    for (int k = 0; k < LEAVES; k++) {
        double turn = 0.7 * k + 0.3 * sin(3.0 * k), size = 1 + 0.5 * sin(2.0 * k + 1);
        for (int i = 0; i < MARKS; i++) {
            double a = 2 * acos(-1) * i / MARKS;
            double r = 1 + 0.35 * cos(5 * a) + 0.2 * cos(a) +
                       0.06 * (sin(3 * a + k) + cos(7 * a + 2.0 * k) + sin(11 * a + 5.0 * k));
            leaf[k][i][0] = size * r * cos(a + turn) + 3 * sin(5.0 * k);
            leaf[k][i][1] = size * r * sin(a + turn) + 3 * cos(4.0 * k);
        }
    }
}

/* moved to the origin, with a sum of squares of 1; [leaves, marks, 2] */
static const agn_tensor *standard(agn_scope *s, const agn_tensor *x)
{
    const agn_tensor *c = ag_sub(s, x, ag_mean(s, x, &marks_axis, 1, true));
    return ag_div(s, c, ag_sqrt(s, ag_sum(s, ag_square(s, c), both, 2, true)));
}
/* one round: each is turned to the mean of all */
static const agn_tensor *turn_all(agn_scope *s, const agn_tensor *x, const agn_tensor **mean)
{
    const int32_t leaves = 0;
    *mean = ag_mean(s, x, &leaves, 1, false);
    return ag_matmul(s, x, ag_linalg_procrustes(s, x, *mean));
}
static const agn_tensor *scatter_of(agn_scope *s, const agn_tensor *x, const agn_tensor *mean)
{
    return ag_sum_all(s, ag_square(s, ag_sub(s, x, mean)));
}

/* angle of the rotation from in[0] to in[1], by the matrix, and by cross and scalar products */
static agn_status angle(void *by_formula, agn_scope *s, const agn_tensor *const *in,
                        const agn_tensor **out)
{
    if (by_formula) {
        const agn_tensor *m = ag_matmul(s, ag_transpose(s, in[0]), in[1]);
        const agn_tensor *e[4];
        for (int i = 0; i < 4; i++)
            e[i] = ag_index_axis(s, ag_index_axis(s, m, 0, i / 2), 0, i % 2);
        out[0] = ag_atan2(s, ag_sub(s, e[1], e[2]), ag_add(s, e[0], e[3]));
    } else {
        const agn_tensor *first = ag_index_axis(s, ag_linalg_procrustes(s, in[0], in[1]), 0, 0);
        out[0] = ag_atan2(s, ag_index_axis(s, first, 0, 1), ag_index_axis(s, first, 0, 0));
    }
    return agn_scope_status(s);
}
/* whether angle and gradient are the same both ways */
static agn_status compare(agn_scope *s, const agn_tensor *a, const agn_tensor *b)
{
    static int formula = 1;
    const agn_tensor *y[2][2] = {{NULL}}, *in[] = {a, b};
    agn_status st = agn_scope_status(s);
    for (int k = 0; k < 2; k++) {
        agn_fn *f = NULL, *df = NULL;
        st = st ? st : agn_fn_new(&f, angle, k ? &formula : NULL, NULL, 2, 1);
        st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
        st = st ? st : agn_fn_apply(s, y[k], 2, df, in, 2);
        agn_fn_release(f);
        agn_fn_release(df);
    }
    agn_scope_fail(s, st);
    const agn_tensor *off[2];
    for (int i = 0; i < 2; i++)
        off[i] = ag_max(s, ag_abs(s, ag_sub(s, y[0][i], y[1][i])), NULL, 0, false);
    st = agn_scope_status(s);
    if (!st) {
        const double *d[2] = {agn_data(off[0]), agn_data(off[1])}, *v = agn_data(y[0][0]);
        printf("angle %.4f, by the formula %s, its gradient %s\n", *v,
               *d[0] < 1e-13 ? "the same" : "another one", *d[1] < 1e-12 ? "too" : "not");
    }
    return st;
}

static void draw(const char *path, double leaf[LEAVES][MARKS][2], const double *turned,
                 const double *mean)
{
    FILE *f = picture_open(path, 640, 330);
    chart found = {f, 30, 25, 280, 280, -6, 6, -6, 6},
          meant = {f, 345, 25, 280, 280, -0.3, 0.3, -0.3, 0.3};
    chart_frame(&found, "outlines");
    chart_frame(&meant, "turned to each other, and their mean");
    for (int k = 0; k <= LEAVES; k++) {
        double x[2][MARKS + 1], y[2][MARKS + 1];
        const double *to = k < LEAVES ? turned + 2 * MARKS * k : mean;
        for (int i = 0; i <= MARKS; i++) {
            int m = i % MARKS;
            x[0][i] = leaf[k % LEAVES][m][0];
            y[0][i] = leaf[k % LEAVES][m][1];
            x[1][i] = to[2 * m];
            y[1][i] = to[2 * m + 1];
        }
        if (k < LEAVES)
            chart_curve(&found, MARKS + 1, x[0], y[0], CHART_GREEN);
        chart_curve(&meant, MARKS + 1, x[1], y[1], k < LEAVES ? CHART_PALE : CHART_RED);
    }
    picture_close(f);
}

int main(int argc, char **argv)
{
    static double leaf[LEAVES][MARKS][2];
    grow(leaf);
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *mean = NULL;
    const agn_tensor *x = standard(
        s, ag_from_host(s, AGN_F64, 3, (const int64_t[]){LEAVES, MARKS, 2}, leaf));
    agn_scope_fail(s, compare(s, ag_index_axis(s, x, 0, 1), ag_index_axis(s, x, 0, 2)));
    double before = INFINITY, now = 0;
    int rounds = 0;
    for (; rounds < 100 && !agn_scope_status(s); rounds++) {
        x = turn_all(s, x, &mean);
        const agn_tensor *left = scatter_of(s, x, mean);
        if (agn_scope_status(s))
            break;
        now = *(const double *)agn_data(left);
        if (!rounds)
            printf("sum of squares about the mean: %.3f after one round\n", now);
        if (before - now < 1e-12)
            break;
        before = now;
    }
    x = ag_contiguous(s, x);
    mean = ag_contiguous(s, mean);
    if (!agn_scope_status(s)) {
        printf("%.3f in the end\n", now);
        if (argc > 1)
            draw(argv[1], leaf, agn_data(x), agn_data(mean));
    }
    agn_status st = agn_scope_close(s);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
