/* tensor/reduce/cpu/reduce_types.h - the types that have an order, for the operation bound by
   reduce.c. No guard. */
#define T uint8_t
#define S u8
#include "tensor/reduce/cpu/reduce_body.h"
#define T int32_t
#define S i32
#include "tensor/reduce/cpu/reduce_body.h"
#define T int64_t
#define S i64
#include "tensor/reduce/cpu/reduce_body.h"
#define T float
#define S f32
#include "tensor/reduce/cpu/reduce_body.h"
#define T double
#define S f64
#include "tensor/reduce/cpu/reduce_body.h"
