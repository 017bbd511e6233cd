/* tools/oracle.c - oracle.def and ops.def, read as functions of long double numbers. */
#include "config.h"
#include "oracle.h"

#include "tensor/cpu/special/constants.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double infinity = (long double)INFINITY;

/* ---- functions that <math.h> lacks ------------------------------------------------- */

/* polygamma(n, x) = (-1)^(n+1) n! sum_k (x + k)^-(n+1): the sum to x + k >= 40, then
   Euler-Maclaurin; it holds below 0 too. Digamma is its limit, by Stirling's series. */
static const long double bernoulli[] = {1 / 6.L,       -1 / 30.L,      1 / 42.L, -1 / 30.L,
                                        5 / 66.L,      -691 / 2730.L,  7 / 6.L,  -3617 / 510.L,
                                        43867 / 798.L, -174611 / 330.L};
long double oracle_polygamma(int n, long double x)
{
    long double sum = 0, fact = 1, tail;
    if ((x <= 0 && x == floorl(x)) || x < -1e6L)
        return (long double)NAN;
    for (; x < 40; x++)
        sum += n ? powl(x, -(n + 1)) : -1 / x;
    if (n == 0) {
        tail = logl(x) - 1 / (2 * x);
        for (int j = 0; j < COUNT(bernoulli); j++)
            tail -= bernoulli[j] / ((2 * j + 2) * powl(x, 2 * j + 2));
        return tail + sum;
    }
    for (int k = 2; k <= n; k++)
        fact *= k;
    tail = powl(x, -n) / n + powl(x, -n - 1) / 2;
    long double rising = n + 1, two = 2;
    for (int j = 0; j < COUNT(bernoulli); j++) {
        tail += bernoulli[j] / two * rising * powl(x, -(n + 2 * j + 2));
        rising *= (long double)(n + 2 * j + 2) * (n + 2 * j + 3);
        two *= (long double)(2 * j + 3) * (2 * j + 4);
    }
    return (n % 2 ? 1 : -1) * fact * (sum + tail);
}
#define polygamma oracle_polygamma

/* Python's remainder: of the sign of b */
static long double modulo(long double a, long double b)
{
    long double r = fmodl(a, b);
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static long double relative_entropy(long double a, long double b)
{
    if (a > 0 && b > 0) /* by the exact difference where the quotient is rounded too near 1 */
        return a * (fabsl(a - b) < b / 2 ? log1pl((a - b) / b) : logl(a / b));
    return a != a || b != b ? a + b : a == 0 && b >= 0 ? 0 : infinity;
}
static long double exponent_of(long double x)
{
    int e = 0;
    if (isfinite(x))
        frexpl(x, &e);
    return e;
}
/* ---- special functions by series that converge in the boxes of oracle.def ------------ */

/* derivative of erfc is known: Newton from 0, in the middle of the range */
static long double inverse_erf(long double x)
{
    long double y = 0;
    for (int k = 0; k < 40; k++)
        y -= (erfl(y) - x) * sqrtl(pi) / 2 * expl(y * y);
    return y;
}
static long double bessel_i(int n, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 1; k <= n; k++)
        t *= x / 2 / k;
    for (int k = 1; k < 60; k++) {
        sum += t;
        t *= x * x / 4 / (k * (k + n));
    }
    return sum;
}
/* sum of (q + k)^-s to 60, then Euler-Maclaurin with four Bernoulli numbers */
static long double hurwitz(long double s, long double q)
{
    long double sum = 0;
    for (; q < 60; q++)
        sum += powl(q, -s);
    long double p = powl(q, -s), f = s * p / q;
    sum += p * q / (s - 1) + p / 2 + f / 12;
    f *= (s + 1) * (s + 2) / (q * q);
    sum -= f / 720;
    f *= (s + 3) * (s + 4) / (q * q);
    sum += f / 30240;
    return sum - f * (s + 5) * (s + 6) / (q * q) / 1209600;
}
/* x^a exp(-x) / gamma(a + 1) times sum of x^k / (a + 1)_k */
static long double lower_gamma(long double a, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 1; k < 120; k++) {
        sum += t;
        t *= x / (a + k);
    }
    return sum * powl(x, a) * expl(-x) / tgammal(a + 1);
}
static long double beta(long double a, long double b)
{
    return tgammal(a) / tgammal(a + b) * tgammal(b);
}
static long double lower_beta(long double a, long double b, long double x)
{
    long double t = 1, sum = 0;
    for (int k = 0; k < 900; k++) {
        sum += t;
        t *= x * (a + b + k) / (a + 1 + k);
    }
    return sum * powl(x, a) * powl(1 - x, b) / a / beta(a, b);
}
/* x of P(a, x) = p, and of I_x(a, b) = p: Newton from the leading term, which is below the root, in log x, where
   log P is concave */
