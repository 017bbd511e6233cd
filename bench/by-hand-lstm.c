/* bench/by-hand-lstm.c - an LSTM and its gradient by hand, in both precisions. */
#include "by-hand.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>

#define REAL float
#define GEMM cblas_sgemm
#define EXP expf
#define TANH tanhf
#define NAME by_hand_lstm_f32
#include "by-hand-lstm.inc"
#undef REAL
#undef GEMM
#undef EXP
#undef TANH
#undef NAME
#define REAL double
#define GEMM cblas_dgemm
#define EXP exp
#define TANH tanh
#define NAME by_hand_lstm_f64
#include "by-hand-lstm.inc"
