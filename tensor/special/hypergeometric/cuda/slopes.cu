/* tensor/special/hypergeometric/cuda/slopes.cu - derivatives of special functions in their
   parameters on a device: the files of tensor/special/parameters, read once more as device code.
   */

#include "tensor/special/hypergeometric/cuda/elements.cuh"
#include "tensor/special/hypergeometric/cuda/slopes.h"

#include <cstring>

namespace {

#include "tensor/special/parameters/gamma_jet.c"
#include "tensor/special/parameters/kummer_slope.c"
#include "tensor/special/parameters/tricomi_slope.c"

ROW(kummer)
{
    const int order[3] = {(int)i[1], (int)i[2], 0};
    return i[0] ? agni_hypu_slope(x[0], x[1], x[2], order, (int)i[3])
                : agni_hyp1f1_slope(x[0], x[1], x[2], order, (int)i[3]);
}

namespace of_gauss {
#include "tensor/special/parameters/gauss_slope.c"
}
ROW(hyp2f1)
{
    const int order[3] = {(int)i[0], (int)i[1], (int)i[2]};
    return of_gauss::agni_hyp2f1_slope(x[0], x[1], x[2], x[3], order, (int)i[3]);
}

#include "tensor/special/bessel.c"
#include "tensor/special/bessel_order.c"
namespace of_struve {
#include "tensor/special/hypergeometric/struve.c"
#include "tensor/special/parameters/struve_slope.c"
}
ROW(struve)
{
    bool modified = i[0] != 0;
    return i[1] ? of_struve::agni_struve_slope(x[0], x[1], modified, (int)i[1], (int)i[2])
                : of_struve::agni_struve(x[0], x[1], modified, (int)i[2]);
}

#include "tensor/special/parameters/polylog_slope.c"
ROW(polylog) { return agni_polylog_slope(x[0], x[1], (int)i[0], (int)i[1]); }

const agn_kernel_entry table[] = {BOTH(kummer), BOTH(hyp2f1), BOTH(struve), BOTH(polylog)};

} // namespace

extern "C" agn_status agni_cu_slopes(const agn_kernel_call *c)
{
    const agn_kernel_entry *k = table;
    while (strcmp(k->op, c->op) != 0 || k->dtype != c->out->dtype)
        k++;
    return k->run(c);
}
