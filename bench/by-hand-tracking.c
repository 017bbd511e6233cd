/* bench/by-hand-tracking.c - the hand of ADBench (Srajer, Kukelova & Fitzgibbon 2018, 4.3), and
   the derivatives of its places in 26 angles and shifts, by hand. A finger's angles move its own
   bones alone, so products are made finger by finger. */
#include "by-hand.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double m4[16];

static void product(double *y, const double *a, const double *b)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[4 * i + k] * b[4 * k + j];
            y[4 * i + j] = sum;
        }
}

/* about x by a, then about z by b, and the derivatives in both */
static void joint(double *R, double *da, double *db, double a, double b)
{
    double cx = cos(a), sx = sin(a), cz = cos(b), sz = sin(b);
    const m4 r = {cz, -sz * cx, sz * sx, 0, sz, cz * cx, -cz * sx, 0, 0, sx, cx, 0, 0, 0, 0, 1};
    const m4 x = {0, sz * sx, sz * cx, 0, 0, -cz * sx, -cz * cx, 0, 0, cx, -sx, 0, 0, 0, 0, 0};
    const m4 z = {-sz, -cz * cx, cz * sx, 0, cz, -sz * cx, sz * sx, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    memcpy(R, r, sizeof r);
    memcpy(da, x, sizeof x);
    memcpy(db, z, sizeof z);
}

/* a rotation by |r| about r, and the derivatives in r */
static void turn(double (*R)[3], double (*dR)[3][3], const double *r)
{
    double t = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), c = cos(t), s = sin(t), v = 1 - c;
    double k[3] = {r[0] / t, r[1] / t, r[2] / t};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int l = 3 - i - j;
            double sign = (j - i + 3) % 3 == 1 ? -1 : 1;
            R[i][j] = k[i] * k[j] * v + (i == j ? c : sign * k[l] * s);
            for (int m = 0; m < 3; m++) {
                double di = ((m == i) - k[i] * k[m]) / t, dj = ((m == j) - k[j] * k[m]) / t;
                double d = (di * k[j] + k[i] * dj) * v + k[i] * k[j] * s * k[m];
                if (i == j)
                    d -= s * k[m];
                else
                    d += sign * (((m == l) - k[l] * k[m]) / t * s + k[l] * c * k[m]);
                dR[m][i][j] = d;
            }
        }
}

/* rows of R times a[3, 4], as columns [4] of y at [axis][row of the bone] */
static void placed(double *y, int rows, double (*R)[3], const double *a)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            y[i * rows + k] = R[i][0] * a[k] + R[i][1] * a[4 + k] + R[i][2] * a[8 + k];
}

void by_hand_tracking(const void *sizes, const void *const *in, void *const *out)
{
    enum { ROWS = 4 * BONES, BLOCK = 4 * JOINTS };
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const hand_sizes *q = sizes;
    const double *theta = in[0], *skin = in[3], *places = in[4], *u = in[5];
    const double(*rel)[16] = in[1], (*inv)[16] = in[2];
    double *res = out[0], *J = out[1];
    int V = (int)q->vertices, c = (int)q->c;
    double R[3][3], dR[3][3][3], local[3 * ROWS];
    double moved[FINGERS][4 * 3 * BLOCK]; /* [angle][axis][row] */
    m4 whole, palm;
    memset(moved, 0, sizeof moved);
    turn(R, dR, theta);
    product(whole, rel[0], inv[0]);
    placed(local, ROWS, (double(*)[3])(uintptr_t)unit, whole);
    product(palm, rel[0], rel[1]);
    product(whole, palm, inv[1]);
    placed(local + 4, ROWS, (double(*)[3])(uintptr_t)unit, whole);
    for (int f = 0; f < FINGERS; f++) {
        const double *angle = theta + 6 + 4 * f;
        m4 A, dA[4], turning, d[2], step, next;
        memcpy(A, palm, sizeof A);
        for (int j = 0, n = 0; j < JOINTS; j++) {
            int bone = 2 + JOINTS * f + j, fresh = j == 0 ? 2 : j < 3;
            if (fresh) {
                joint(turning, d[0], d[1], angle[n], fresh == 2 ? angle[1] : 0);
                for (int m = 0; m < fresh; m++) {
                    product(step, rel[bone], d[m]);
                    product(dA[n + m], A, step);
                }
                product(step, rel[bone], turning);
            } else {
                memcpy(step, rel[bone], sizeof step);
            }
            for (int m = 0; m < n; m++) {
                product(next, dA[m], step);
                memcpy(dA[m], next, sizeof next);
            }
            product(next, A, step);
            memcpy(A, next, sizeof next);
            n += fresh;
            product(whole, A, inv[bone]);
            placed(local + 4 * bone, ROWS, (double(*)[3])(uintptr_t)unit, whole);
            for (int m = 0; m < n; m++) {
                product(whole, dA[m], inv[bone]);
                placed(moved[f] + m * 3 * BLOCK + 4 * j, BLOCK, R, whole);
            }
        }
    }
    /* at[axis][vertex] before the turn; by[theta - 6][axis][vertex] after it */
    double *at = malloc((size_t)(3 + 9 + 3 + 60) * (size_t)V * sizeof *at);
    if (!at)
        abort();
    double *pos = at + 3 * V, *turned = pos + 3 * V, *by = turned + 9 * V;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 3, V, ROWS, 1, local, ROWS, skin, V, 0,
                at, V);
    for (int f = 0; f < FINGERS; f++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 12, V, BLOCK, 1, moved[f], BLOCK,
                    skin + (size_t)(8 + BLOCK * f) * (size_t)V, V, 0, by + 12 * f * V, V);
    for (int i = 0; i < 3; i++)
        for (int v = 0; v < V; v++)
            pos[i * V + v] = R[i][0] * at[v] + R[i][1] * at[V + v] + R[i][2] * at[2 * V + v] +
                             theta[3 + i];
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < 3; i++)
            for (int v = 0; v < V; v++)
                turned[(m * 3 + i) * V + v] = dR[m][i][0] * at[v] + dR[m][i][1] * at[V + v] +
                                              dR[m][i][2] * at[2 * V + v];
    for (int i = 0; i < 3; i++)
        for (int o = 0; o < c; o++) {
            double *row = J + (i * c + o) * THETA, w0 = 1, w1 = 0, w2 = 0;
            const double *p = pos + i * V;
            int a = (int)q->vertex[o], b = a, d = a;
            if (q->triangles) {
                b = (a + 1) % V;
                d = (a + 2) % V;
                w0 = u[2 * o];
                w1 = u[2 * o + 1];
                w2 = 1 - w0 - w1;
                double *Ju = (double *)out[2] + (o * 3 + i) * 2;
                Ju[0] = p[d] - p[a];
                Ju[1] = p[d] - p[b];
            }
            res[i * c + o] = places[i * c + o] - (w0 * p[a] + w1 * p[b] + w2 * p[d]);
            for (int m = 0; m < 3; m++) {
                const double *g = turned + (m * 3 + i) * V;
                row[m] = -(w0 * g[a] + w1 * g[b] + w2 * g[d]);
                row[3 + m] = m == i ? -1 : 0;
            }
            for (int m = 0; m < 20; m++) {
                const double *g = by + (m * 3 + i) * V;
                row[6 + m] = -(w0 * g[a] + w1 * g[b] + w2 * g[d]);
            }
        }
    free(at);
}
