/* conductivity.c - what a plate is made of, from the temperatures that some sources of heat give:
   the field k of -div(k grad u) = f by the gradient of a sparse Cholesky solve. Draws
   conductivity.svg: the field, and what was found. */
#include "picture.h"

#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { SIDE = 24, CELLS = SIDE * SIDE, SOURCES = 4, EDGES = 4 * SIDE * (SIDE - 1) };

typedef struct plate {
    const agn_tensor *grid;       /* each cell and its neighbours */
    const agn_tensor *row, *col;  /* of the entries of grid */
    const agn_tensor *wall;       /* on the Laplacian's entries: what the walls conduct */
    const agn_tensor *f;          /* [CELLS, SOURCES] */
} plate;

/* temperatures for the logarithm of the conductivity of each cell */
static const agn_tensor *temperature(agn_scope *s, const plate *q, const agn_tensor *p)
{
    const agn_tensor *k = ag_exp(s, p); /* between two cells, the mean of theirs */
    const agn_tensor *w = ag_add(s, ag_gather(s, k, q->row, 0), ag_gather(s, k, q->col, 0));
    const agn_tensor *l = ag_sparse_laplacian(
        s, ag_sparse_with_values(s, q->grid, ag_mul_c(s, w, 0.5)), false);
    const agn_tensor *a = ag_sparse_with_values(s, l, ag_add(s, ag_sparse_values(s, l), q->wall));
    return ag_sparse_solve(s, a, q->f);
}

/* in: p, temperatures measured; the misfit, and a dislike of steps between cells */
static agn_status misfit(void *user, agn_scope *s, const agn_tensor *const *in,
                         const agn_tensor **out)
{
    const plate *q = user;
    const agn_tensor *d = ag_sub(s, temperature(s, q, in[0]), in[1]);
    const agn_tensor *step = ag_sub(s, ag_gather(s, in[0], q->row, 0),
                                    ag_gather(s, in[0], q->col, 0));
    out[0] = ag_add(
        s, ag_sum_all(s, ag_square(s, d)),
        ag_mul_c(s, ag_sum_all(s, ag_sqrt(s, ag_add_c(s, ag_square(s, step), 1e-4))), 1e-3));
    return agn_scope_status(s);
}

static void prepare(agn_scope *s, plate *q)
{
    static int64_t begin[CELLS + 1], row[EDGES], col[EDGES];
    static double wall[CELLS + EDGES], heat[CELLS][SOURCES];
    int64_t n = 0, at = 0, edges = EDGES, ends = CELLS + 1, all = CELLS + EDGES;
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIDE, y = i / SIDE;
        const int to[5] = {y > 0 ? i - SIDE : -1, x > 0 ? i - 1 : -1, i, x < SIDE - 1 ? i + 1 : -1,
                           y < SIDE - 1 ? i + SIDE : -1};
        for (int m = 0; m < 5; m++) {
            if (to[m] < 0)
                continue;
            wall[at++] = to[m] == i ? (x == 0) + (x == SIDE - 1) + (y == 0) + (y == SIDE - 1) : 0;
            if (to[m] != i) {
                row[n] = i;
                col[n++] = to[m];
            }
        }
        begin[i + 1] = n;
        for (int k = 0; k < SOURCES; k++) {
            double dx = x - SIDE * (k % 2 ? 0.75 : 0.25), dy = y - SIDE * (k / 2 ? 0.75 : 0.25);
            heat[i][k] = exp(-(dx * dx + dy * dy) / 8);
        }
    }
    q->row = ag_from_host(s, AGN_I64, 1, &edges, row);
    q->col = ag_from_host(s, AGN_I64, 1, &edges, col);
    q->grid = ag_sparse_csr(s, CELLS, CELLS, ag_from_host(s, AGN_I64, 1, &ends, begin), q->col,
                            ag_full(s, AGN_F64, 1, &edges, 1));
    q->wall = ag_from_host(s, AGN_F64, 1, &all, wall);
    q->f = ag_from_host(s, AGN_F64, 2, (const int64_t[]){CELLS, SOURCES}, heat);
}

static void draw(const double *truth, const double *found)
{
    FILE *f = picture_open("conductivity.svg", 2 * 16 * SIDE + 40, 16 * SIDE);
    for (int i = 0; i < CELLS; i++) {
        picture_square(f, 16 * (i % SIDE), 16 * (i / SIDE), 16, (truth[i] + 1.2) / 2.4);
        picture_square(f, 16 * (i % SIDE) + 16 * SIDE + 40, 16 * (i / SIDE), 16,
                       (found[i] + 1.2) / 2.4);
    }
    picture_close(f);
}

static double apart(const double *a, const double *b)
{
    double d = 0;
    for (int i = 0; i < CELLS; i++)
        d += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(d / CELLS);
}

int main(void)
{
    static double truth[CELLS], none[CELLS];
    for (int i = 0; i < CELLS; i++) { /* a disc that conducts well, a bar that does not */
        double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
        truth[i] = hypot(x - 8, y - 9) < 5 ? 1 : x > 14 && x < 20 && y > 5 && y < 20 ? -1 : 0;
    }
    const int64_t cells = CELLS;
    plate q;
    agn_fn *f = NULL, *df = NULL;
    agn_optim *o = NULL;
    agn_tensor *best = NULL;
    agn_scope *s = agn_scope_open(NULL);
    prepare(s, &q);
    const agn_tensor *u = temperature(s, &q, ag_from_host(s, AGN_F64, 1, &cells, truth));
    u = ag_add(s, u, ag_mul_c(s, ag_sin(s, ag_mul_c(s, u, 1e5)), 0.02)); /* as if measured */
    const agn_tensor *guess = ag_full(s, AGN_F64, 1, &cells, 0);
    agn_status st = agn_scope_status(s);
    st = st ? st : agn_fn_new(&f, misfit, &q, NULL, 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_LBFGS, &guess, 1, NULL);
    st = st ? st : agn_optim_minimise(NULL, o, df, &u, 1, 300, NULL, NULL);
    st = st ? st : agn_optim_params(&best, 1, o);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else {
        const double *found = agn_data(best);
        printf("log k from 0: %.2f off\n", apart(truth, none));
        printf("log k found:  %.2f off\n", apart(truth, found));
        draw(truth, found);
    }
    agn_release(best);
    agn_optim_release(o);
    agn_fn_release(f);
    agn_fn_release(df);
    return agn_scope_close(s) || st;
}
