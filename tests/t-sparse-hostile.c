/* t-sparse-hostile - no wrong answer is called OK: every sparse solver on a few hundred hostile
   matrices - graded, nearly singular, rank-deficient, tall, wide, badly scaled, Hilbert, Kahan, Lauchli,
   Wilkinson, Jordan, saddle points, discretised equations, graph Laplacians, incidence matrices -
   judged by a singular value decomposition in long double (one-sided Jacobi: Demmel & Veselic 1992). */
#include "modes.h"

#include <agnesi/sparse.h>
#include <agnesi/sparse_direct.h>
#include <agnesi/sparse_iterative.h>
#include <float.h>

typedef long double wide;
#define I64(...) ((int64_t[]){__VA_ARGS__})
enum { MOST = 40 };

typedef struct matrix {
    const char *kind;
    double p;         /* its parameter */
    int m, n;
    bool scaled;      /* rows or columns of very different lengths */
    bool low;         /* of lower rank but for rounding */
    double a[MOST * MOST];
} matrix;
#define AT(x, i, j) (x)->a[(i) * (x)->n + (j)]

/* ---- generators: each fills q for its parameter ---------------------------------------------- */

static void sized(matrix *q, int m, int n)
{
    q->m = m;
    q->n = n;
    memset(q->a, 0, sizeof q->a);
}

static double sign_of(double x)
{
    return x < 0 ? -1 : 1;
}

/* a reflection from the left, or from the right */
static void reflect(matrix *q, bool left)
{
    int n = left ? q->m : q->n, k = left ? q->n : q->m;
    double v[MOST], vv = 0;
    for (int i = 0; i < n; i++) {
        v[i] = rnd_in(-1, 1);
        vv += v[i] * v[i];
    }
    for (int j = 0; j < k; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += v[i] * (left ? AT(q, i, j) : AT(q, j, i));
        for (int i = 0; i < n; i++)
            *(left ? &AT(q, i, j) : &AT(q, j, i)) -= 2 * s / vv * v[i];
    }
}

/* singular values 10^(-p i / (k - 1)) */
static void spectrum(matrix *q, int m, int n, double p)
{
    int k = m < n ? m : n;
    sized(q, m, n);
    for (int i = 0; i < k; i++)
        AT(q, i, i) = pow(10, -p * i / (k > 1 ? k - 1 : 1));
}
static void rotate(matrix *q)
{
    for (int i = 0; i < 3; i++) {
        reflect(q, true);
        reflect(q, false);
    }
}

