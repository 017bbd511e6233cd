/* tensor/special/laws/cuda/integrals.cu - integrals of elementary functions, Kelvin's functions,
   inverses about gamma, Lerch's transcendent, Fisher's and Student's laws on a device: the files of
   the host's values, read once more as device code. */

#include "tensor/special/hypergeometric/cuda/elements.cuh"

namespace {

#include "tensor/special/exponential_integral.c"
#include "tensor/special/parameters/gamma_jet.c"
#include "tensor/special/parameters/lerch.c"
#include "tensor/special/parameters/polylog_slope.c"

#include "tensor/special/integrals/debye.c"
#include "tensor/special/integrals/gamma_inverse.c"
#include "tensor/special/integrals/kelvin.c"
#include "tensor/special/integrals/sine_integral.c"
#include "tensor/special/laws/fisher.c"

ROW(sine_integral) { return agni_sine_integral(x[0], (int)i[0]); }
ROW(clausen) { return agni_clausen(x[0]); }
ROW(debye) { return agni_debye(x[0], (int)i[0], (int)i[1]); }
ROW(fermi_dirac) { return agni_fermi_dirac(x[0], x[1], (int)i[0]); }
ROW(lerch) { return agni_lerch(x[0], x[1], x[2], (int)i[0], (int)i[1]); }
ROW(kelvin) { return agni_kelvin(x[0], (int)i[0], i[1]); }
ROW(rgamma) { return agni_rgamma(x[0], (int)i[0]); }
ROW(digammainv) { return agni_digammainv(x[0]); }
ROW(fisher) { return agni_fisher(x[0], x[1], x[2], (int)i[0], (int)i[1], (int)i[2]); }
ROW(student) { return agni_student(x[0], x[1], (int)i[0], (int)i[1]); }
ROW(wright_omega) { return agni_wright_omega(x[0]); }

const agn_kernel_entry table[] = {
    BOTH(sine_integral), BOTH(clausen), BOTH(debye),      BOTH(fermi_dirac),
    BOTH(kelvin),        BOTH(rgamma),  BOTH(digammainv), BOTH(wright_omega),
    BOTH(fisher),        BOTH(student), BOTH(lerch),
};

} // namespace

extern "C" const agni_cu_table agni_cu_integrals = {table, (int)(sizeof table / sizeof *table)};
