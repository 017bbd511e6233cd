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
    const double *rel = in[1], *inv = in[2];
    double *res = out[0], *J = out[1];
    int V = (int)q->vertices, c = (int)q->c;
    double R[3][3], dR[3][3][3], local[3 * ROWS];
    double moved[FINGERS][4 * 3 * BLOCK]; /* [angle][axis][row] */
    m4 whole, palm;
    memset(moved, 0, sizeof moved);
    turn(R, dR, theta);
    product(whole, rel, inv);
    placed(local, ROWS, (double(*)[3])(uintptr_t)unit, whole);
    product(palm, rel, rel + 16);
    product(whole, palm, inv + 16);
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
                    product(step, rel + 16 * bone, d[m]);
                    product(dA[n + m], A, step);
                }
                product(step, rel + 16 * bone, turning);
            } else {
                memcpy(step, rel + 16 * bone, sizeof step);
            }
            for (int m = 0; m < n; m++) {
                product(next, dA[m], step);
                memcpy(dA[m], next, sizeof next);
            }
            product(next, A, step);
            memcpy(A, next, sizeof next);
            n += fresh;
            product(whole, A, inv + 16 * bone);
            placed(local + 4 * bone, ROWS, (double(*)[3])(uintptr_t)unit, whole);
            for (int m = 0; m < n; m++) {
                product(whole, dA[m], inv + 16 * bone);
                placed(moved[f] + m * 3 * BLOCK + 4 * j, BLOCK, R, whole);
            }
        }
    }
    /* [axis][vertex] before the turn, [theta][axis][vertex] after it, and all of one vertex */
    double *at = malloc((size_t)(3 + 60 + 3 + 3 * THETA) * (size_t)V * sizeof *at);
    if (!at)
        abort();
    double *by = at + 3 * V, *pos = by + 60 * V, *rows = pos + 3 * V;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 3, V, ROWS, 1, local, ROWS, skin, V, 0,
                at, V);
    for (int f = 0; f < FINGERS; f++)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 12, V, BLOCK, 1, moved[f], BLOCK,
                    skin + (size_t)(8 + BLOCK * f) * (size_t)V, V, 0, by + 12 * f * V, V);
    for (int v = 0; v < V; v++)
        for (int i = 0; i < 3; i++) {
            double x = at[v], y = at[V + v], z = at[2 * V + v], *row = rows + (3 * v + i) * THETA;
            pos[3 * v + i] = R[i][0] * x + R[i][1] * y + R[i][2] * z + theta[3 + i];
            for (int m = 0; m < 3; m++) {
                row[m] = -(dR[m][i][0] * x + dR[m][i][1] * y + dR[m][i][2] * z);
                row[3 + m] = m == i ? -1 : 0;
            }
            for (int m = 0; m < 20; m++)
                row[6 + m] = -by[(m * 3 + i) * V + v];
        }
    for (int o = 0; o < c; o++) {
        int a = (int)q->vertex[o], b = a + 1, d = a + 2;
        const double *A = rows + 3 * a * THETA, *B = rows + 3 * b * THETA,
                     *D = rows + 3 * d * THETA;
        double *row = J + 3 * o * THETA;
        if (q->triangles) {
            double w0 = u[2 * o], w1 = u[2 * o + 1], w2 = 1 - w0 - w1,
                   *Ju = (double *)out[2] + 6 * o;
            for (int m = 0; m < 3 * THETA; m++)
                row[m] = w0 * A[m] + w1 * B[m] + w2 * D[m];
            for (int i = 0; i < 3; i++) {
                double x = pos[3 * a + i], y = pos[3 * b + i], z = pos[3 * d + i];
                res[3 * o + i] = places[3 * o + i] - (w0 * x + w1 * y + w2 * z);
                Ju[2 * i] = z - x;
                Ju[2 * i + 1] = z - y;
            }
        } else {
            memcpy(row, A, 3 * THETA * sizeof *row);
            for (int i = 0; i < 3; i++)
                res[3 * o + i] = places[3 * o + i] - pos[3 * a + i];
        }
    }
    free(at);
}