static void graded(matrix *q) { spectrum(q, 24, 24, q->p); q->scaled = true; }
static void geometric(matrix *q) { spectrum(q, 24, 24, q->p); rotate(q); }
static void geometric_tall(matrix *q) { spectrum(q, 36, 14, q->p); rotate(q); }
static void geometric_wide(matrix *q) { spectrum(q, 14, 36, q->p); rotate(q); }
static void one_small(matrix *q)
{
    spectrum(q, 20, 20, 0);
    AT(q, 19, 19) = pow(10, -q->p);
    rotate(q);
}
static void one_small_tall(matrix *q)
{
    spectrum(q, 40, 12, 0);
    AT(q, 11, 11) = pow(10, -q->p);
    rotate(q);
}
static void one_small_diagonal(matrix *q)
{
    spectrum(q, 8, 8, 0);
    AT(q, 7, 7) = pow(10, -q->p);
    q->scaled = true;
}
static void of_rank(matrix *q, int m, int n)
{
    spectrum(q, m, n, 1);
    for (int i = (int)q->p; i < MOST && i < m && i < n; i++)
        AT(q, i, i) = 0;
    rotate(q);
    q->low = true;
}
static void low_rank(matrix *q) { of_rank(q, 18, 18); }
static void low_rank_tall(matrix *q) { of_rank(q, 30, 16); }
static void low_rank_wide(matrix *q) { of_rank(q, 16, 30); }
static void random_shape(matrix *q, int m, int n, int skip)
{
    sized(q, m, n);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (rnd_below(skip) == 0 || (i - j) % n == 0)
                AT(q, i, j) = rnd_in(-1, 1);
}
static void random_tall(matrix *q) { random_shape(q, (int)q->p * 2, (int)q->p, 3); }
static void random_wide(matrix *q) { random_shape(q, (int)q->p, (int)q->p * 2, 3); }
static void random_square(matrix *q) { random_shape(q, (int)q->p, (int)q->p, 4); }
static void scaled_all(matrix *q)
{
    random_shape(q, 12, 12, 3);
    for (int i = 0; i < 12; i++)
        AT(q, i, i) += 4;
    for (int k = 0; k < 144; k++)
        q->a[k] *= pow(10, q->p);
}
static void scaled_tall(matrix *q)
{
    random_shape(q, 20, 8, 2);
    for (int k = 0; k < 160; k++)
        q->a[k] *= pow(10, q->p);
}
static void scaled_wide(matrix *q)
{
    random_shape(q, 8, 20, 2);
    for (int k = 0; k < 160; k++)
        q->a[k] *= pow(10, q->p);
}
static void scale_sides(matrix *q, double rows, double cols)
{
    for (int i = 0; i < q->m; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) *= pow(10, rows * ((i * 5) % 7 - 3) / 3 + cols * ((j * 3) % 5 - 2) / 2);
    q->scaled = true;
}
static void scaled_columns(matrix *q) { random_shape(q, 20, 12, 2); scale_sides(q, 0, q->p); }
static void scaled_rows(matrix *q) { random_shape(q, 20, 12, 2); scale_sides(q, q->p, 0); }
static void scaled_both(matrix *q) { random_shape(q, 12, 12, 2); scale_sides(q, q->p, q->p); }
static void twins(matrix *q) /* columns that differ by 10^-p */
{
    random_shape(q, 20, 10, 2);
    for (int i = 0; i < 20; i++)
        AT(q, i, 9) = AT(q, i, 0) + pow(10, -q->p) * rnd_in(-1, 1);
}
static void empty_lines(matrix *q)
{
    random_shape(q, 14, 14, 2);
    for (int k = 0; k < (int)q->p; k++)
        for (int i = 0; i < 14; i++)
            AT(q, i, 3 * k) = AT(q, 2 * k, i) = 0;
    q->low = true;
}
static void hilbert(matrix *q)
{
    sized(q, (int)q->p, (int)q->p);
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) = 1.0 / (i + j + 1);
}
static void hilbert_tall(matrix *q)
{
    sized(q, 30, (int)q->p);
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) = 1.0 / (i + j + 1);
}
static void hilbert_wide(matrix *q)
{
    sized(q, (int)q->p, 30);
    for (int i = 0; i < q->m; i++)
        for (int j = 0; j < 30; j++)
            AT(q, i, j) = 1.0 / (i + j + 1);
}
static void kahan(matrix *q)
{
    sized(q, 30, 30);
    for (int i = 0; i < 30; i++)
        for (int j = i; j < 30; j++)
            AT(q, i, j) = pow(sin(q->p), i) * (i == j ? 1 : -cos(q->p));
}
static void vandermonde(matrix *q)
{
    sized(q, 24, (int)q->p);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) = pow((i + 1) / 24.0, j);
}
static void pascal(matrix *q)
{
    sized(q, (int)q->p, (int)q->p);
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) = i && j ? AT(q, i - 1, j) + AT(q, i, j - 1) : 1;
}
static void frank(matrix *q)
{
    int n = (int)q->p;
    sized(q, n, n);
    for (int i = 0; i < n; i++)
        for (int j = i ? i - 1 : 0; j < n; j++)
            AT(q, i, j) = j < i ? n - i : n - j;
}
static void cauchy(matrix *q)
{
    sized(q, 12, 12);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            AT(q, i, j) = 1 / (i + 1 + q->p * (j + 0.5));
}
static void moler(matrix *q)
{
    sized(q, (int)q->p, (int)q->p);
    for (int i = 0; i < q->n; i++)
        for (int j = 0; j < q->n; j++)
            AT(q, i, j) = i == j ? i + 1 : (i < j ? i : j) - 1;
}
static void lauchli(matrix *q)
{
    sized(q, 13, 12);
    for (int j = 0; j < 12; j++) {
        AT(q, 0, j) = 1;
        AT(q, j + 1, j) = pow(10, -q->p);
    }
}
static void lauchli_wide(matrix *q)
{
    sized(q, 12, 13);
    for (int j = 0; j < 12; j++) {
        AT(q, j, 0) = 1;
        AT(q, j, j + 1) = pow(10, -q->p);
    }
}
static void far_column(matrix *q) /* [1 0 c; 0 1 0] and larger ones */
{
    sized(q, 6, 9);
    for (int i = 0; i < 6; i++)
        AT(q, i, i) = 1;
    AT(q, 0, 8) = pow(10, q->p);
    AT(q, 3, 7) = pow(10, q->p / 2);
}
static void wilkinson(matrix *q) /* pivots grow as 2^n */
{
    sized(q, (int)q->p, (int)q->p);
    for (int i = 0; i < q->n; i++) {
        for (int j = 0; j < i; j++)
            AT(q, i, j) = -1;
        AT(q, i, i) = AT(q, i, q->n - 1) = 1;
    }
}
static void jordan(matrix *q)
{
    sized(q, 24, 24);
    for (int i = 0; i < 24; i++) {
        AT(q, i, i) = q->p;
        if (i)
            AT(q, i - 1, i) = 1;
    }
}
static void bidiagonal(matrix *q)
{
    sized(q, 30, 30);
    for (int i = 0; i < 30; i++) {
        AT(q, i, i) = 1;
        if (i)
            AT(q, i, i - 1) = q->p;
    }
}
static void shift(matrix *q) /* GMRES makes no progress before the last step */
{
    sized(q, (int)q->p, (int)q->p);
    for (int i = 0; i < q->n; i++)
        AT(q, i, (i + 1) % q->n) = 1;
}
static void skew(matrix *q) /* BiCGSTAB breaks down */
{
    sized(q, 16, 16);
    for (int i = 1; i < 16; i++) {
        AT(q, i, i - 1) = 1 + (i % 3) * q->p;
        AT(q, i - 1, i) = -AT(q, i, i - 1);
    }
}
static void saddle(matrix *q)
{
    sized(q, 26, 26);
    for (int i = 0; i < 18; i++) {
        AT(q, i, i) = pow(10, -q->p * i / 17);
        for (int j = 18; j < 26; j++)
            if ((i * 3 + j) % 4 == 0 || i == j - 18)
                AT(q, i, j) = AT(q, j, i) = cos(i + 2 * j);
    }
}
static void arrow(matrix *q)
{
    sized(q, 24, 24);
    for (int i = 0; i < 24; i++)
        AT(q, i, 0) = AT(q, 0, i) = AT(q, i, i) = 1 + (i ? pow(10, q->p) * (i % 5) : 0);
}
static void grcar(matrix *q)
{
    sized(q, 30, 30);
    for (int i = 0; i < 30; i++)
        for (int j = i ? i - 1 : 0; j <= i + (int)q->p && j < 30; j++)
            AT(q, i, j) = j < i ? -1 : 1;
}
static void permutation(matrix *q)
{
    sized(q, 20, 20);
    for (int i = 0; i < 20; i++)
        AT(q, i, (i * 7 + 3) % 20) = pow(10, q->p * (i % 3 - 1));
    q->scaled = q->p != 0;
}
static void laplace(matrix *q) /* on a 6 x 6 grid, less p */
{
    sized(q, 36, 36);
    for (int i = 0; i < 36; i++) {
        AT(q, i, i) = 4 - q->p;
        if (i % 6)
            AT(q, i, i - 1) = AT(q, i - 1, i) = -1;
        if (i >= 6)
            AT(q, i, i - 6) = AT(q, i - 6, i) = -1;
    }
}
static void convection(matrix *q)
{
    laplace(q);
    double p = q->p;
    for (int i = 0; i < 36; i++) {
        AT(q, i, i) = 4 + p;
        if (i % 6)
            AT(q, i, i - 1) = -1 - p;
    }
}
static void biharmonic(matrix *q)
{
    sized(q, 30, 30);
    for (int i = 0; i < 30; i++) {
        AT(q, i, i) = 6 + q->p;
        if (i)
            AT(q, i, i - 1) = AT(q, i - 1, i) = -4;
        if (i > 1)
            AT(q, i, i - 2) = AT(q, i - 2, i) = 1;
    }
}
static void jumps(matrix *q) /* diffusion with coefficients 1 and 10^p */
{
    sized(q, 32, 32);
    for (int i = 0; i <= 32; i++) {
        double c = (i / 8) % 2 ? pow(10, q->p) : 1;
        if (i < 32)
            AT(q, i, i) += c;
        if (i)
            AT(q, i - 1, i - 1) += c;
        if (i && i < 32)
            AT(q, i, i - 1) = AT(q, i - 1, i) = -c;
    }
}
static void edges_of(int e, int n, int *i, int *j)
{
    *i = e % n;
    *j = e < n ? (e + 1) % n : (e * 7 + 3) % n;
}
static void graph_laplacian(matrix *q) /* singular, weights from 1 to 10^p */
{
    int n = 20;
    sized(q, n, n);
    for (int e = 0; e < 36; e++) {
        int i, j;
        edges_of(e, n, &i, &j);
        double w = i == j ? 0 : pow(10, q->p * (e % 4) / 3);
        AT(q, i, i) += w;
        AT(q, j, j) += w;
        AT(q, i, j) -= w;
        AT(q, j, i) -= w;
    }
    q->low = q->p <= 2;
}
static void incidence(matrix *q) /* tall, of rank n - 1 */
{
    sized(q, 36, 20);
    for (int e = 0; e < 36; e++) {
        int i, j;
        edges_of(e, 20, &i, &j);
        double w = i == j ? 0 : pow(10, q->p * (e % 4) / 3);
        AT(q, e, i) += w;
        AT(q, e, j) -= w;
    }
    q->low = q->p <= 2;
}
static void incidence_wide(matrix *q)
{
    static matrix t;
    t.p = q->p;
    incidence(&t);
    q->low = t.low;
    sized(q, 20, 36);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 36; j++)
            AT(q, i, j) = AT(&t, j, i);
}
static void toeplitz(matrix *q) /* smooth kernel: singular values fall to rounding */
{
    sized(q, 32, 32);
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++)
            AT(q, i, j) = exp(-(i - j) * (i - j) / (2 * q->p * q->p));
}
static void companion(matrix *q)
{
    sized(q, 16, 16);
    for (int i = 1; i < 16; i++)
        AT(q, i, i - 1) = 1;
    for (int i = 0; i < 16; i++)
        AT(q, i, 15) = pow(q->p, 16 - i) * sign_of(cos(i));
}
static void disconnected(matrix *q) /* blocks of sizes 1 and 10^-p */
{
    random_shape(q, 24, 24, 2);
    for (int i = 0; i < 24; i++) {
        for (int j = 0; j < 24; j++)
            AT(q, i, j) *= i / 6 == j / 6 ? pow(10, -q->p * (i / 6) / 3) : 0;
        AT(q, i, i) += 3 * pow(10, -q->p * (i / 6) / 3);
    }
    q->scaled = q->p > 6;
}

