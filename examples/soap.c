/* soap.c - the film in a bent wire: of all surfaces over a square with given edges, the smallest */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { CELLS = 32, N = CELLS + 1 };

/* Scherk's surface, which is minimal */
static double scherk(int i, int j)
{
    double x = 2.0 * i / CELLS - 1, y = 2.0 * j / CELLS - 1;
    return log(cos(y) / cos(x));
}

static const agn_tensor *corner(agn_scope *s, const agn_tensor *z, int64_t i, int64_t j)
{
    return ag_slice(s, z, 2, (const int64_t[]){i, j}, (const int64_t[]){i + CELLS, j + CELLS},
                    (const int64_t[]){1, 1});
}
/* area of triangles with legs a and b over the axes, for cells of size 1 */
static const agn_tensor *triangles(agn_scope *s, const agn_tensor *a, const agn_tensor *b, double h)
{
    const agn_tensor *slope = ag_div_c(s, ag_add(s, ag_square(s, a), ag_square(s, b)), h * h);
    return ag_sum_all(s, ag_sqrt(s, ag_add_c(s, slope, 1)));
}
/* in[0]: heights inside; in[1]: heights of the wire, 0 inside */
static agn_status area(void *user, agn_scope *s, const agn_tensor *const *in,
                       const agn_tensor **out)
{
    (void)user;
    const int64_t one[] = {1, 1};
    const double h = 2.0 / CELLS;
    const agn_tensor *z = ag_add(s, in[1], ag_pad(s, in[0], 2, one, one, 0));
    const agn_tensor *a = corner(s, z, 0, 0), *b = corner(s, z, 1, 0), *c = corner(s, z, 0, 1),
                     *d = corner(s, z, 1, 1);
    const agn_tensor *lower = triangles(s, ag_sub(s, b, a), ag_sub(s, c, a), h);
    const agn_tensor *upper = triangles(s, ag_sub(s, d, c), ag_sub(s, d, b), h);
    out[0] = ag_mul_c(s, ag_add(s, lower, upper), h * h / 2);
    return agn_scope_status(s);
}

int main(void)
{
    static double wire[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            wire[i][j] = i % CELLS && j % CELLS ? 0 : scherk(i, j);
    agn_fn *f = NULL, *df = NULL, *fast = NULL;
    agn_optim *o = NULL;
    agn_tensor *edge = NULL, *flat = NULL, *film = NULL;
    agn_status st = agn_fn_new(&f, area, NULL, NULL, 2, 1);
    st = st ? st : agn_fn_value_and_grad(&df, f, NULL, 1);
    st = st ? st : agn_fn_compile(&fast, df, NULL);
    st = st ? st : agn_from_host(&edge, AGN_F64, 2, (const int64_t[]){N, N}, wire);
    st = st ? st : agn_full(&flat, AGN_F64, 2, (const int64_t[]){N - 2, N - 2}, 0);
    st = st ? st : agn_optim_new(&o, AGN_OPTIM_LBFGS, (const agn_tensor *const *)&flat, 1, NULL);
    st = st ? st
            : agn_optim_minimise(NULL, o, fast, (const agn_tensor *const *)&edge, 1, 2000, NULL,
                                 NULL);
    st = st ? st : agn_optim_params(&film, 1, o);
    double worst = 0;
    for (int i = 1; i < CELLS && !st; i++)
        for (int j = 1; j < CELLS; j++) {
            double z = ((const double *)agn_data(film))[(i - 1) * (N - 2) + j - 1];
            worst = fmax(worst, fabs(z - scherk(i, j)));
        }
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    else
        printf("%d heights; as Scherk's surface to within %.0e\n", (N - 2) * (N - 2), worst);
    agn_optim_release(o);
    agn_release(film);
    agn_release(flat);
    agn_release(edge);
    agn_fn_release(fast);
    agn_fn_release(df);
    agn_fn_release(f);
    return st != AGN_OK;
}
