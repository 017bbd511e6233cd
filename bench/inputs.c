/* bench/inputs.c - the numbers that workloads begin with, and what their results are checked by. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

/* ---- inputs ------------------------------------------------------------------------------ */

static const double PHI = 0.6180339887498949;

/* lo + (hi - lo) frac((i + 1 + 101 salt) step), the product rounded by itself */
static void sequence(double *v, int64_t n, int64_t stride, double lo, double hi,
                     int salt, double step)
{
    for (int64_t i = 0; i < n; i++) {
        volatile double product = (double)(i + 1 + 101 * salt) * step;
        double whole, scaled = (hi - lo) * modf(product, &whole);
        v[i * stride] = lo + scaled;
    }
}

agn_tensor *bench_tensor_of(double *v, agn_dtype dtype, int ndim, const int64_t *shape)
{
    agn_tensor *x = NULL, *y = NULL;
    TRY(agn_from_host(&x, AGN_F64, ndim, shape, v));
    TRY(agn_cast(&y, x, dtype));
    agn_release(x);
    free(v);
    return y;
}

agn_tensor *bench_grid(int ndim, const int64_t *shape, double lo, double hi, int salt,
                        agn_dtype dtype)
{
    int64_t n = 1;
    for (int d = 0; d < ndim; d++)
        n *= shape[d];
    double *v = malloc((size_t)(n ? n : 1) * sizeof *v);
    if (!v)
        bench_die("memory");
    sequence(v, n, 1, lo, hi, salt, PHI);
    return bench_tensor_of(v, dtype, ndim, shape);
}

agn_tensor *bench_points(int64_t n, agn_dtype dtype)
{
    double *v = malloc((size_t)(2 * n) * sizeof *v);
    if (!v)
        bench_die("memory");
    sequence(v, n, 2, -1, 1, 1, 0.7548776662466927);
    sequence(v + 1, n, 2, 0, 1, 1, 0.5698402909980532);
    return bench_tensor_of(v, dtype, 2, (int64_t[]){n, 2});
}

void bench_parameters(agn_tensor **in, int n_layer, const int64_t *size, agn_dtype dtype)
{
    for (int l = 0; l < n_layer; l++) {
        double a = sqrt(6.0 / (double)(size[l] + size[l + 1]));
        in[2 * l] = bench_grid(2, size + l, -a, a, 10 + 2 * l, dtype);
        in[2 * l + 1] = bench_grid(1, size + l + 1, -0.1, 0.1, 11 + 2 * l, dtype);
    }
}

const agn_tensor *bench_network_of(agn_scope *s, const agn_tensor *h,
                                   const agn_tensor *const *parameters, int n_layer,
                                   bench_activation *activation)
{
    for (int l = 0; l < n_layer; l++) {
        h = ag_add(s, ag_matmul(s, h, parameters[2 * l]), parameters[2 * l + 1]);
        h = l < n_layer - 1 ? activation(s, h) : h;
    }
    return h;
}

const agn_tensor *bench_network(agn_scope *s, const agn_tensor *h,
                                const agn_tensor *const *parameters, int n_layer)
{
    return bench_network_of(s, h, parameters, n_layer, ag_tanh);
}

/* ---- checks -------------------------------------------------------------------------------- */

agn_tensor *bench_f64(const agn_tensor *x)
{
    agn_tensor *y = NULL, *z = NULL;
    TRY(agn_cast(&y, x, AGN_F64));
    TRY(agn_contiguous(&z, y));
    agn_release(y);
    return z;
}

int bench_both(const agn_tensor *x, double *value)
{
    agn_tensor *z = bench_f64(x);
    const double *v = agn_data(z);
    int64_t n = agn_numel(z);
    value[0] = 0;
    for (int64_t i = 0; i < n; i++)
        value[0] += fabs(v[i]);
    value[1] = n ? v[n / 3] : 0;
    agn_release(z);
    return 2;
}