#define PARAMETERS 9
static const struct row {
    const char *kind;
    void (*fill)(matrix *q);
    int count;
    double p[PARAMETERS];
} kinds[] = {
    {"graded diagonal", graded, 7, {2, 6, 10, 14, 18, 100, 300}},
    {"geometric spectrum", geometric, 8, {1, 3, 6, 9, 11, 13, 15, 18}},
    {"geometric, tall", geometric_tall, 8, {1, 3, 6, 9, 11, 13, 15, 18}},
    {"geometric, wide", geometric_wide, 8, {1, 3, 6, 9, 11, 13, 15, 18}},
    {"one small", one_small, 9, {4, 8, 10, 11, 12, 13, 14, 15, 17}},
    {"one small, tall", one_small_tall, 9, {4, 8, 10, 11, 12, 13, 14, 15, 17}},
    {"one small, diagonal", one_small_diagonal, 9, {4, 8, 10, 11, 12, 14, 16, 17, 30}},
    {"low rank", low_rank, 5, {0, 1, 5, 12, 17}},
    {"low rank, tall", low_rank_tall, 5, {0, 1, 5, 12, 15}},
    {"low rank, wide", low_rank_wide, 5, {0, 1, 5, 12, 15}},
    {"tall", random_tall, 4, {1, 5, 11, 19}},
    {"wide", random_wide, 4, {1, 5, 11, 19}},
    {"square", random_square, 4, {1, 5, 17, 39}},
    {"scaled", scaled_all, 8, {-300, -200, -150, -30, 30, 150, 200, 300}},
    {"scaled, tall", scaled_tall, 8, {-300, -200, -150, -30, 30, 150, 200, 300}},
    {"scaled, wide", scaled_wide, 8, {-300, -200, -150, -30, 30, 150, 200, 300}},
    {"scaled columns", scaled_columns, 7, {2, 4, 8, 12, 16, 60, 140}},
    {"scaled rows", scaled_rows, 7, {2, 4, 8, 12, 16, 60, 140}},
    {"scaled rows and columns", scaled_both, 6, {2, 4, 8, 12, 30, 70}},
    {"near twins", twins, 7, {2, 6, 8, 10, 12, 14, 20}},
    {"empty lines", empty_lines, 4, {1, 2, 3, 4}},
    {"Hilbert", hilbert, 6, {3, 5, 8, 11, 13, 18}},
    {"Hilbert, tall", hilbert_tall, 6, {3, 5, 8, 11, 13, 18}},
    {"Hilbert, wide", hilbert_wide, 6, {3, 5, 8, 11, 13, 18}},
    {"Kahan", kahan, 4, {1.5, 1.2, 0.9, 0.5}},
    {"Vandermonde", vandermonde, 5, {3, 6, 10, 14, 20}},
    {"Pascal", pascal, 5, {4, 8, 12, 16, 20}},
    {"Frank", frank, 4, {4, 9, 14, 20}},
    {"Cauchy", cauchy, 4, {0.1, 1, 3, 10}},
    {"Moler", moler, 4, {4, 10, 16, 24}},
    {"Lauchli", lauchli, 6, {2, 5, 7, 8, 9, 12}},
    {"Lauchli, wide", lauchli_wide, 6, {2, 5, 7, 8, 9, 12}},
    {"far column", far_column, 6, {2, 4, 6, 8, 10, 14}},
    {"Wilkinson", wilkinson, 4, {6, 14, 26, 39}},
    {"Jordan", jordan, 6, {0, 1e-3, 0.1, 0.5, 1, 3}},
    {"bidiagonal", bidiagonal, 4, {0.5, 1, 2, 8}},
    {"shift", shift, 4, {2, 7, 20, 39}},
    {"skew", skew, 3, {0, 1, 10}},
    {"saddle point", saddle, 4, {0, 3, 6, 12}},
    {"arrow", arrow, 4, {0, 2, 5, 9}},
    {"Grcar", grcar, 3, {1, 3, 6}},
    {"permutation", permutation, 4, {0, 3, 8, 100}},
    {"Laplace", laplace, 6, {0, 0.5, 0.396124, 0.39612452839032, 2, 4}},
    {"convection", convection, 5, {0.1, 1, 10, 1e3, 1e6}},
    {"biharmonic", biharmonic, 4, {0, 1e-4, 0.1, 1}},
    {"jumps", jumps, 6, {-8, -4, 0, 4, 8, 12}},
    {"graph Laplacian", graph_laplacian, 5, {0, 2, 5, 8, 12}},
    {"incidence", incidence, 5, {0, 1, 2, 4, 8}},
    {"incidence, wide", incidence_wide, 5, {0, 1, 2, 4, 8}},
    {"smooth kernel", toeplitz, 5, {0.3, 0.8, 1.5, 3, 8}},
    {"companion", companion, 4, {0.1, 0.5, 1, 3}},
    {"disconnected", disconnected, 5, {0, 3, 6, 9, 15}},
};

