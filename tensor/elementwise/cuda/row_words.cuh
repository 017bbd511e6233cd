/* tensor/elementwise/cuda/row_words.cuh - the words of tensor/rows/ops.def for one element of type
   T on a device. */
#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define FN(f, ...) dev::f(__VA_ARGS__)
#define ADD(a, b) dev::add(a, b)
#define SUB(a, b) dev::sub(a, b)
#define MUL(a, b) dev::mul(a, b)
#define DIV(a, b) ((a) / (b))
#define NEG(a) dev::neg(a)
#define LIT(c) ((T)(c))
#define SEL(c, a, b) ((c) ? (a) : (b))
#define EQ(a, b) ((a) == (b))
#define NE(a, b) ((a) != (b))
#define LT(a, b) ((a) < (b))
#define LE(a, b) ((a) <= (b))
#define GT(a, b) ((a) > (b))
#define GE(a, b) ((a) >= (b))
#define NOT(a) ((a) == (T)0)
#define AND(a, b) ((a) != (T)0 && (b) != (T)0)
#define OR(a, b) ((a) != (T)0 || (b) != (T)0)
#define OUT_SAME T
#define OUT_BOOL bool
#define OUT_REAL TR
#define OUT_CPLX TC