static long double inverse_gamma(long double a, long double p)
{
    long double x = powl(p * tgammal(a + 1), 1 / a), step = 1;
    for (int k = 0; k < 40 && fabsl(step) > 1e-17L; k++) {
        long double y = lower_gamma(a, x);
        step = logl(y / p) * y * tgammal(a) / (powl(x, a) * expl(-x));
        x *= expl(-step);
    }
    return x;
}
static long double inverse_beta(long double a, long double b, long double p)
{
    long double z = -1, step = 1, x = 0;
    for (int k = 0; k < 40 && fabsl(step) > 1e-17L; k++) {
        x = 1 / (1 + expl(-z));
        long double t = 1, y = 0, h = powl(x, a) * powl(1 - x, b) / beta(a, b);
        for (int n = 0; t > 1e-22L * (1 - x) * y; n++) {
            y += t;
            t *= x * (a + b + n) / (a + 1 + n);
        }
        y *= h / a;
        step = logl(y / p) * y / h;
        z -= step;
    }
    return x;
}
static int64_t common_divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a, b = b < 0 ? -b : b;
    for (int64_t d = a > b ? a : b; d > 1; d--)
        if (a % d == 0 && b % d == 0)
            return d;
    return a || b ? 1 : 0;
}
static int bits_of(int64_t a)
{
    int n = 0;
    for (a = a < 0 ? -a : a; a; a /= 2)
        n += a % 2 != 0;
    return n;
}

/* ---- oracle.def ----------------------------------------------------------------------- */

#define BOX .box = true
#define STOPS_NAN .stops_nan = true
#define RX(op, f32, f64, e, ...)                                           \
    static long double r_##op(long double a, long double b, long double w) \
    {                                                                      \
        (void)a, (void)b, (void)w;                                         \
        return e;                                                          \
    }
#define Z(op, e)                               \
    static wide z_##op(wide a, wide b, wide w) \
    {                                          \
        (void)a, (void)b, (void)w;             \
        return e;                              \
    }
#define R(op, f32, f64, e) RX(op, f32, f64, e, )
#define RZ(op, f32, f64, r, z) RX(op, f32, f64, r, ) Z(op, z)
#define RZX(op, f32, f64, r, z, ...) RX(op, f32, f64, r, ) Z(op, z)
#include "oracle.def"
#undef R
#undef RX
#undef RZ
#undef RZX
#undef Z

