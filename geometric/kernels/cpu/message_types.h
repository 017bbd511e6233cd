/* geometric/kernels/cpu/message_types.h - the loops for integers INT and every dtype. Sums and
   products of integers wrap around; quotients of them are taken elsewhere, as real numbers. */
#define TIES 1
#define VECTORS NARROW
#define DIVIDE(a, b) ((a) / (b))
#define NANS(m) ((m) != (m))
#define T float
#define U float
#define MASK int32_t
#define NAME(x) IN(x, f32)
#include "geometric/kernels/cpu/message_body.h"
#undef T
#undef U
#undef MASK
#undef NAME
#define T double
#define U double
#define MASK int64_t
#define NAME(x) IN(x, f64)
#include "geometric/kernels/cpu/message_body.h"
#undef T
#undef U
#undef MASK
#undef NAME
#undef TIES
#undef VECTORS
#undef DIVIDE
#undef NANS

#define TIES 0
#define VECTORS 0
#define DIVIDE(a, b) ((void)(b), (a))
#define NANS(m) ((m) & 0)
#define T int32_t
#define U uint32_t
#define NAME(x) IN(x, w32)
#include "geometric/kernels/cpu/message_body.h"
#undef T
#undef U
#undef NAME
#define T int64_t
#define U uint64_t
#define NAME(x) IN(x, w64)
#include "geometric/kernels/cpu/message_body.h"
#undef T
#undef U
#undef NAME
#undef TIES
#undef VECTORS
#undef DIVIDE
#undef NANS