/* ---- the judge ---------------------------------------------------------------------------------- */

/* u diag(s) v^T of the matrix, tall: columns of u not normalised have the lengths s */
typedef struct svd {
    int m, n;
    wide u[MOST * MOST], v[MOST * MOST], s[MOST];
} svd;

static void decompose(svd *d, const matrix *q, const wide *unit)
{
    bool turn = q->m < q->n;
    int m = d->m = turn ? q->n : q->m, n = d->n = turn ? q->m : q->n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            d->u[j * m + i] = turn ? AT(q, j, i) : AT(q, i, j) * unit[j];
        for (int i = 0; i < n; i++)
            d->v[j * n + i] = i == j;
    }
    for (int sweep = 0, moved = 1; moved && sweep < 60; sweep++) {
        moved = 0;
        for (int j = 0; j < n; j++)
            for (int k = j + 1; k < n; k++) {
                wide a = 0, b = 0, c = 0, *x = d->u + j * m, *y = d->u + k * m;
                for (int i = 0; i < m; i++) {
                    a += x[i] * x[i];
                    b += y[i] * y[i];
                    c += x[i] * y[i];
                }
                if (c == 0 || fabsl(c) <= 4 * LDBL_EPSILON * sqrtl(a) * sqrtl(b))
                    continue;
                moved = 1;
                wide z = (b - a) / (2 * c), t = (z < 0 ? -1 : 1) / (fabsl(z) + sqrtl(1 + z * z));
                wide cs = 1 / sqrtl(1 + t * t), sn = cs * t;
                for (int side = 0; side < 2; side++) {
                    int len = side ? n : m;
                    wide *f = side ? d->v + j * n : x, *g = side ? d->v + k * n : y;
                    for (int i = 0; i < len; i++) {
                        wide was = f[i];
                        f[i] = cs * was - sn * g[i];
                        g[i] = sn * was + cs * g[i];
                    }
                }
            }
    }
    for (int j = 0; j < n; j++) {
        wide sum = 0;
        for (int i = 0; i < m; i++)
            sum += d->u[j * m + i] * d->u[j * m + i];
        d->s[j] = sqrtl(sum);
    }
}

