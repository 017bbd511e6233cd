/* tensor/special/hypergeometric/cuda/slopes.h - derivatives in parameters on a device. */
#ifndef AGNI_SPECIAL_SLOPES_H
#define AGNI_SPECIAL_SLOPES_H

#include <agnesi/backend.h>

#ifdef __cplusplus
extern "C" {
#endif
/* kummer, hyp2f1, struve or polylog with orders of derivatives among its attributes */
agn_status agni_cu_slopes(const agn_kernel_call *c);
#ifdef __cplusplus
}
#endif

#endif
