/* infer/matrices.c - small symmetric matrices at host vectors, and tensors from and to them. */
#include "infer/infer.h"
#include "tensor/value/tensor.h"
#include <agnesi/elementwise.h>
#include <agnesi/linalg.h>
#include <agnesi/shape.h>

#include <math.h>
#include <string.h>

/* the lower triangle is overwritten by the factor, the upper one by zeros */
bool agni_lower_factor(double *a, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        double pivot = a[j * n + j];
        for (int64_t k = 0; k < j; k++)
            pivot -= a[j * n + k] * a[j * n + k];
        if (!(pivot > 0) || !isfinite(pivot))
            return false;
        double root = sqrt(pivot);
        a[j * n + j] = root;
        for (int64_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (int64_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / root;
        }
        for (int64_t k = j + 1; k < n; k++)
            a[j * n + k] = 0;
    }
    return true;
}
agn_status agni_eigh(double *w, double *v, const double *a, int64_t n)
{
    int64_t shape[2] = {n, n};
    agn_tensor *x = NULL, *y[2] = {NULL, NULL}, *plain = NULL;
    const void *data = NULL;
    agn_status st = agn_from_host(&x, AGN_F64, 2, shape, a);
    st = st ? st : agn_linalg_eigh(&y[0], &y[1], x, false);
    for (int k = 0; !st && k < 2; k++) {
        st = agn_contiguous(&plain, y[k]);
        st = st ? st : agn_data_contiguous(&data, plain);
        if (!st)
            memcpy(k ? v : w, data, (size_t)(k ? n * n : n) * sizeof *w);
        agn_release(plain);
        plain = NULL;
    }
    agn_release(x);
    agn_release(y[0]);
    agn_release(y[1]);
    return st;
}
agn_status agni_put_host(agn_dict *d, const char *name, int dtype, int ndim, const int64_t *shape,
                         const void *v)
{
    agn_tensor *x = NULL;
    agn_status st = agn_from_host(&x, dtype, ndim, shape, v);
    st = st ? st : agn_dict_put(d, name, x);
    agn_release(x);
    return st;
}
agn_status agni_read_host(const double **v, agn_tensor **kept, const char *op, const char *name,
                          const agn_tensor *x, int ndim, const int64_t *shape)
{
    agn_tensor *wide = NULL;
    const void *data = NULL;
    if (!x)
        return agni_fail(AGN_ENULL, "%s: %s is NULL", op, name);
    if (agn_dtype_of(x) != AGN_F32 && agn_dtype_of(x) != AGN_F64)
        return agni_fail(AGN_EDTYPE, "%s: %s is %s; f32 or f64 is needed", op, name,
                         agn_dtype_name(agn_dtype_of(x)));
    bool fits = agn_ndim(x) == ndim;
    for (int i = 0; fits && i < ndim; i++)
        fits = shape[i] < 0 || agn_shape(x)[i] == shape[i];
    if (!fits)
        return agni_fail(AGN_ESHAPE, "%s: %s is %s", op, name, AGNI_SHAPE(x));
    agn_status st = agn_cast(&wide, x, AGN_F64);
    st = st ? st : agn_contiguous(kept, wide);
    st = st ? st : agn_data_contiguous(&data, *kept);
    *v = data;
    agn_release(wide);
    return st;
}