typedef struct verdict {
    wide least, shortest;  /* |b - A x| and |x| of the best x, by singular values above rounding */
    wide largest, smallest;  /* of these */
    bool full, clear;      /* full rank; its rank is certain */
} verdict;

static verdict judge(const matrix *q, const double *b)
{
    static svd d;
    wide unit[MOST];
    for (int j = 0; j < q->n; j++) { /* the least residual does not depend on the units of columns */
        wide most = 0;
        for (int i = 0; i < q->m; i++)
            most = fmaxl(most, fabsl((wide)AT(q, i, j)));
        unit[j] = q->scaled && q->m >= q->n && most > 0 ? 1 / most : 1;
    }
    decompose(&d, q, unit);
    verdict v = {.smallest = INFINITY, .full = true, .clear = true};
    for (int j = 0; j < d.n; j++)
        v.largest = fmaxl(v.largest, d.s[j]);
    wide rest[MOST], x2 = 0;
    for (int i = 0; i < q->m; i++)
        rest[i] = b[i];
    for (int j = 0; j < d.n; j++) {
        bool there = d.s[j] > 64 * DBL_EPSILON * v.largest; /* Golub & Van Loan 2013, 5.4.1 */
        v.full = v.full && there;
        v.clear = v.clear && (d.s[j] > 1e-9L * v.largest || (q->low && !there));
        if (!there)
            continue;
        v.smallest = fminl(v.smallest, d.s[j]);
        wide c = 0; /* the part of b along the left vector */
        const wide *left = q->m < q->n ? d.v + j * d.n : d.u + j * d.m;
        wide size = q->m < q->n ? 1 : d.s[j];
        for (int i = 0; i < q->m; i++)
            c += left[i] / size * b[i];
        for (int i = 0; i < q->m; i++)
            rest[i] -= c * left[i] / size;
        x2 += (c / d.s[j]) * (c / d.s[j]);
    }
    for (int i = 0; i < q->m; i++)
        v.least += rest[i] * rest[i];
    v.least = sqrtl(v.least);
    v.shortest = sqrtl(x2);
    return v;
}