#define R(name, f32, f64, e) {.op = #name, .ulp = {f32, f64}, .real = r_##name},
#define RX(name, f32, f64, e, ...) {.op = #name, .ulp = {f32, f64}, .real = r_##name, __VA_ARGS__},
#define Z(name, e) {.op = #name, .cplx = z_##name},
#define RZ(name, f32, f64, r, z) {.op = #name, .ulp = {f32, f64}, .real = r_##name, .cplx = z_##name},
#define RZX(name, f32, f64, r, z, ...) \
    {.op = #name, .ulp = {f32, f64}, .real = r_##name, .cplx = z_##name, __VA_ARGS__},
static const oracle table[] = {
#include "oracle.def"
};
#undef R
#undef RX
#undef RZ
#undef RZX
#undef Z
#undef BOX
#undef STOPS_NAN

static const oracle *find_formula(const char *op)
{
    for (int i = 0; i < COUNT(table); i++)
        if (!strcmp(table[i].op, op))
            return &table[i];
    return NULL;
}

/* ---- ops.def: the value of each row as an expression in long double ---------------------- */

static bool unknown; /* the expression calls a function that oracle.def lacks */

static long double call_real(const char *op, const long double *x)
{
    const oracle *q = find_formula(op);
    if (!q || !q->real || q->attribute)
        unknown = true;
    return unknown ? (long double)NAN : q->real(x[0], x[1], x[2]);
}
static wide call_complex(const char *op, const wide *x)
{
    const oracle *q = find_formula(op);
    if (!q || !q->cplx || q->attribute)
        unknown = true;
    return unknown ? (wide)NAN : q->cplx(x[0], x[1], x[2]);
}

#define X a
#define A a
#define B b
#define W w
#define P 0
#define ADD(x, y) ((x) + (y))
#define SUB(x, y) ((x) - (y))
#define MUL(x, y) ((x) * (y))
#define DIV(x, y) ((x) / (y))
#define NEG(x) (-(x))
#define SEL(c, x, y) ((c) ? (x) : (y))
#define NOT(x) ((x) == 0)
#define EQ(x, y) ((x) == (y))
#define NE(x, y) ((x) != (y))
#define AND(x, y) ((x) && (y))
#define OR(x, y) ((x) || (y))

#define LT(x, y) ((x) < (y))
#define LE(x, y) ((x) <= (y))
#define GT(x, y) ((x) > (y))
#define GE(x, y) ((x) >= (y))
#define LIT(x) ((long double)(x))
#define FN(f, ...) call_real(#f, (const long double[3]){__VA_ARGS__})
#define EW1(class, name, out, forward, ...)                                      \
    static long double row_r_##name(long double a, long double b, long double w) \
    {                                                                            \
        (void)a, (void)b, (void)w;                                               \
        return forward;                                                          \
    }
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
#undef FN
#undef LT
#undef LE
#undef GT
#undef GE

/* complex numbers have no order: rows that ask for one are of real dtypes */
#define LT(x, y) (creall(x) < creall(y))
#define LE(x, y) (creall(x) <= creall(y))
#define GT(x, y) (creall(x) > creall(y))
#define GE(x, y) (creall(x) >= creall(y))
#define FN(f, ...) call_complex(#f, (const wide[3]){__VA_ARGS__})
#define EW1(class, name, out, forward, ...)          \
    static wide row_z_##name(wide a, wide b, wide w) \
    {                                                \
        (void)a, (void)b, (void)w;                   \
        return forward;                              \
    }
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
#undef FN
#undef LT
#undef LE
#undef GT
#undef GE
#undef ADD
#undef SUB
#undef MUL
#undef DIV
#undef NEG
#undef LIT

/* integers wrap around; what is no whole number, or a quotient, has no value here */
static int64_t whole(double x)
{
    unknown = unknown || x != (double)(int64_t)x;
    return (int64_t)x;
}
static int64_t no_integer(const char *f)
{
    (void)f;
    unknown = true;
    return 0;
}
#define LT(x, y) ((x) < (y))
#define LE(x, y) ((x) <= (y))
#define GT(x, y) ((x) > (y))
#define GE(x, y) ((x) >= (y))
#define ADD(x, y) ((int64_t)((uint64_t)(x) + (uint64_t)(y)))
#define SUB(x, y) ((int64_t)((uint64_t)(x) - (uint64_t)(y)))
#define MUL(x, y) ((int64_t)((uint64_t)(x) * (uint64_t)(y)))
#define DIV(x, y) no_integer("/")
#define NEG(x) ((int64_t)(0 - (uint64_t)(x)))
#define LIT(x) whole((double)(x))
#define FN(f, ...) no_integer(#f)
#define EW1(class, name, out, forward, ...)                                     \
    static bool row_i_##name(int64_t *y, int64_t a, int64_t b, int bits)        \
    {                                                                           \
        int64_t w = 0;                                                          \
        (void)a, (void)b, (void)w;                                              \
        unknown = false;                                                        \
        int64_t v = forward;                                                    \
        *y = bits == 32 ? (int64_t)(int32_t)(uint32_t)(uint64_t)v : v;          \
        return !unknown;                                                        \
    }
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"

#define SAME ORACLE_SAME
#define BOOL ORACLE_BOOL
#define REAL ORACLE_REAL
#define CPLX ORACLE_CPLX
#define EW1(class, name, out, ...) \
    {.op = #name, .result = out, .real = row_r_##name, .cplx = row_z_##name, .integer = row_i_##name},
static const oracle rows[] = {
#include "tensor/rows/ops_alike.h"
#include "tensor/rows/ops.def"
#include "tensor/rows/ops_end.h"
};

static bool is_known(const oracle *row, const oracle *q)
{
    unknown = false;
    row->real(0.5L, 0.5L, 0.5L);
    return q || !unknown;
}

bool find_oracle(oracle *q, const char *op)
{
    const oracle *f = find_formula(op), *row = NULL;
    for (int i = 0; i < COUNT(rows) && !row; i++)
        row = strcmp(rows[i].op, op) ? NULL : &rows[i];
    if (f)
        *q = *f;
    if (!row || !is_known(row, f))
        return f != NULL;
    if (!f)
        *q = (oracle){.op = row->op, .ulp = {4, 4}, .real = row->real, .cplx = row->cplx, .box = true};
    q->integer = row->integer;
    q->result = row->result;
    return true;
}
