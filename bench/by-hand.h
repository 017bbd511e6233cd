/* bench/by-hand.h - derivatives that somebody wrote out in C, as a bound for those of the
   library: the same inputs and results, compiled with the flags of its kernels, products by the
   same BLAS. Results are row-major, in the order of the library's. */
#ifndef AGNESI_BENCH_BY_HAND_H
#define AGNESI_BENCH_BY_HAND_H

#include <stdbool.h>
#include <stdint.h>

typedef void by_hand(const void *sizes, const void *const *in, void *const *out);
bool by_hand_runs(void); /* can this machine run what they were compiled to? */

/* in: alphas, means, icf, x; out: value, d alphas, d means, d icf */
typedef struct mixture_sizes {
    int64_t d, K, n;
    double constant;
} mixture_sizes;
by_hand by_hand_mixture;

/* in: cameras, points, weights, features; out: residuals, Jacobian [p, 2, 15], d weights */
typedef struct bundle_sizes {
    int64_t cameras, points, p;
} bundle_sizes;
by_hand by_hand_bundle;

/* in: theta, relatives, inverses, skin, places, and where triangles u; out: residuals [c, 3],
   Jacobian [c, 3, 26], and that in u [c, 3, 2] */
enum { FINGERS = 5, JOINTS = 4, BONES = 2 + FINGERS * JOINTS, THETA = 26 };
typedef struct hand_sizes {
    int64_t vertices, c;
    bool triangles;
    const int64_t *vertex; /* of each place; where triangles the first of three that follow */
} hand_sizes;
by_hand by_hand_tracking;

/* in: X, Wx, Wh, bias; out: value and the four gradients */
typedef struct recurrent_sizes {
    int64_t T, b, wide, H;
} recurrent_sizes;
by_hand by_hand_lstm_f32, by_hand_lstm_f64;

#endif