static wide norm_of(const double *x, int n)
{
    wide sum = 0;
    for (int i = 0; i < n; i++)
        sum += (wide)x[i] * x[i];
    return sqrtl(sum);
}

static wide residual_of(const matrix *q, const double *x, const double *b)
{
    wide sum = 0;
    for (int i = 0; i < q->m; i++) {
        wide r = b[i];
        for (int j = 0; j < q->n; j++)
            r -= (wide)AT(q, i, j) * x[j];
        sum += r * r;
    }
    return sqrtl(sum);
}

/* ---- the solvers ----------------------------------------------------------------------------- */

enum { DIRECT, ITERATIVE, LEAST, QR };
static const struct solver {
    const char *name;
    int how, method, precondition;
    bool symmetric;
} solvers[] = {
    {"direct", DIRECT, AGN_SPARSE_AUTO, 0, false},
    {"cholesky", DIRECT, AGN_SPARSE_CHOLESKY, 0, true},
    {"ldl", DIRECT, AGN_SPARSE_LDL, 0, true},
    {"lu", DIRECT, AGN_SPARSE_LU, 0, false},
    {"klu", DIRECT, AGN_SPARSE_KLU, 0, false},
    {"qr", DIRECT, AGN_SPARSE_QR, 0, false},
    {"gmres", ITERATIVE, AGN_KRYLOV_GMRES, 0, false},
    {"gmres, ilu", ITERATIVE, AGN_KRYLOV_GMRES, AGN_PRECONDITION_ILU0, false},
    {"cg", ITERATIVE, AGN_KRYLOV_CG, 0, true},
    {"cg, jacobi", ITERATIVE, AGN_KRYLOV_CG, AGN_PRECONDITION_JACOBI, true},
    {"minres", ITERATIVE, AGN_KRYLOV_MINRES, 0, true},
    {"bicgstab", ITERATIVE, AGN_KRYLOV_BICGSTAB, 0, false},
    {"bicgstab, ilu", ITERATIVE, AGN_KRYLOV_BICGSTAB, AGN_PRECONDITION_ILU0, false},
    {"lsqr", LEAST, AGN_KRYLOV_LSQR, 0, false},
    {"lsmr", LEAST, AGN_KRYLOV_LSMR, 0, false},
    {"lstsq", QR, 0, 0, false},
};

