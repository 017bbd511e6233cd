/* tensor/conv/conv.h - one convolution as its kernels see it: sizes, strides, part.

   Output positions o, taps q and pixels p of result, filter and image are related by
       p = o stride + q dilation - before
   along each axis. The sum of image[p] filter[q] result[o] over all pairs is linear in each of the
   three; the op of a part is its gradient in that one. */
#ifndef AGNI_CONV_H
#define AGNI_CONV_H

#include "tensor/value/tensor.h"

enum { AGNI_IMAGE, AGNI_FILTER, AGNI_RESULT, AGNI_PARTS };

typedef struct agni_conv {
    int part, d;
    int64_t images, groups;
    int64_t in, out; /* channels of the image and of the result in each group */
    int64_t n[AGNI_MAX_RANK], m[AGNI_MAX_RANK],
        l[AGNI_MAX_RANK]; /* sizes of the three */
    int64_t stride[AGNI_MAX_RANK], before[AGNI_MAX_RANK], dilation[AGNI_MAX_RANK];
    int64_t pixels, taps, places; /* their products */
} agni_conv;

/* [lo, hi) are the i of [0, count) for which i step + shift lies in [0, n) */
static inline void agni_conv_span(int64_t count, int64_t step, int64_t shift, int64_t n,
                                  int64_t *lo, int64_t *hi)
{
    int64_t first = shift >= 0 ? 0 : (-shift + step - 1) / step;
    int64_t end = n > shift ? (n - shift + step - 1) / step : 0;
    *hi = end < count ? end : count;
    *lo = first < *hi ? first : *hi;
}

/* p[part] is written, the other two are read; all contiguous row-major. By the definition, for
   every dtype, added to p[part]: */
void agni_conv_direct(const agni_conv *g, int dtype, char *const *p);
/* Along one axis, with few channels and taps, in f32 and f64; false where it is none of these. */
bool agni_conv_line(const agni_conv *g, int dtype, char *const *p);
/* For f32 and f64, by GEMM on implicit im2col. false in *done: left to the direct kernel, as the
   filter is not finite or it does not pay. */
agn_status agni_conv_gemm(const agni_conv *g, int dtype, char *const *p, bool *done);

#endif
