/* tests/values.h - the elements of tests/data/make-exchange.py: element i is 3 i + 1 - 4 s, where s is
   1 for dtypes with a sign; bools are true where i % 3 is 0; complex ones have the imaginary part
   0.5 - i */
#ifndef AGN_TEST_VALUES_H
#define AGN_TEST_VALUES_H

#include "tests/files.h"
#include "tensor/value/tensor.h"
#include <complex.h>

/* a file of tests/fuzz/seeds/FOLDER, valid until the next call */
MAYBE static const char *seed(const char *of, const char *file)
{
    static char path[1024];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/tests/fuzz/seeds/%s/%s", top ? top : ".", of, file);
    return path;
}

static double complex value_of(int dtype, int64_t i)
{
    double v = (double)(3 * i + 1);
    if (dtype == AGN_BOOL)
        return i % 3 == 0;
    if (agni_kind(dtype) == AGNI_KIND_COMPLEX)
        return v - 4 + (0.5 - (double)i) * (double complex)_Complex_I;
    return dtype == AGN_U8 ? v : v - 4;
}

MAYBE static agn_tensor *values(int dtype, int ndim, const int64_t *shape)
{
    agn_tensor *z = NULL, *x = NULL;
    void *p;
    must_hold(agn_empty(&z, AGN_C128, ndim, shape, AGN_CPU));
    must_hold(agn_data_mut(&p, z));
    for (int64_t i = 0; i < agn_numel(z); i++)
        ((double complex *)p)[i] = value_of(dtype, i);
    agn_tensor *re = NULL;
    bool real = agni_kind(dtype) != AGNI_KIND_COMPLEX;
    if (real)
        must_hold(agn_real(&re, z));
    agn_tensor *narrow = NULL;
    must_hold(agn_cast(&narrow, real ? re : z, dtype));
    must_hold(agn_contiguous(&x, narrow)); /* a real part is a view */
    agn_release(narrow);
    agn_release(re);
    agn_release(z);
    return x;
}

MAYBE static bool same(const agn_tensor *x, const agn_tensor *y)
{
    return x && y && x->dtype == y->dtype && x->ndim == y->ndim &&
           !memcmp(x->shape, y->shape, (size_t)x->ndim * sizeof *x->shape) &&
           agni_is_contiguous(x) && agni_is_contiguous(y) &&
           (!x->size ||
            !memcmp(x->data, y->data, (size_t)x->size * agn_dtype_size(x->dtype)));
}

MAYBE static bool has_values(const agn_tensor *x, int dtype, int ndim,
                             const int64_t *shape)
{
    agn_tensor *y = values(dtype, ndim, shape);
    bool yes = same(x, y);
    agn_release(y);
    return yes;
}

/* every dtype the format has in every kind of shape; names as paths */
MAYBE static agn_dict *dict_of(uint32_t dtypes)
{
    static const int64_t shapes[][4] = {{0},    {0},    {1},       {7},
                                        {3, 4}, {0, 3}, {2, 0, 5}, {2, 3, 4, 5}};
    static const int ranks[] = {0, 1, 1, 1, 2, 2, 3, 4};
    agn_dict *d = NULL;
    must_hold(agn_dict_new(&d));
    for (int dtype = 0; dtype < AGN_NDTYPES; dtype++)
        for (int k = 0; k < 8 && dtypes >> dtype & 1; k++) {
            char name[64];
            snprintf(name, sizeof name, "all/%s/%d", agn_dtype_name(dtype), k);
            agn_tensor *x = values(dtype, ranks[k], shapes[k]);
            must_hold(agn_dict_put(d, name, x));
            agn_release(x);
        }
    return d;
}
MAYBE static agn_dict *dict_of_all(void)
{
    return dict_of((1u << AGN_NDTYPES) - 1);
}

#endif
