/* eigenmaps.c - a rolled sheet laid out by its length: eigenvectors of the Laplacian of its
   neighbours (Belkin & Niyogi 2003). Draws eigenmaps.svg: the roll, and what the vectors make of
   it. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { POINTS = 900, NEAR = 10 };
static double point[POINTS][3], turn[POINTS];

static double apart(int i, int j)
{
    double d = 0;
    for (int k = 0; k < 3; k++)
        d += (point[i][k] - point[j][k]) * (point[i][k] - point[j][k]);
    return d;
}

/* is j among the nearest to i? */
static bool is_near(int i, int j)
{
    int closer = 0;
    for (int k = 0; k < POINTS && closer <= NEAR; k++)
        closer += k != i && apart(i, k) < apart(i, j);
    return closer < NEAR;
}

/* weights between neighbours, in compressed rows */
static agn_status neighbours(agn_tensor **out)
{
    static int64_t begin[POINTS + 1], to[POINTS * 8 * NEAR];
    static double w[POINTS * 8 * NEAR];
    int64_t n = 0, ends = POINTS + 1;
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < POINTS; j++)
            if (i != j && (is_near(i, j) || is_near(j, i))) {
                to[n] = j;
                w[n++] = exp(-apart(i, j) / 4);
            }
        begin[i + 1] = n;
    }
    agn_scope *s = agn_scope_open(NULL);
    agn_scope_return(s, out,
                     ag_sparse_csr(s, POINTS, POINTS, ag_from_host(s, AGN_I64, 1, &ends, begin),
                                   ag_from_host(s, AGN_I64, 1, &n, to),
                                   ag_from_host(s, AGN_F64, 1, &n, w)));
    return agn_scope_close(s);
}

static void draw(const double *v, int k)
{
    FILE *f = picture_open("eigenmaps.svg", 800, 400);
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < POINTS; i++)
        for (int c = 0; c < 2; c++) {
            low[c] = fmin(low[c], v[i * k + 1 + c]);
            high[c] = fmax(high[c], v[i * k + 1 + c]);
        }
    for (int i = 0; i < POINTS; i++) {
        double t = (turn[i] - 4.7) / 9.5;
        picture_disc(f, 200 + 12 * point[i][0], 200 - 12 * point[i][2] + 2 * point[i][1], 4, t);
        picture_disc(f, 420 + 360 * (v[i * k + 1] - low[0]) / (high[0] - low[0]),
                     380 - 360 * (v[i * k + 2] - low[1]) / (high[1] - low[1]), 4, t);
    }
    picture_close(f);
}

int main(void)
{
    enum { K = 4 };
    for (int i = 0; i < POINTS; i++) { /* a sheet of 9.5 by 20, rolled once and a half */
        double u = fmod((i + 1) * 0.7548776662466927, 1), v = fmod((i + 1) * 0.5698402909980532, 1);
        turn[i] = 4.7 + 9.5 * u;
        point[i][0] = turn[i] * cos(turn[i]);
        point[i][1] = 20 * v;
        point[i][2] = turn[i] * sin(turn[i]);
    }
    agn_tensor *a = NULL, *l = NULL, *values = NULL, *vectors = NULL, *labels = NULL;
    agn_eigen_options opts = {.size = sizeof opts, .which = AGN_EIGEN_NEAREST, .sigma = -1e-3};
    int64_t parts = 0;
    agn_status st = neighbours(&a);
    st = st ? st : agn_sparse_components(&labels, &parts, a, false);
    st = st ? st : agn_sparse_laplacian(&l, a, true);
    st = st ? st : agn_eigsh(&values, &vectors, NULL, l, K, &opts);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        printf("%d component\n", (int)parts);
        for (int k = 0; k < K; k++)
            printf("eigenvalue %d: %.4f\n", k, fabs(((const double *)agn_data(values))[k]));
        draw(agn_data(vectors), K);
    }
    agn_tensor *all[] = {a, l, values, vectors, labels};
    for (int i = 0; i < 5; i++)
        agn_release(all[i]);
    return st != AGN_OK;
}