static agn_status solve_by(agn_tensor **x, agn_krylov_info *info, const struct solver *s,
                           const agn_tensor *a, const agn_tensor *b)
{
    agn_sparse_solver direct = {.size = sizeof direct, .method = s->method};
    agn_krylov_options o = {.size = sizeof o, .method = s->method};
    o.precondition = s->precondition;
    switch (s->how) {
    case DIRECT: return agn_sparse_solve_with(x, a, b, &direct);
    case QR: return agn_sparse_lstsq(x, a, b, NULL);
    default: return agn_krylov_solve(x, info, a, b, NULL, &o);
    }
}

static bool is_symmetric(const matrix *q)
{
    for (int i = 0; i < q->m; i++)
        for (int j = 0; j < i; j++)
            if (AT(q, i, j) != AT(q, j, i))
                return false;
    return q->m == q->n;
}

static struct {
    int matrices, answers, refused;
} seen;

/* is an answer that is called OK the answer? words: why not */
static bool is_right(const struct solver *s, const matrix *q, const verdict *v, const double *b,
                     const double *x, const agn_krylov_info *info, char *why, size_t room)
{
    wide r = residual_of(q, x, b), size = 0, bn = norm_of(b, q->m), xn = norm_of(x, q->n);
    for (int i = 0; i < q->m * q->n; i++)
        size += (wide)q->a[i] * q->a[i];
    size = sqrtl(size);
    bool good = true;
    why[0] = 0;
    if (!isfinite(xn)) /* beyond the largest number: not finite, not wrong */
        return true;
    if (s->how == DIRECT)
        good = r <= 1e-11L * (size * xn + bn);
    else if (s->how == ITERATIVE)
        good = r <= 1.01e-10L * bn;
    else {
        /* what rounding of A alone may change, and the tolerance of iterations */
        wide slack = s->how == QR ? 20 * DBL_EPSILON * (q->m + q->n) * (size * xn + bn) /* Davis 2011 */
                                  : 1.01e-10L * bn;
        good = r <= v->least * (1 + 1e-6L) + slack;
        if (good && v->clear && !q->scaled)
            good = xn <= v->shortest * (1 + 1e-4L);
    }
    if (good && (s->how == ITERATIVE || s->how == LEAST))
        good = fabsl(info->residual - r) <= 1e-3L * r + 1e-13L * (size * xn + bn);
    if (!good)
        snprintf(why, room, "|r| %.3Lg, least %.3Lg, |b| %.3Lg, |x| %.3Lg, shortest %.3Lg; reason %d, told "
                            "%.3g, condition %.2g",
                 r, v->least, bn, xn, v->shortest, info->reason, info->residual, info->condition);
    return good;
}

