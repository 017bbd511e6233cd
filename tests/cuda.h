/* tests/cuda.h - what the tests of the CUDA module share. They are built everywhere and run
   where there is a device; elsewhere they say why not. AGNESI_REQUIRE_CUDA=1 makes that a
   failure: on a machine with a device nothing may fall back in silence. */
#ifndef AGN_TEST_CUDA_H
#define AGN_TEST_CUDA_H

#include "laws.h"

#include <dlfcn.h>

static int32_t cuda;

/* a function of the emulator (tests/emulator/runtime.h); NULL: the device is a real one */
static inline void *emulator_symbol(const char *name)
{
    char path[4096];
    const char *folder = getenv("AGNESI_BACKEND_PATH");
    snprintf(path, sizeof path, "%s/libagnesi-cuda.so", folder ? folder : "");
    void *module = folder ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    return module ? dlsym(module, name) : NULL;
}

/* false: there is no device, *result is what main returns */
static inline bool cuda_ready(int *result)
{
    const char *why, *need = getenv("AGNESI_REQUIRE_CUDA");
    if (agn_backend_status("cuda", &why) > 0) {
        must(agn_device_find(&cuda, "cuda"));
        return true;
    }
    if (need && *need && strcmp(need, "0") != 0) {
        ok(false, "a CUDA device is required: %s", why);
        *result = done();
    } else {
        *result = skip_all("no CUDA device: %s", why);
    }
    return false;
}

static inline agn_tensor *on_device(const agn_tensor *x)
{
    agn_tensor *y = NULL;
    must(agn_to_device(&y, x, cuda));
    return y;
}
static inline agn_tensor *on_host(const agn_tensor *x)
{
    agn_tensor *y = NULL;
    must(agn_to_device(&y, x, AGN_CPU));
    return y;
}
/* x on the device under the strides it has on the host: base of a layout, then its view */
static inline agn_tensor *device_layout(const agn_tensor *x, int layout)
{
    agn_tensor *h = NULL, *d, *y = NULL;
    int nd = agn_ndim(x);
    int32_t axes[AGN_MAX_RANK];
    for (int i = 0; i < nd; i++)
        axes[i] = nd - 1 - i;
    switch (layout) {
    case TRANSPOSED: /* the other order, permuted back */
        must(agn_permute(&h, x, axes, nd));
        d = on_device(h);
        must(agn_permute(&y, d, axes, nd));
        break;
    case NEGATIVE:
        must(agn_flip(&h, x, NULL, 0));
        d = on_device(h);
        must(agn_flip(&y, d, NULL, 0));
        break;
    default:
        return on_device(x);
    }
    agn_release(h);
    agn_release(d);
    return y;
}

/* Distance in units of the last place of want, of its larger part for complex numbers. */
static inline double ulps(double complex have, double complex want, int dtype)
{
    bool single = dtype == AGN_F32 || dtype == AGN_C64;
    double eps = single ? 0x1p-23 : 0x1p-52, least = single ? 0x1p-126 : 0x1p-1022;
    double part[2][2] = {{creal(have), creal(want)}, {cimag(have), cimag(want)}}, worst = 0;
    double size = fmax(fmax(fabs(part[0][1]), fabs(part[1][1])), least);
    for (int i = 0; i < 2; i++) {
        double h = part[i][0], w = part[i][1];
        if (h == w || (isnan(h) && isnan(w)))
            continue;
        if (!isfinite(h) || !isfinite(w) || !isfinite(size))
            return (double)INFINITY;
        worst = fmax(worst, fabs(h - w) / ldexp(eps, ilogb(size)));
    }
    return worst;
}
/* largest distance of a device's tensor from the host's; infinite where shapes differ */
static inline double worst_ulps(const agn_tensor *device, const agn_tensor *want)
{
    agn_tensor *have = on_host(device);
    double worst = 0;
    int dtype = agn_dtype_of(want);
    if (agn_dtype_of(have) != dtype || !same_shapes(have, want))
        worst = (double)INFINITY;
    else if (kind_of(dtype) <= KIND_INT)
        worst = same_values(have, want) ? 0 : (double)INFINITY;
    else
        for (int64_t i = 0; i < agn_numel(want); i++)
            worst = fmax(worst, ulps(peekz(have, i), peekz(want, i), dtype));
    agn_release(have);
    return worst;
}
/* |have - want| over the largest |want| */
static inline double relative(const agn_tensor *device, const agn_tensor *want)
{
    agn_tensor *have = on_host(device);
    double d = 0, m = 1e-300;
    if (agn_dtype_of(have) != agn_dtype_of(want) || !same_shapes(have, want))
        d = (double)INFINITY;
    else
        for (int64_t i = 0; i < agn_numel(want); i++) {
            double e = cabs(peekz(have, i) - peekz(want, i));
            d = isnan(e) ? (double)INFINITY : fmax(d, e);
            m = fmax(m, cabs(peekz(want, i)));
        }
    agn_release(have);
    return d == 0 ? 0 : d / m;
}
static inline double tolerance(int dtype)
{
    return dtype == AGN_F32 || dtype == AGN_C64 ? 1e-5 : 1e-13;
}

#endif
