/* tests/t-third.c - H8: third derivatives of +, x and products of matrices, in every mode, made and
   planned. tests/check-valgrind.sh runs it, too: no number that nobody wrote takes part. */
#include "deriv.h"

static agn_status cube_of_sum(void *user, agn_scope *s, const T *in, T *out)
{
    T y = ag_add(s, in[0], in[1]);
    (void)user;
    out[0] = ag_sum_all(s, ag_mul(s, ag_mul(s, y, y), y));
    return agn_scope_status(s);
}
static agn_status product(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_sum_all(s, ag_mul(s, ag_mul(s, in[0], in[1]), ag_add(s, in[0], in[0])));
    return agn_scope_status(s);
}
static agn_status matrices(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    T y = ag_matmul(s, ag_matmul(s, in[0], in[1]), in[0]);
    out[0] = ag_sum_all(s, ag_add(s, y, in[1]));
    return agn_scope_status(s);
}

/* of x in the direction 1: each is a polynomial of degree three */
static const struct {
    const char *name;
    agn_body *f;
    double third;
} table[] = {
    /* n^2 entries, each (x + y)^3 in x and y at once: 6 (1 + 1)^3 */
    {"H8: (x + y)^3", cube_of_sum, 4 * 6 * 8.0},
    {"H8: x y (x + x)", product, 4 * 6 * 2.0},
    /* each entry of u u u, u of ones, is n^2 */
    {"H8: x y x + y of matrices", matrices, 4 * 6 * 4.0},
};

int main(void)
{
    static const char *const words[] = {"FFF", "RRR", "JJJ", "FRF", "RFR", "FRJ"};
    enum { N = 2, WORDS = sizeof words / sizeof *words };
    const double v[2][N * N] = {{0.5, -1, 2, 0.25}, {1.5, 0.75, -0.5, 3}};
    agn_tensor *x[2] = {NULL}, *one = NULL;
    for (int i = 0; i < 2; i++)
        if (agn_from_host(&x[i], AGN_F64, 2, (int64_t[]){N, N}, v[i]))
            bail_out("%s", agn_error_message());
    if (agn_full(&one, AGN_F64, 2, (int64_t[]){N, N}, 1))
        bail_out("%s", agn_error_message());
    const T in[2] = {x[0], x[1]}, dir[3][ARGS] = {{one, one}, {one, one}, {one, one}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        agn_fn *f = NULL;
        bool good = !agn_fn_new(&f, table[k].f, NULL, NULL, 2, 1);
        for (int w = 0; w < WORDS; w++) {
            agn_fn *d = nesting(words[w], f, 2, dir), *plan = NULL;
            double have = value_of(d, in), planned = NAN;
            if (d && !agn_fn_compile(&plan, d, NULL))
                planned = value_of(plan, in);
            if (!(fabs(have - table[k].third) < 1e-9 && fabs(planned - table[k].third) < 1e-9)) {
                diag("%s: %.17g, planned %.17g, not %g", words[w], have, planned, table[k].third);
                good = false;
            }
            agn_fn_release(plan);
            agn_fn_release(d);
        }
        ok(good, "%s", table[k].name);
        agn_fn_release(f);
    }
    agn_release(x[0]);
    agn_release(x[1]);
    agn_release(one);
    return done();
}