static void try_matrix(tally *t, const matrix *q)
{
    double b[MOST], from[MOST], x[MOST];
    bool symmetric = is_symmetric(q);
    agn_tensor *dense = of_reals(AGN_F64, 2, I64(q->m, q->n), q->a), *a = NULL;
    must(agn_sparse_from_dense(&a, dense));
    agn_release(dense);
    for (int consistent = 0; consistent < 2; consistent++) {
        for (int j = 0; j < q->n; j++)
            from[j] = rnd_in(-1, 1);
        for (int i = 0; i < q->m; i++) {
            b[i] = consistent ? 0 : rnd_in(-1, 1);
            for (int j = 0; consistent && j < q->n; j++)
                b[i] += AT(q, i, j) * from[j];
        }
        verdict v = judge(q, b);
        agn_tensor *rhs = of_reals(AGN_F64, 1, I64(q->m), b);
        for (int k = 0; k < COUNT(solvers); k++) {
            const struct solver *s = solvers + k;
            if ((s->how < LEAST && q->m != q->n) || (s->symmetric && !symmetric))
                continue;
            agn_krylov_info info = {.size = sizeof info};
            agn_tensor *y = NULL;
            char why[400];
            agn_status st = solve_by(&y, &info, s, a, rhs);
            for (int j = 0; !st && j < q->n; j++)
                x[j] = peek(y, j);
            agn_release(y);
            seen.answers += !st;
            seen.refused += st != AGN_OK;
            if (!st)
                check(t, is_right(s, q, &v, b, x, &info, why, sizeof why), "%s %g, %s b: %s: %s",
                      q->kind, q->p, consistent ? "its own" : "any", s->name, why);
            else {
                check(t, st == AGN_EDOMAIN || st == AGN_ENOCONV || st == AGN_EARG, "%s %g: %s: %s", q->kind,
                      q->p, s->name, agn_error_message());
                check(t, !strstr(agn_error_message(), "NaN or an infinity"), "%s %g: %s: %s", q->kind,
                      q->p, s->name, agn_error_message());
            }
            /* what is easy is not refused */
            bool any = s->how >= LEAST || (s->how == DIRECT && s->method == AGN_SPARSE_LU);
            if (st && any && v.full && !q->scaled && v.largest < 1e4L * v.smallest)
                check(t, false, "%s %g, %s b: %s refuses: %s", q->kind, q->p,
                      consistent ? "its own" : "any", s->name, agn_error_message());
        }
        agn_release(rhs);
    }
    agn_release(a);
    seen.matrices++;
}

static void test_kinds(void)
{
    static matrix q;
    for (int k = 0; k < COUNT(kinds); k++) {
        tally t = {0, 0};
        for (int i = 0; i < kinds[k].count; i++) {
            q.kind = kinds[k].kind;
            q.p = kinds[k].p[i];
            q.scaled = q.low = false;
            kinds[k].fill(&q);
            try_matrix(&t, &q);
        }
        tell(&t, "%s", kinds[k].kind);
    }
    diag("%d matrices: %d answers, %d refusals", seen.matrices, seen.answers, seen.refused);
    ok(seen.matrices >= 221 && seen.answers > seen.refused, "there are answers, and many matrices");
}

int main(void)
{
    test_kinds();
    return done();
}
