/* points.c - collocation points: how well Sobol points, Latin hypercubes and random points see the
   mean of a function on the unit square */
#include <agnesi/agnesi.h>
#include <math.h>
#include <stdio.h>

enum { SOBOL, LATIN, RANDOM, KINDS };
static const char *const names[] = {"Sobol", "Latin hypercube", "random"};

/* n points of [0, 1)^2 */
static const agn_tensor *draw(agn_scope *s, int kind, const agn_tensor *key, int64_t n)
{
    const int64_t shape[2] = {n, 2};
    switch (kind) {
    case SOBOL:
        return ag_sobol(s, key, AGN_F64, 0, n, 2);
    case LATIN:
        return ag_latin_hypercube(s, key, AGN_F64, n, 2);
    default:
        return ag_uniform(s, key, AGN_F64, 2, shape);
    }
}

/* mean of exp(x) sin(pi y) over the points, less the integral 2 (e - 1) / pi */
static agn_status mean_error(double *error, int kind, const agn_tensor *key, int64_t n)
{
    const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
    agn_tensor *mean = NULL;
    agn_scope *s = agn_scope_open(NULL);
    const agn_tensor *p = draw(s, kind, key, n);
    const agn_tensor *x = ag_index_axis(s, p, -1, 0), *y = ag_index_axis(s, p, -1, 1);
    const agn_tensor *f = ag_mul(s, ag_exp(s, x), ag_sin(s, ag_mul_c(s, y, pi)));
    agn_scope_return(s, &mean, ag_mean_all(s, f));
    agn_status st = agn_scope_close(s);
    if (!st)
        st = agn_item_f64(error, mean);
    agn_release(mean);
    *error -= 2 * (e - 1) / pi;
    return st;
}

/* the root of the mean square of it, over keys of a generator */
static agn_status typical_error(double *error, int kind, agn_generator *g, int64_t n)
{
    enum { KEYS = 64 };
    double sum = 0, one = 0;
    agn_status st = AGN_OK;
    for (int k = 0; !st && k < KEYS; k++) {
        agn_tensor *key = NULL;
        st = agn_key(&key, g);
        if (!st)
            st = mean_error(&one, kind, key, n);
        sum += one * one;
        agn_release(key);
    }
    *error = sqrt(sum / KEYS);
    return st;
}

int main(void)
{
    agn_generator *g = NULL;
    agn_status st = agn_generator_new(&g, 1748);
    printf("%-16s", "points");
    for (int kind = 0; kind < KINDS; kind++)
        printf("%17s", names[kind]);
    for (int64_t n = 16; !st && n <= 4096; n *= 4) {
        printf("\n%-16d", (int)n);
        for (int kind = 0; !st && kind < KINDS; kind++) {
            double error = 0;
            st = typical_error(&error, kind, g, n);
            printf("%17.1e", error);
        }
    }
    putchar('\n');
    agn_generator_release(g);
    if (st)
        fprintf(stderr, "%s\n", agn_error_message());
    return st != AGN_OK;
}
