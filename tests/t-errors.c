/* tests/t-errors.c - every documented error of every tensor function, provoked: its status,
   the op and the two facts in the message, out untouched. */
#include "laws.h"

#undef I /* of <complex.h> */

static agn_tensor *X, *V, *S, *Z, *B, *I, *E, *K, *W, *T3;
static agn_generator *G;
static tally t;

#define LONGS(...)    \
    (const int64_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define AXES(...)     \
    (const int32_t[]) \
    {                 \
        __VA_ARGS__   \
    }
#define TENSORS(...)       \
    (const agn_tensor *[]) \
    {                      \
        __VA_ARGS__        \
    }

/* the call writes y */
#define NO(call, want, op, fact1, fact2)                                   \
    do {                                                                   \
        agn_tensor *y = untouched;                                         \
        agn_status no_st = call;                                           \
        check(&t, refused(no_st, want, op, fact1, fact2, y), "%s", #call); \
    } while (0)
/* a NULL out: nothing to see untouched */
#define NO_OUT(call, op)                                                   \
    do {                                                                   \
        agn_status no_st = call;                                           \
        const char *m = agn_error_message();                               \
        check(&t,                                                          \
              no_st == AGN_ENULL && !strncmp(m, op ":", strlen(op) + 1) && \
                  strstr(m, "NULL"),                                       \
              "%s: %s \"%s\"", #call, agn_status_name(no_st), m);          \
    } while (0)

static void test_creation(void)
{
    static const int64_t neg[2] = {3, -4},
                         huge[2] = {(int64_t)1 << 40, (int64_t)1 << 40};
    NO_OUT(agn_from_host(NULL, AGN_F64, 0, NULL, NULL), "from_host");
    NO(agn_from_host(&y, AGN_F64, 0, NULL, NULL), AGN_ENULL, "from_host", "data",
       "elements");
    NO(agn_from_host(&y, AGN_F64, 1, NULL, &t), AGN_ENULL, "from_host", "shape",
       "rank is 1");
    NO(agn_from_host(&y, 99, 0, NULL, &t), AGN_EDTYPE, "from_host", "99", "12");
    NO(agn_from_host(&y, -1, 0, NULL, &t), AGN_EDTYPE, "from_host", "-1", "12");
    NO(agn_from_host(&y, AGN_F64, 2, neg, &t), AGN_ESHAPE, "from_host", "-4", "axis 1");
    NO(agn_from_host(&y, AGN_F64, 33, neg, &t), AGN_ESHAPE, "from_host", "33", "32");
    NO(agn_from_host(&y, AGN_F64, 2, huge, &t), AGN_ENOMEM, "from_host",
       "[1099511627776,1099511627776]", NULL);
    double v[4] = {0};
    NO_OUT(agn_wrap_host(NULL, AGN_F64, 0, NULL, NULL, v, false, NULL, NULL),
           "wrap_host");
    NO(agn_wrap_host(&y, AGN_F64, 0, NULL, NULL, NULL, false, NULL, NULL), AGN_ENULL,
       "wrap_host", "data", "[]");
    NO(agn_wrap_host(&y, 12, 0, NULL, NULL, v, false, NULL, NULL), AGN_EDTYPE,
       "wrap_host", "12", NULL);
    NO(agn_wrap_host(&y, AGN_F64, 2, neg, NULL, v, false, NULL, NULL), AGN_ESHAPE,
       "wrap_host", "-4", "axis 1");
    NO(agn_wrap_host(&y, AGN_F64, 2, huge, NULL, v, false, NULL, NULL), AGN_ENOMEM,
       "wrap_host", "1099511627776", NULL);
    NO(agn_wrap_host(&y, AGN_F32, 1, LONGS(1), NULL, (char *)v + 2, false, NULL, NULL),
       AGN_EARG, "wrap_host", "4 bytes", "f32");
    NO_OUT(agn_empty(NULL, AGN_F64, 0, NULL, 0), "empty");
    NO(agn_empty(&y, 77, 0, NULL, 0), AGN_EDTYPE, "empty", "77", "12");
    NO(agn_empty(&y, AGN_F64, 2, neg, 0), AGN_ESHAPE, "empty", "-4", "axis 1");
    NO(agn_empty(&y, AGN_F64, 2, huge, 0), AGN_ENOMEM, "empty", "1099511627776", NULL);
    NO(agn_empty(&y, AGN_F64, 0, NULL, 9999), AGN_EDEVICE, "empty", "9999", "f64");
    NO_OUT(agn_lit(NULL, 1), "lit");
    NO_OUT(agn_full(NULL, AGN_F64, 0, NULL, 1), "full");
    NO(agn_full(&y, 13, 0, NULL, 1), AGN_EDTYPE, "full", "13", "12");
    NO(agn_full(&y, AGN_F64, 2, neg, 1), AGN_ESHAPE, "full", "-4", "axis 1");
    NO(agn_full(&y, AGN_F64, 2, huge, 1), AGN_ENOMEM, "full", "1099511627776", NULL);
    NO(agn_full(&y, AGN_I32, 0, NULL, 1.5), AGN_EDOMAIN, "full", "1.5", "i32");
    NO(agn_full(&y, AGN_U8, 0, NULL, (double)NAN), AGN_EDOMAIN, "full", "nan", "u8");
    NO_OUT(agn_full_i64(NULL, AGN_F64, 0, NULL, 1), "full_i64");
    NO(agn_full_i64(&y, 13, 0, NULL, 1), AGN_EDTYPE, "full_i64", "13", "12");
    NO(agn_full_i64(&y, AGN_F64, 2, neg, 1), AGN_ESHAPE, "full_i64", "-4", "axis 1");
    NO(agn_full_i64(&y, AGN_F64, 2, huge, 1), AGN_ENOMEM, "full_i64", "1099511627776",
       NULL);
    NO(agn_full_i64(&y, AGN_I16, 0, NULL, 40000), AGN_EDOMAIN, "full_i64", "40000",
       "i16");
    NO_OUT(agn_arange(NULL, AGN_F64, 0, 1, 1), "arange");
    NO(agn_arange(&y, 13, 0, 1, 1), AGN_EDTYPE, "arange", "13", "12");
    NO(agn_arange(&y, AGN_F64, 0, 1, 0), AGN_EARG, "arange", "step 0", "f64");
    NO(agn_arange(&y, AGN_F64, 0, (double)INFINITY, 1), AGN_EARG, "arange", "finite",
       "f64");
    NO(agn_arange(&y, AGN_F64, 0, 1, (double)NAN), AGN_EARG, "arange", "nan", "f64");
    NO(agn_arange(&y, AGN_F64, 0, 1e300, 1), AGN_ENOMEM, "arange", NULL, NULL);
    NO(agn_arange(&y, AGN_I8, 0, 200, 1), AGN_EDOMAIN, "arange", "199", "i8");
    NO_OUT(agn_linspace(NULL, AGN_F64, 0, 1, 2), "linspace");
    NO(agn_linspace(&y, 13, 0, 1, 2), AGN_EDTYPE, "linspace", "13", "12");
    NO(agn_linspace(&y, AGN_I64, 0, 1, 2), AGN_EDTYPE, "linspace", "i64", "2 points");
    NO(agn_linspace(&y, AGN_F64, 0, 1, -2), AGN_ESHAPE, "linspace", "-2", NULL);
    NO(agn_linspace(&y, AGN_F64, 0, 1, (int64_t)1 << 62), AGN_ENOMEM, "linspace", NULL,
       NULL);
    NO_OUT(agn_eye(NULL, AGN_F64, 1, 1, 0), "eye");
    NO(agn_eye(&y, 13, 1, 1, 0), AGN_EDTYPE, "eye", "13", "12");
    NO(agn_eye(&y, AGN_F64, 1, -5, 0), AGN_ESHAPE, "eye", "-5", "axis 1");
    NO(agn_eye(&y, AGN_F64, (int64_t)1 << 40, (int64_t)1 << 40, 0), AGN_ENOMEM, "eye",
       "1099511627776", NULL);
    NO_OUT(agn_to_device(NULL, X, 0), "to_device");
    NO(agn_to_device(&y, NULL, 0), AGN_ENULL, "to_device", "x is NULL", NULL);
    NO(agn_to_device(&y, X, 777777), AGN_EDEVICE, "to_device", "777777", "f64");
    tell(&t, "creation: NULL, dtype, shape, size, value, device");
    t = (tally){0};
}

typedef agn_status unary(agn_tensor **, const agn_tensor *);
typedef agn_status binary(agn_tensor **, const agn_tensor *, const agn_tensor *);
typedef agn_status with_literal(agn_tensor **, const agn_tensor *, double);
typedef agn_status reduction(agn_tensor **, const agn_tensor *, const int32_t *,
                             int32_t, bool);
#define FULL(name)        \
    {                     \
#name, agn_##name \
    }

static void test_elementwise(void)
{
    static const struct {
        const char *name;
        unary *f;
    } ones[] = {
        FULL(neg),         FULL(abs),        FULL(sign),          FULL(square),
        FULL(reciprocal),  FULL(sqrt),       FULL(rsqrt),         FULL(exp),
        FULL(exp2),        FULL(expm1),      FULL(log),           FULL(log2),
        FULL(log10),       FULL(log1p),      FULL(sin),           FULL(cos),
        FULL(tan),         FULL(asin),       FULL(acos),          FULL(atan),
        FULL(sinh),        FULL(cosh),       FULL(tanh),          FULL(asinh),
        FULL(acosh),       FULL(atanh),      FULL(erf),           FULL(erfc),
        FULL(lgamma),      FULL(digamma),    FULL(sigmoid),       FULL(softplus),
        FULL(relu),        FULL(gelu),       FULL(floor),         FULL(ceil),
        FULL(round),       FULL(trunc),      FULL(isnan),         FULL(isfinite),
        FULL(logical_not), FULL(conj),       FULL(real),          FULL(imag),
        FULL(copy),        FULL(contiguous), FULL(stop_gradient), FULL(transpose),
        FULL(watch),       FULL(sum_all),    FULL(mean_all),
        FULL(cbrt),        FULL(logit),      FULL(deg2rad),       FULL(rad2deg),
        FULL(erfinv),      FULL(ndtr),       FULL(ndtri),         FULL(log_ndtr),
        FULL(entr),        FULL(frac),       FULL(isinf),         FULL(isposinf),
        FULL(isneginf),    FULL(isreal),     FULL(signbit),       FULL(bitwise_not),
        FULL(popcount),    FULL(sinc),       FULL(erfcx),         FULL(i0),
        FULL(i0e),         FULL(i1),         FULL(i1e),           FULL(as_real),
        FULL(as_complex)};
    /* rows of real numbers, whose functions take complex ones too */
    static const char of_complex[] = "abs sign rsqrt exp2 expm1 log2 log10 log1p sigmoid";
    for (int k = 0; k < COUNT(ones); k++) {
        const char *op = ones[k].name;
        agn_tensor *y = untouched;
        /* sum_all speaks as sum */
        const char *said = !strcmp(op, "sum_all")    ? "sum"
                           : !strcmp(op, "mean_all") ? "mean"
                                                     : op;
        agn_status st = ones[k].f(&y, NULL);
        check(&t, refused(st, AGN_ENULL, said, "NULL", NULL, y), "%s(NULL)", op);
        st = ones[k].f(NULL, X);
        check(&t,
              st == AGN_ENULL && strstr(agn_error_message(), "out is NULL") &&
                  !strncmp(agn_error_message(), said, strlen(said)),
              "%s into NULL: %s", op, agn_error_message());
        agn_op_info info = {.size = sizeof info};
        for (int id = 0; id < agn_op_count(); id++) {
            must(agn_op_describe(&info, id));
            if (strcmp(info.name, op) || strstr(of_complex, op) || info.dtypes >> AGN_C128 & 1)
                continue;
            st = ones[k].f(&y, Z);
            const char *real = info.dtypes >> AGN_F64 & 1 ? "f32 f64" : "i32 i64";
            check(&t, refused(st, AGN_EDTYPE, op, "c128", real, y), "%s of complex", op);
        }
    }
    NO(agn_polygamma(&y, X, -1), AGN_EARG, "polygamma", "-1", "100");
    NO(agn_polygamma(&y, X, 101), AGN_EARG, "polygamma", "101", "100");
    NO(agn_polygamma(&y, NULL, 1), AGN_ENULL, "polygamma", "NULL", NULL);
    NO(agn_polygamma(&y, Z, 1), AGN_EDTYPE, "polygamma", "c128", NULL);
    NO_OUT(agn_polygamma(NULL, X, 1), "polygamma");
    NO(agn_bessel_i(&y, X, -1), AGN_EARG, "bessel_i", "-1", "100");
    NO(agn_bessel_i(&y, NULL, 1), AGN_ENULL, "bessel_i", "NULL", NULL);
    NO(agn_bessel_i(&y, Z, 1), AGN_EDTYPE, "bessel_i", "c128", NULL);
    NO_OUT(agn_bessel_i(NULL, X, 1), "bessel_i");
    NO(agn_bessel_ie(&y, X, 101), AGN_EARG, "bessel_ie", "101", "100");
    NO(agn_bessel_ie(&y, NULL, 1), AGN_ENULL, "bessel_ie", "NULL", NULL);
    NO(agn_bessel_ie(&y, Z, 1), AGN_EDTYPE, "bessel_ie", "c128", NULL);
    NO_OUT(agn_bessel_ie(NULL, X, 1), "bessel_ie");
    tell(&t, "element-wise, one argument");
    t = (tally){0};
    static const struct {
        const char *name;
        binary *f;
        bool real;
    } twos[] = {{"add", agn_add, 0},
                {"sub", agn_sub, 0},
                {"mul", agn_mul, 0},
                {"div", agn_div, 0},
                {"mulz", agn_mulz, 0},
                {"pow", agn_pow, 0},
                {"atan2", agn_atan2, 1},
                {"hypot", agn_hypot, 1},
                {"maximum", agn_maximum, 1},
                {"minimum", agn_minimum, 1},
                {"floor_divide", agn_floor_divide, 1},
                {"remainder", agn_remainder, 1},
                {"eq", agn_eq, 0},
                {"ne", agn_ne, 0},
                {"lt", agn_lt, 1},
                {"le", agn_le, 1},
                {"gt", agn_gt, 1},
                {"ge", agn_ge, 1},
                {"logical_and", agn_logical_and, 0},
                {"logical_or", agn_logical_or, 0},
                {"complex", agn_complex, 1},
                {"fmax", agn_fmax, 1},
                {"fmin", agn_fmin, 1},
                {"fmod", agn_fmod, 1},
                {"copysign", agn_copysign, 1},
                {"ldexp", agn_ldexp, 1},
                {"heaviside", agn_heaviside, 1},
                {"xlogy", agn_xlogy, 1},
                {"xlog1py", agn_xlog1py, 1},
                {"rel_entr", agn_rel_entr, 1},
                {"logaddexp", agn_logaddexp, 1},
                {"logaddexp2", agn_logaddexp2, 1},
                {"zeta", agn_zeta, 1},
                {"gammainc", agn_gammainc, 1},
                {"gammaincc", agn_gammaincc, 1},
                {"gammaincinv", agn_gammaincinv, 1},
                {"gammainccinv", agn_gammainccinv, 1},
                {"nextafter", agn_nextafter, 1},
                {"logical_xor", agn_logical_xor, 0}};
    for (int k = 0; k < COUNT(twos); k++) {
        const char *op = twos[k].name;
        NO(twos[k].f(&y, NULL, X), AGN_ENULL, op, "argument 0", "2");
        NO(twos[k].f(&y, X, NULL), AGN_ENULL, op, "argument 1", "2");
        NO(twos[k].f(&y, X, V), AGN_ESHAPE, op, "[3,4]", "[5]");
        NO(twos[k].f(&y, V, X), AGN_ESHAPE, op, "[5]", "[3,4]");
        agn_status st = twos[k].f(NULL, X, X);
        check(&t, st == AGN_ENULL && !strncmp(agn_error_message(), op, strlen(op)),
              "%s into NULL", op);
        if (twos[k].real)
            NO(twos[k].f(&y, X, Z), AGN_EDTYPE, op, "c128", "f32 f64");
    }
    static const struct {
        const char *name;
        with_literal *f;
    } lits[] = {{"add_c", agn_add_c}, {"sub_c", agn_sub_c},         {"mul_c", agn_mul_c},
                {"div_c", agn_div_c}, {"pow_c", agn_pow_c},         {"maximum_c", agn_maximum_c},
                {"minimum_c", agn_minimum_c}};
    for (int k = 0; k < COUNT(lits); k++) {
        NO(lits[k].f(&y, NULL, 1), AGN_ENULL, lits[k].name, "argument 0", NULL);
        agn_status st = lits[k].f(NULL, X, 1);
        check(&t, st == AGN_ENULL && !strncmp(agn_error_message(), lits[k].name, strlen(lits[k].name)),
              "%s into NULL", lits[k].name);
        if (lits[k].f != agn_div_c)
            NO(lits[k].f(&y, I, 1e15), AGN_EDOMAIN, lits[k].name, "1000000000000000",
               "i32");
    }
    NO(agn_maximum_c(&y, Z, 1), AGN_EDTYPE, "maximum_c", "c128", NULL);
    NO(agn_where(&y, NULL, X, X), AGN_ENULL, "where", "cond", NULL);
    NO(agn_where(&y, B, NULL, X), AGN_ENULL, "where", "argument 1", "3");
    NO(agn_where(&y, B, X, NULL), AGN_ENULL, "where", "argument 2", "3");
    NO(agn_where(&y, B, X, V), AGN_ESHAPE, "where", "[3,4]", "[5]");
    NO_OUT(agn_where(NULL, B, X, X), "where");
    NO(agn_op_apply(&y, 1, "where", TENSORS(X, X, X), 3, NULL, 0, NULL, 0), AGN_EDTYPE,
       "where", "f64", "bool");
    static const struct {
        const char *name;
        binary *f;
    } bits[] = {{"bitwise_and", agn_bitwise_and}, {"bitwise_or", agn_bitwise_or},
                {"bitwise_xor", agn_bitwise_xor}, {"left_shift", agn_left_shift},
                {"right_shift", agn_right_shift}, {"gcd", agn_gcd},
                {"lcm", agn_lcm},                 {"logical_right_shift", agn_logical_right_shift}};
    agn_tensor *wide = NULL, *narrow = NULL;
    must(agn_full_i64(&wide, AGN_I16, 2, LONGS(3, 4), 1));
    must(agn_full_i64(&narrow, AGN_I8, 1, LONGS(5), 1));
    for (int k = 0; k < COUNT(bits); k++) {
        const char *op = bits[k].name;
        NO(bits[k].f(&y, NULL, wide), AGN_ENULL, op, "NULL", NULL);
        NO(bits[k].f(&y, wide, NULL), AGN_ENULL, op, "NULL", NULL);
        NO(bits[k].f(&y, wide, narrow), AGN_ESHAPE, op, "[3,4]", "[5]");
        NO(bits[k].f(&y, wide, X), AGN_EDTYPE, op, "f64", NULL);
        agn_status st = bits[k].f(NULL, wide, wide);
        check(&t, st == AGN_ENULL && !strncmp(agn_error_message(), op, strlen(op)),
              "%s into NULL", op);
    }
    NO(agn_popcount(&y, X), AGN_EDTYPE, "popcount", "f64", NULL);
    NO(agn_bitwise_not(&y, X), AGN_EDTYPE, "bitwise_not", "f64", NULL);
    agn_release(wide), agn_release(narrow);
    NO(agn_betainc(&y, X, X, NULL), AGN_ENULL, "betainc", "argument 2", "3");
    NO(agn_betainc(&y, X, V, X), AGN_ESHAPE, "betainc", "[3,4]", "[5]");
    NO(agn_betainc(&y, X, X, Z), AGN_EDTYPE, "betainc", "c128", NULL);
    NO_OUT(agn_betainc(NULL, X, X, X), "betainc");
    NO(agn_betaincc(&y, X, X, NULL), AGN_ENULL, "betaincc", "argument 2", "3");
    NO(agn_betaincc(&y, X, V, X), AGN_ESHAPE, "betaincc", "[3,4]", "[5]");
    NO(agn_betaincc(&y, X, X, Z), AGN_EDTYPE, "betaincc", "c128", NULL);
    NO_OUT(agn_betaincc(NULL, X, X, X), "betaincc");
    NO(agn_betaincinv(&y, X, X, NULL), AGN_ENULL, "betaincinv", "argument 2", "3");
    NO(agn_betaincinv(&y, X, V, X), AGN_ESHAPE, "betaincinv", "[3,4]", "[5]");
    NO(agn_betaincinv(&y, X, X, Z), AGN_EDTYPE, "betaincinv", "c128", NULL);
    NO_OUT(agn_betaincinv(NULL, X, X, X), "betaincinv");
    NO(agn_betainccinv(&y, X, X, NULL), AGN_ENULL, "betainccinv", "argument 2", "3");
    NO(agn_betainccinv(&y, X, V, X), AGN_ESHAPE, "betainccinv", "[3,4]", "[5]");
    NO(agn_betainccinv(&y, X, X, Z), AGN_EDTYPE, "betainccinv", "c128", NULL);
    NO_OUT(agn_betainccinv(NULL, X, X, X), "betainccinv");
    NO(agn_lerp(&y, NULL, X, X), AGN_ENULL, "lerp", "argument 0", "3");
    NO(agn_lerp(&y, X, X, V), AGN_ESHAPE, "lerp", "[3,4]", "[5]");
    NO_OUT(agn_lerp(NULL, X, X, X), "lerp");
    tell(&t, "element-wise, two and three arguments");
    t = (tally){0};
}

/* functions made of rows */
static void test_composed(void)
{
    const agn_tensor *none[2] = {NULL, NULL};
    agn_tensor *p = untouched, *q = untouched;
    NO(agn_positive(&y, NULL), AGN_ENULL, "positive", "x is NULL", NULL);
    NO(agn_positive(&y, B), AGN_EDTYPE, "positive", "bool", NULL);
    NO_OUT(agn_positive(NULL, X), "positive");
    NO(agn_scale(&y, NULL, 1, 1), AGN_ENULL, "scale", "x is NULL", NULL);
    NO_OUT(agn_scale(NULL, X, 1, 1), "scale");
    NO(agn_scale(&y, I, 1e15, 0), AGN_EDOMAIN, "scale", "1000000000000000", "i32");
    NO(agn_stanh(&y, NULL, 1, 1), AGN_ENULL, "stanh", "x is NULL", NULL);
    NO_OUT(agn_stanh(NULL, X, 1, 1), "stanh");
    NO(agn_addcmul(&y, X, NULL, X, 1), AGN_ENULL, "addcmul", "a is NULL", NULL);
    NO(agn_addcmul(&y, X, X, V, 1), AGN_ESHAPE, "addcmul", "[3,4]", "[5]");
    NO(agn_addcmul(&y, I, I, I, 1e15), AGN_EDOMAIN, "addcmul", "1000000000000000", "i32");
    NO(agn_addcmul(&y, X, X, B, 1), AGN_EDTYPE, "addcmul", "b is bool", NULL);
    NO_OUT(agn_addcmul(NULL, X, X, X, 1), "addcmul");
    NO(agn_addcdiv(&y, X, X, NULL, 1), AGN_ENULL, "addcdiv", "b is NULL", NULL);
    NO(agn_addcdiv(&y, V, X, X, 1), AGN_ESHAPE, "addcdiv", "[3,4]", "[5]");
    NO(agn_addcdiv(&y, B, X, X, 1), AGN_EDTYPE, "addcdiv", "x is bool", NULL);
    NO_OUT(agn_addcdiv(NULL, X, X, X, 1), "addcdiv");
    NO(agn_add_n(&y, NULL, 1), AGN_ENULL, "add_n", "xs is NULL", NULL);
    NO(agn_add_n(&y, none, 2), AGN_ENULL, "add_n", "xs[0] is NULL", NULL);
    NO(agn_add_n(&y, TENSORS(X, NULL), 2), AGN_ENULL, "add_n", "argument 1", NULL);
    NO(agn_add_n(&y, TENSORS(X), 0), AGN_EARG, "add_n", "0 tensors", "at least 1");
    NO(agn_add_n(&y, TENSORS(X, V), 2), AGN_ESHAPE, "add_n", "[3,4]", "[5]");
    NO_OUT(agn_add_n(NULL, TENSORS(X), 1), "add_n");
    NO(agn_multiplex(&y, TENSORS(X, X), 2, NULL), AGN_ENULL, "multiplex", "index", NULL);
    NO(agn_multiplex(&y, NULL, 2, K), AGN_ENULL, "multiplex", "xs", NULL);
    NO(agn_multiplex(&y, TENSORS(X, X), 2, X), AGN_ESHAPE, "multiplex", "[3,4]", NULL);
    NO(agn_multiplex(&y, TENSORS(X, X), 0, X), AGN_ESHAPE, "multiplex", "0 tensors", NULL);
    NO_OUT(agn_multiplex(NULL, TENSORS(X, X), 2, X), "multiplex");
    must(agn_full_i64(&p, AGN_I64, 1, LONGS(3), 2));
    NO(agn_multiplex(&y, TENSORS(X, X), 2, p), AGN_EINDEX, "multiplex", "out of range", NULL);
    agn_release(p);
    must(agn_full(&p, AGN_F64, 1, LONGS(3), 1));
    NO(agn_multiplex(&y, TENSORS(X, X), 2, p), AGN_EDTYPE, "multiplex", "f64", "integer");
    agn_release(p);
    p = untouched;
    NO(agn_clip(&y, NULL, X, X), AGN_ENULL, "clip", "x is NULL", NULL);
    NO(agn_clip(&y, X, NULL, NULL), AGN_ENULL, "clip", "lo and hi", NULL);
    NO(agn_clip(&y, X, V, NULL), AGN_ESHAPE, "clip", "[3,4]", "[5]");
    NO(agn_clip(&y, X, NULL, Z), AGN_EDTYPE, "clip", "c128", NULL);
    NO_OUT(agn_clip(NULL, X, X, X), "clip");
    NO(agn_clip_c(&y, NULL, 0, 1), AGN_ENULL, "clip_c", "x is NULL", NULL);
    NO(agn_clip_c(&y, Z, 0, 1), AGN_EDTYPE, "clip_c", "c128", NULL);
    NO(agn_clip_c(&y, I, 0, 1e15), AGN_EDOMAIN, "clip_c", "1000000000000000", "i32");
    NO_OUT(agn_clip_c(NULL, X, 0, 1), "clip_c");
    NO(agn_float_power(&y, X, NULL), AGN_ENULL, "float_power", "b is NULL", NULL);
    NO(agn_float_power(&y, X, V), AGN_ESHAPE, "float_power", "[3,4]", "[5]");
    NO_OUT(agn_float_power(NULL, X, X), "float_power");
    NO(agn_nan_to_num(&y, NULL, 0, 1, 1), AGN_ENULL, "nan_to_num", "x is NULL", NULL);
    NO_OUT(agn_nan_to_num(NULL, X, 0, 1, 1), "nan_to_num");
    NO(agn_multigammaln(&y, NULL, 2), AGN_ENULL, "multigammaln", "a is NULL", NULL);
    NO(agn_multigammaln(&y, X, 0), AGN_EARG, "multigammaln", "0", "1000");
    NO(agn_multigammaln(&y, Z, 2), AGN_EDTYPE, "multigammaln", "c128", NULL);
    NO_OUT(agn_multigammaln(NULL, X, 2), "multigammaln");
    NO(agn_angle(&y, NULL), AGN_ENULL, "angle", "x is NULL", NULL);
    NO_OUT(agn_angle(NULL, X), "angle");
    NO(agn_polar(&y, X, NULL), AGN_ENULL, "polar", "phi is NULL", NULL);
    NO(agn_polar(&y, X, V), AGN_ESHAPE, "polar", "[3,4]", "[5]");
    NO(agn_polar(&y, X, Z), AGN_EDTYPE, "polar", "c128", NULL);
    NO_OUT(agn_polar(NULL, X, X), "polar");
    NO(agn_isclose(&y, X, NULL, 0, 0, false), AGN_ENULL, "isclose", "b is NULL", NULL);
    NO(agn_isclose(&y, X, V, 0, 0, false), AGN_ESHAPE, "isclose", "[3,4]", "[5]");
    NO(agn_isclose(&y, X, X, -1, 0, false), AGN_EARG, "isclose", "-1", "negative");
    NO_OUT(agn_isclose(NULL, X, X, 0, 0, false), "isclose");
    NO(agn_allclose(&y, X, V, 0, 0, false), AGN_ESHAPE, "allclose", "[3,4]", "[5]");
    NO(agn_allclose(&y, X, X, 0, (double)NAN, false), AGN_EARG, "allclose", "nan", NULL);
    NO_OUT(agn_allclose(NULL, X, X, 0, 0, false), "allclose");
    NO(agn_equal_all(&y, NULL, X), AGN_ENULL, "equal_all", "a is NULL", NULL);
    NO_OUT(agn_equal_all(NULL, X, X), "equal_all");
    NO(agn_isin(&y, X, NULL, false), AGN_ENULL, "isin", "set is NULL", NULL);
    NO(agn_isin(&y, X, Z, false), AGN_EDTYPE, "isin", "c128", NULL);
    NO_OUT(agn_isin(NULL, X, X, false), "isin");
    NO(agn_as_real(&y, X), AGN_EDTYPE, "as_real", "f64", "complex");
    NO(agn_as_complex(&y, Z), AGN_EDTYPE, "as_complex", "c128", NULL);
    NO(agn_as_complex(&y, X), AGN_ESHAPE, "as_complex", "[3,4]", "size 2");
    NO(agn_as_complex(&y, S), AGN_ESHAPE, "as_complex", "[]", "size 2");
    /* two results: neither is written */
    NO(agn_divmod(&y, &q, X, V), AGN_ESHAPE, "divmod", "[3,4]", "[5]");
    NO(agn_divmod(&y, NULL, X, X), AGN_ENULL, "divmod", "remainder", NULL);
    NO(agn_divmod(&y, &q, Z, X), AGN_EDTYPE, "divmod", "c128", NULL);
    NO(agn_divmod(&y, &q, NULL, X), AGN_ENULL, "divmod", "argument 0", NULL);
    NO(agn_frexp(&y, &q, NULL), AGN_ENULL, "frexp", "x is NULL", NULL);
    NO(agn_frexp(&y, NULL, X), AGN_ENULL, "frexp", "e is NULL", NULL);
    NO(agn_frexp(&y, &q, Z), AGN_EDTYPE, "frexp", "c128", NULL);
    check(&t, p == untouched && q == untouched, "second results");
    tell(&t, "functions made of element-wise ones");
    t = (tally){0};
}

static void test_move(void)
{
    NO(agn_cast(&y, NULL, AGN_F32), AGN_ENULL, "cast", "NULL", NULL);
    NO_OUT(agn_cast(NULL, X, AGN_F32), "cast");
    NO(agn_cast(&y, X, 12), AGN_EDTYPE, "cast", "12", "there are 12");
    NO(agn_cast(&y, X, -1), AGN_EDTYPE, "cast", "-1", "12");
    NO_OUT(agn_reshape(NULL, X, 1, LONGS(12)), "reshape");
    NO(agn_reshape(&y, NULL, 1, LONGS(12)), AGN_ENULL, "reshape", "x", NULL);
    NO(agn_reshape(&y, X, 1, NULL), AGN_ENULL, "reshape", "shape", NULL);
    NO(agn_reshape(&y, X, 1, LONGS(13)), AGN_ESHAPE, "reshape", "[3,4]", "[13]");
    NO(agn_reshape(&y, X, 2, LONGS(5, -1)), AGN_ESHAPE, "reshape", "[3,4]", "[5,-1]");
    NO(agn_reshape(&y, X, 2, LONGS(-1, -1)), AGN_ESHAPE, "reshape", "axes 0 and 1",
       NULL);
    NO(agn_reshape(&y, X, 2, LONGS(-2, 6)), AGN_ESHAPE, "reshape", "-2", "axis 0");
    NO(agn_reshape(&y, X, 2, LONGS(0, -1)), AGN_ESHAPE, "reshape", "[3,4]", "[0,-1]");
    NO(agn_reshape(&y, X, 33, LONGS(12)), AGN_ESHAPE, "reshape", "33", "32");
    NO(agn_reshape(&y, X, 3, LONGS((int64_t)1 << 40, (int64_t)1 << 40, 2)), AGN_ESHAPE,
       "reshape", "2", "axis 1");
    NO_OUT(agn_permute(NULL, X, AXES(1, 0), 2), "permute");
    NO(agn_permute(&y, NULL, AXES(1, 0), 2), AGN_ENULL, "permute", "x", NULL);
    NO(agn_permute(&y, X, NULL, 2), AGN_ENULL, "permute", "axes", NULL);
    NO(agn_permute(&y, X, AXES(0), 1), AGN_ESHAPE, "permute", "1 axes", "has 2");
    NO(agn_permute(&y, X, AXES(0, 2), 2), AGN_EINDEX, "permute", "axis 2", "2 axes");
    NO(agn_permute(&y, X, AXES(0, -2), 2), AGN_EARG, "permute", "axis 0", "twice");
    NO(agn_transpose(&y, V), AGN_ESHAPE, "transpose", "two axes", "[5]");
    NO_OUT(agn_expand_dims(NULL, X, 0), "expand_dims");
    NO(agn_expand_dims(&y, NULL, 0), AGN_ENULL, "expand_dims", "x", NULL);
    NO(agn_expand_dims(&y, X, 3), AGN_EINDEX, "expand_dims", "axis 3", "3 axes");
    NO(agn_expand_dims(&y, X, -4), AGN_EINDEX, "expand_dims", "axis -4", "3 axes");
    NO_OUT(agn_squeeze(NULL, T3, 0), "squeeze");
    NO(agn_squeeze(&y, NULL, 0), AGN_ENULL, "squeeze", "x", NULL);
    NO(agn_squeeze(&y, X, 2), AGN_EINDEX, "squeeze", "axis 2", "2 axes");
    NO(agn_squeeze(&y, X, -1), AGN_ESHAPE, "squeeze", "axis 1", "[3,4]");
    NO(agn_squeeze(&y, S, 0), AGN_EINDEX, "squeeze", "axis 0", "0 axes");
    NO_OUT(agn_broadcast_to(NULL, X, 2, LONGS(3, 4)), "broadcast_to");
    NO(agn_broadcast_to(&y, NULL, 2, LONGS(3, 4)), AGN_ENULL, "broadcast_to", "NULL",
       NULL);
    NO(agn_broadcast_to(&y, X, 2, NULL), AGN_ENULL, "broadcast_to", "shape", NULL);
    NO(agn_broadcast_to(&y, X, 2, LONGS(4, 4)), AGN_ESHAPE, "broadcast_to", "[3,4]",
       "[4,4]");
    NO(agn_broadcast_to(&y, X, 1, LONGS(4)), AGN_ESHAPE, "broadcast_to", "[3,4]",
       "[4]");
    NO(agn_broadcast_to(&y, X, 3, LONGS(-1, 3, 4)), AGN_ESHAPE, "broadcast_to", "-1",
       "axis 0");
    NO(agn_broadcast_to(&y, X, 40, LONGS(1)), AGN_ESHAPE, "broadcast_to", "40", "32");
    NO(agn_broadcast_to(&y, X, -2, LONGS(1)), AGN_ESHAPE, "broadcast_to", "-2", "32");
    NO_OUT(agn_slice(NULL, X, 1, LONGS(0), LONGS(1), NULL), "slice");
    NO(agn_slice(&y, NULL, 1, LONGS(0), LONGS(1), NULL), AGN_ENULL, "slice", "x", NULL);
    NO(agn_slice(&y, X, 1, NULL, LONGS(1), NULL), AGN_ENULL, "slice", "start", NULL);
    NO(agn_slice(&y, X, 1, LONGS(0), NULL, NULL), AGN_ENULL, "slice", "stop", NULL);
    NO(agn_slice(&y, X, 3, LONGS(0, 0, 0), LONGS(1, 1, 1), NULL), AGN_ESHAPE, "slice",
       "3 axes", "has 2");
    NO(agn_slice(&y, X, -1, LONGS(0), LONGS(1), NULL), AGN_ESHAPE, "slice", "-1 axes",
       "has 2");
    NO(agn_slice(&y, X, 2, LONGS(0, 0), LONGS(1, 1), LONGS(1, 0)), AGN_EARG, "slice",
       "axis 1", "[3,4]");
    NO_OUT(agn_index_axis(NULL, X, 0, 0), "index_axis");
    NO(agn_index_axis(&y, NULL, 0, 0), AGN_ENULL, "index_axis", "x", NULL);
    NO(agn_index_axis(&y, X, 2, 0), AGN_EINDEX, "index_axis", "axis 2", "2 axes");
    NO(agn_index_axis(&y, X, 1, 4), AGN_EINDEX, "index_axis", "4 is out", "[3,4]");
    NO(agn_index_axis(&y, S, 0, 0), AGN_EINDEX, "index_axis", "axis 0", "0 axes");
    NO_OUT(agn_flip(NULL, X, NULL, 0), "flip");
    NO(agn_flip(&y, NULL, NULL, 0), AGN_ENULL, "flip", "x", NULL);
    NO(agn_flip(&y, X, AXES(2), 1), AGN_EINDEX, "flip", "axis 2", "2 axes");
    NO(agn_flip(&y, X, AXES(0, -2), 2), AGN_EARG, "flip", "axis 0", "twice");
    NO_OUT(agn_pad(NULL, X, 2, LONGS(0, 0), LONGS(0, 0), 0), "pad");
    NO(agn_pad(&y, NULL, 2, LONGS(0, 0), LONGS(0, 0), 0), AGN_ENULL, "pad", "x", NULL);
    NO(agn_pad(&y, X, 2, NULL, LONGS(0, 0), 0), AGN_ENULL, "pad", "lo", NULL);
    NO(agn_pad(&y, X, 2, LONGS(0, 0), NULL, 0), AGN_ENULL, "pad", "hi", NULL);
    NO(agn_pad(&y, X, 1, LONGS(0), LONGS(0), 0), AGN_ESHAPE, "pad", "1 axes", "has 2");
    NO(agn_pad(&y, X, 2, LONGS(0, -1), LONGS(0, 0), 0), AGN_ESHAPE, "pad", "-1",
       "axis 1");
    NO(agn_pad(&y, X, 2, LONGS(0, 0), LONGS(-3, 0), 0), AGN_ESHAPE, "pad", "-3",
       "axis 0");
    NO(agn_pad(&y, I, 2, LONGS(1, 0), LONGS(0, 0), 0.5), AGN_EDOMAIN, "pad", "0.5",
       "i32");
    NO(agn_pad(&y, X, 2, LONGS((int64_t)1 << 40, (int64_t)1 << 40), LONGS(0, 0), 0),
       AGN_ENOMEM, "pad", "1099511627779", NULL);
    NO_OUT(agn_concat(NULL, TENSORS(X, X), 2, 0), "concat");
    NO(agn_concat(&y, NULL, 2, 0), AGN_ENULL, "concat", "xs", NULL);
    NO(agn_concat(&y, TENSORS(NULL, X), 2, 0), AGN_ENULL, "concat", "xs[0]", NULL);
    NO(agn_concat(&y, TENSORS(X, NULL), 2, 0), AGN_ENULL, "concat", "argument 1", "2");
    NO(agn_concat(&y, TENSORS(X), 0, 0), AGN_EARG, "concat", "one", "0");
    NO(agn_concat(&y, TENSORS(X), -1, 0), AGN_EARG, "concat", "one", "-1");
    NO(agn_concat(&y, TENSORS(S, S), 2, 0), AGN_ESHAPE, "concat", "[]", "one axis");
    NO(agn_concat(&y, TENSORS(X, V), 2, 0), AGN_ESHAPE, "concat", "[3,4]", "[5]");
    NO(agn_concat(&y, TENSORS(X, X), 2, 2), AGN_EINDEX, "concat", "axis 2", "2 axes");
    NO_OUT(agn_stack(NULL, TENSORS(X, X), 2, 0), "stack");
    NO(agn_stack(&y, NULL, 2, 0), AGN_ENULL, "stack", "xs", NULL);
    NO(agn_stack(&y, TENSORS(X, NULL), 2, 0), AGN_ENULL, "stack", "NULL", NULL);
    NO(agn_stack(&y, TENSORS(X), 0, 0), AGN_EARG, "stack", "one", "0");
    NO(agn_stack(&y, TENSORS(X, T3), 2, 0), AGN_ESHAPE, "stack", "3,4]", "1,1]");
    NO(agn_stack(&y, TENSORS(X, X), 2, 3), AGN_EINDEX, "stack", "axis 3", "3 axes");
    tell(&t, "moving: NULL, ranks, sizes, axes, steps");
    t = (tally){0};
}

static void test_gather(void)
{
    NO(agn_gather(&y, NULL, I, 0), AGN_ENULL, "gather", "x", NULL);
    NO(agn_gather(&y, X, NULL, 0), AGN_ENULL, "gather", "argument 1", "2");
    NO_OUT(agn_gather(NULL, X, I, 0), "gather");
    NO(agn_gather(&y, X, V, 0), AGN_EDTYPE, "gather", "f64", "integer");
    NO(agn_gather(&y, X, B, 0), AGN_EDTYPE, "gather", "bool", "integer");
    NO(agn_gather(&y, X, I, 2), AGN_EINDEX, "gather", "axis 2", "2 axes");
    NO(agn_gather(&y, X, I, 0), AGN_EINDEX, "gather", "index 9", "size 3");
    NO(agn_take_along_axis(&y, NULL, I, 0), AGN_ENULL, "take_along_axis", "x", NULL);
    NO(agn_take_along_axis(&y, X, NULL, 0), AGN_ENULL, "take_along_axis", "idx", NULL);
    NO_OUT(agn_take_along_axis(NULL, X, I, 0), "take_along_axis");
    NO(agn_take_along_axis(&y, X, X, 0), AGN_EDTYPE, "take_along_axis", "f64",
       "integer");
    NO(agn_take_along_axis(&y, X, I, 5), AGN_EINDEX, "take_along_axis", "axis 5",
       "2 axes");
    NO(agn_take_along_axis(&y, X, I, 0), AGN_EINDEX, "take_along_axis", "index 9",
       "size 3");
    NO(agn_take_along_axis(&y, V, I, 0), AGN_ESHAPE, "take_along_axis", "[5]", "[3,4]");
    NO(agn_scatter_add(&y, NULL, I, X, 0), AGN_ENULL, "scatter_add", "x", NULL);
    NO(agn_scatter_add(&y, X, NULL, X, 0), AGN_ENULL, "scatter_add", "argument 1", "3");
    NO(agn_scatter_add(&y, X, I, NULL, 0), AGN_ENULL, "scatter_add", "argument 2", "3");
    NO_OUT(agn_scatter_add(NULL, X, I, X, 0), "scatter_add");
    NO(agn_scatter_add(&y, X, V, X, 0), AGN_EDTYPE, "scatter_add", "f64", "integer");
    NO(agn_scatter_add(&y, X, I, X, 0), AGN_ESHAPE, "scatter_add", "[3,4]", "[3,4,4]");
    NO(agn_scatter_add(&y, X, I, X, -3), AGN_EINDEX, "scatter_add", "axis -3",
       "2 axes");
    agn_tensor *v = random_of(AGN_F64, 3, LONGS(3, 4, 4), 0, 1);
    NO(agn_scatter_add(&y, X, I, v, 0), AGN_EINDEX, "scatter_add", "index 9", "size 3");
    agn_release(v);
    tell(&t, "gather, scatter: NULL, dtypes, axes, indices, shapes");
    t = (tally){0};
}

static void test_reduce(void)
{
    static const struct {
        const char *name;
        reduction *f;
    } row[] = {FULL(sum), FULL(mean), FULL(prod),
               FULL(max), FULL(min),  FULL(logsumexp)};
    for (int k = 0; k < COUNT(row); k++) {
        const char *op = row[k].name;
        NO(row[k].f(&y, NULL, NULL, 0, false), AGN_ENULL, op, "x", NULL);
        agn_status none = row[k].f(NULL, X, NULL, 0, false);
        check(&t, none == AGN_ENULL && strstr(agn_error_message(), "out"),
              "%s into NULL", op);
        NO(row[k].f(&y, X, AXES(2), 1, false), AGN_EINDEX, op, "axis 2", "2 axes");
        NO(row[k].f(&y, X, AXES(0, -2), 2, false), AGN_EARG, op, "axis 0", "twice");
        NO(row[k].f(&y, X, AXES(0, 1, 0), 3, false), AGN_EARG, op, "3 axes", "has 2");
        NO(row[k].f(&y, X, AXES(0), -1, false), AGN_EARG, op, "-1 axes", "has 2");
        if (k >= 3)
            NO(row[k].f(&y, Z, NULL, 0, false), AGN_EDTYPE, op, "c128", "[3,4]");
    }
    NO(agn_max(&y, E, AXES(0), 1, false), AGN_ESHAPE, "max", "1 axes", "[0,3]");
    NO(agn_min(&y, E, NULL, 0, true), AGN_ESHAPE, "min", "2 axes", "[0,3]");
    NO(agn_argmax(&y, NULL, 0, false), AGN_ENULL, "argmax", "x", NULL);
    NO_OUT(agn_argmax(NULL, X, 0, false), "argmax");
    NO(agn_argmax(&y, Z, 0, false), AGN_EDTYPE, "argmax", "c128", NULL);
    NO(agn_argmax(&y, X, 2, false), AGN_EINDEX, "argmax", "axis 2", "2 axes");
    NO(agn_argmax(&y, S, 0, false), AGN_ESHAPE, "argmax", "[]", "one axis");
    NO(agn_argmax(&y, E, 0, false), AGN_ESHAPE, "argmax", "axis 0", "[0,3]");
    NO(agn_argmin(&y, NULL, 0, false), AGN_ENULL, "argmin", "x", NULL);
    NO_OUT(agn_argmin(NULL, X, 0, false), "argmin");
    NO(agn_argmin(&y, Z, 0, false), AGN_EDTYPE, "argmin", "c128", NULL);
    NO(agn_argmin(&y, X, -3, false), AGN_EINDEX, "argmin", "axis -3", "2 axes");
    NO(agn_argmin(&y, E, 0, false), AGN_ESHAPE, "argmin", "axis 0", "[0,3]");
    NO(agn_cumsum(&y, NULL, 0), AGN_ENULL, "cumsum", "x", NULL);
    NO_OUT(agn_cumsum(NULL, X, 0), "cumsum");
    NO(agn_cumsum(&y, X, 2), AGN_EINDEX, "cumsum", "axis 2", "2 axes");
    NO(agn_cumsum(&y, S, 0), AGN_EINDEX, "cumsum", "axis 0", "0 axes");
    NO(agn_sort(&y, NULL, 0, false), AGN_ENULL, "sort", "x", NULL);
    NO_OUT(agn_sort(NULL, X, 0, false), "sort");
    NO(agn_sort(&y, Z, 0, false), AGN_EDTYPE, "sort", "c128", NULL);
    NO(agn_sort(&y, X, 2, false), AGN_EINDEX, "sort", "axis 2", "2 axes");
    NO(agn_argsort(&y, NULL, 0, false), AGN_ENULL, "argsort", "x", NULL);
    NO_OUT(agn_argsort(NULL, X, 0, false), "argsort");
    NO(agn_argsort(&y, Z, 0, false), AGN_EDTYPE, "argsort", "c128", NULL);
    NO(agn_argsort(&y, X, -3, false), AGN_EINDEX, "argsort", "axis -3", "2 axes");
    tell(&t, "reductions, scans, sorting: NULL, axes, dtypes, nothing to compare");
    t = (tally){0};
}

static void test_product_and_random(void)
{
    NO_OUT(agn_matmul(NULL, X, X), "matmul");
    NO(agn_matmul(&y, NULL, X), AGN_ENULL, "matmul", "a is NULL", NULL);
    NO(agn_matmul(&y, X, NULL), AGN_ENULL, "matmul", "b is NULL", NULL);
    NO(agn_matmul(&y, X, S), AGN_ESHAPE, "matmul", "[3,4]", "[]");
    NO(agn_matmul(&y, X, X), AGN_ESHAPE, "matmul",
       "inner dimensions differ: a is [3,4]", "b is [3,4]");
    NO(agn_matmul(&y, X, V), AGN_ESHAPE, "matmul", "[3,4]", "[5]");
    NO(agn_matmul(&y, V, X), AGN_ESHAPE, "matmul", "[5]", "[3,4]");
    agn_tensor *p = random_of(AGN_F64, 3, LONGS(2, 3, 4), 0, 1),
               *q = random_of(AGN_F64, 3, LONGS(3, 4, 3), 0, 1);
    NO(agn_matmul(&y, p, q), AGN_ESHAPE, "matmul", "[2,3,4]", "[3,4,3]");
    agn_release(p), agn_release(q);
    NO(agn_matmul(&y, B, B), AGN_EDTYPE, "matmul", "bool", NULL);
    NO_OUT(agn_key(NULL, G), "key");
    NO(agn_key(&y, NULL), AGN_ENULL, "key", "generator", NULL);
    NO_OUT(agn_key_fold(NULL, K, K), "key_fold");
    NO(agn_key_fold(&y, NULL, K), AGN_ENULL, "key_fold", "argument 0", NULL);
    NO(agn_key_fold(&y, K, NULL), AGN_ENULL, "key_fold", "argument 1", NULL);
    NO(agn_key_fold(&y, X, K), AGN_EDTYPE, "key_fold", "f64", "i64");
    NO(agn_key_fold(&y, K, I), AGN_EDTYPE, "key_fold", "i32", "i64");
    agn_tensor *odd = of_reals(AGN_I64, 1, LONGS(3), (double[]){1, 2, 3}),
               *n = scalar_of(AGN_I64, 1);
    NO(agn_key_fold(&y, odd, n), AGN_ESHAPE, "key_fold", "[3]", "[2]");
    static const struct {
        const char *name;
        agn_status (*f)(agn_tensor **, const agn_tensor *, agn_dtype, int32_t,
                        const int64_t *);
    } draw[] = {FULL(uniform), FULL(normal), FULL(exponential)};
    for (int k = 0; k < COUNT(draw); k++) {
        const char *op = draw[k].name;
        agn_status st = draw[k].f(NULL, K, AGN_F32, 1, LONGS(2));
        check(&t, st == AGN_ENULL && strstr(agn_error_message(), "out"), "%s into NULL",
              op);
        NO(draw[k].f(&y, NULL, AGN_F32, 1, LONGS(2)), AGN_ENULL, op, "NULL", NULL);
        NO(draw[k].f(&y, K, AGN_F32, 1, NULL), AGN_ENULL, op, "shape", NULL);
        NO(draw[k].f(&y, X, AGN_F32, 1, LONGS(2)), AGN_EDTYPE, op, "f64", "i64");
        NO(draw[k].f(&y, K, AGN_I16, 1, LONGS(2)), AGN_EDTYPE, op, "i16", "f32 or f64");
        NO(draw[k].f(&y, K, 99, 1, LONGS(2)), AGN_EDTYPE, op, "99", "12");
        NO(draw[k].f(&y, odd, AGN_F32, 1, LONGS(2)), AGN_ESHAPE, op, "[3]", "[2]");
        NO(draw[k].f(&y, n, AGN_F32, 1, LONGS(2)), AGN_ESHAPE, op, "[]", "[2]");
        NO(draw[k].f(&y, K, AGN_F32, 1, LONGS(-2)), AGN_ESHAPE, op, "-2", "axis 0");
        NO(draw[k].f(&y, K, AGN_F32, 2, LONGS((int64_t)1 << 40, (int64_t)1 << 40)),
           AGN_ENOMEM, op, "1099511627776", NULL);
    }
    agn_release(odd), agn_release(n);
    tell(&t, "matmul and random numbers: NULL, shapes, dtypes, keys");
    t = (tally){0};
}

static void test_access_and_reflection(void)
{
    void *p = &t;
    double f = 5;
    int64_t i = 5;
    check(&t, agn_data_mut(NULL, X) == AGN_ENULL, "data_mut into NULL");
    check(&t, agn_data_mut(&p, NULL) == AGN_ENULL && p == &t, "data_mut of NULL");
    check(&t, agn_data_mut(&p, W) == AGN_EARG && p == &t,
          "data_mut of a recorded value");
    check(&t,
          agn_item_f64(NULL, S) == AGN_ENULL && agn_item_f64(&f, NULL) == AGN_ENULL &&
              f == 5,
          "item_f64 of NULL");
    check(&t, agn_item_f64(&f, X) == AGN_ESHAPE && f == 5, "item_f64 of twelve");
    check(&t,
          agn_item_i64(NULL, S) == AGN_ENULL && agn_item_i64(&i, NULL) == AGN_ENULL &&
              i == 5,
          "item_i64 of NULL");
    check(&t,
          agn_item_i64(&i, S) == AGN_EDTYPE && i == 5 &&
              strstr(agn_error_message(), "f64"),
          "item_i64 of f64");
    check(&t,
          agn_to_host(NULL, X, 96) == AGN_ENULL &&
              agn_to_host(&f, NULL, 8) == AGN_ENULL,
          "to_host of NULL");
    check(&t, agn_to_host(&f, X, 8) == AGN_EARG && f == 5, "to_host of too little");
    NO_OUT(agn_op_apply(NULL, 1, "add", TENSORS(X, X), 2, NULL, 0, NULL, 0),
           "op_apply");
    NO(agn_op_apply(&y, 1, NULL, TENSORS(X, X), 2, NULL, 0, NULL, 0), AGN_ENULL,
       "op_apply", "op is NULL", NULL);
    NO(agn_op_apply(&y, 1, "add", NULL, 2, NULL, 0, NULL, 0), AGN_ENULL, "op_apply",
       "in is NULL", NULL);
    NO(agn_op_apply(&y, 1, "abacus", TENSORS(X, X), 2, NULL, 0, NULL, 0), AGN_EARG,
       "op_apply", "abacus", NULL);
    NO(agn_op_apply(&y, 1, "add", TENSORS(X, X), 1, NULL, 0, NULL, 0), AGN_EARG,
       "op_apply", "add", "2 arguments");
    NO(agn_op_apply(&y, 2, "add", TENSORS(X, X), 2, NULL, 0, NULL, 0), AGN_EARG,
       "op_apply", "add", "1 results");
    NO(agn_op_apply(&y, 1, "sum", TENSORS(X), 1, NULL, 2, NULL, 0), AGN_EARG,
       "op_apply", "sum", "NULL");
    NO(agn_op_apply(&y, 1, "sum", TENSORS(X), 1, LONGS(0), -2, NULL, 0), AGN_EARG,
       "op_apply", "sum", "-2");
    /* attributes that no public function would pass */
    static const struct {
        const char *op;
        int n_in, n;
        int64_t at[6];
        agn_status want;
    } bad[] = {{"sum", 1, 0, {0}, AGN_EARG},
               {"sum", 1, 2, {0, 0}, AGN_EINDEX},
               {"sum", 1, 2, {0, -3}, AGN_EINDEX},
               {"sum", 1, 3, {0, -1, -1}, AGN_EINDEX},
               {"cumsum", 1, 1, {-1}, AGN_EARG},
               {"cumsum", 1, 2, {0, 0}, AGN_EINDEX},
               {"argmax", 1, 3, {-3, 0, 0}, AGN_EINDEX},
               {"argsort", 1, 1, {-1}, AGN_EARG},
               {"permute", 1, 2, {0, -1}, AGN_EINDEX},
               {"permute", 1, 2, {-1, -1}, AGN_EARG},
               {"permute", 1, 3, {-1, -2, -3}, AGN_EINDEX},
               {"slice", 1, 2, {0, 1}, AGN_EARG},
               {"slice", 1, 3, {4, 1, 1}, AGN_EINDEX},
               {"slice", 1, 3, {0, 2, 3}, AGN_EINDEX},
               {"slice", 1, 3, {0, 0, 2}, AGN_EINDEX},
               {"slice", 1, 3, {0, 1, -1}, AGN_EINDEX},
               {"slice", 1, 3, {0, INT64_MAX, 2}, AGN_EINDEX},
               {"slice", 1, 3, {INT64_MIN, 1, 1}, AGN_EINDEX},
               {"unslice", 1, 3, {1, 1, 4}, AGN_EINDEX},
               {"unslice", 1, 3, {0, -1, 4}, AGN_EINDEX},
               {"gather", 2, 1, {-1}, AGN_EARG},
               {"gather", 2, 2, {-1, 3}, AGN_ESHAPE},
               {"gather", 2, 2, {-1, -1}, AGN_ESHAPE},
               {"gather", 2, 2, {0, 0}, AGN_EINDEX},
               {"concat", 2, 1, {0}, AGN_EINDEX},
               {"concat", 2, 0, {0}, AGN_EARG},
               {"cast", 1, 0, {0}, AGN_EARG},
               {"cast", 1, 1, {12}, AGN_EDTYPE},
               {"reshape", 1, 2, {3, 5}, AGN_ESHAPE},
               {"broadcast_to", 1, 1, {4}, AGN_ESHAPE}};
    for (int k = 0; k < COUNT(bad); k++) {
        agn_tensor *y = untouched;
        agn_status st = agn_op_apply(&y, 1, bad[k].op,
                                     TENSORS(X, bad[k].op[0] == 'g' ? I : X),
                                     bad[k].n_in, bad[k].at, bad[k].n, NULL, 0);
        check(&t, refused(st, bad[k].want, bad[k].op, NULL, NULL, y),
              "attributes %d of %s", k, bad[k].op);
    }
    agn_op_info info = {.size = sizeof info, .name = "untouched"};
    check(&t, agn_op_describe(NULL, 0) == AGN_ENULL, "describe into NULL");
    check(&t,
          agn_op_describe(&info, -1) == AGN_EARG &&
              agn_op_describe(&info, 1 << 20) == AGN_EARG &&
              !strcmp(info.name, "untouched"),
          "describe no op");
    info.size = 3;
    check(&t,
          agn_op_describe(&info, 0) == AGN_EARG &&
              strstr(agn_error_message(), "3 bytes"),
          "describe into too little");
    check(&t, agn_op_name(-1) == NULL && agn_op_name(1 << 20) == NULL, "name of no op");
    NO_OUT(agn_watch(NULL, X), "watch");
    check(&t,
          agn_format(NULL, 5, NULL, X) == AGN_ENULL &&
              agn_format(NULL, 0, NULL, NULL) == AGN_ENULL,
          "format");
    NO(agn_npy_load(&y, NULL), AGN_ENULL, "npy_load", "NULL", NULL);
    NO_OUT(agn_npy_load(NULL, "x"), "npy_load");
    NO(agn_npy_load(&y, "/no/such/file.npy"), AGN_EIO, "npy_load", "/no/such/file.npy",
       NULL);
    check(&t,
          agn_npy_save(NULL, X) == AGN_ENULL && agn_npy_save("x", NULL) == AGN_ENULL,
          "npy_save of NULL");
    check(&t,
          agn_npy_save("/no/such/dir/x.npy", X) == AGN_EIO &&
              strstr(agn_error_message(), "/no/such/dir/x.npy"),
          "npy_save nowhere");
    tell(&t, "host access, reflection, files");
    t = (tally){0};
}

int main(void)
{
    X = random_of(AGN_F64, 2, LONGS(3, 4), -1, 1);
    V = random_of(AGN_F64, 1, LONGS(5), -1, 1);
    S = scalar_of(AGN_F64, 1);
    Z = random_of(AGN_C128, 2, LONGS(3, 4), -1, 1);
    B = random_of(AGN_BOOL, 2, LONGS(3, 4), -1, 1);
    I = of_reals(AGN_I32, 2, LONGS(3, 4),
                 (double[]){0, 1, 2, 0, 1, 2, 0, 9, 0, 0, 0, 0});
    E = random_of(AGN_F64, 2, LONGS(0, 3), 0, 1);
    T3 = random_of(AGN_F64, 3, LONGS(1, 1, 1), 0, 1);
    must(agn_generator_new(&G, 1));
    must(agn_key(&K, G));
    must(agn_watch(&W, X));
    agn_tensor *const kept[] = {X, V, S, Z, B, I, E, K, W, T3};
    uint64_t before[COUNT(kept)];
    int64_t base = 0, after = 0;
    for (int k = 0; k < COUNT(kept); k++)
        before[k] = hash_of(kept[k]);
    agn_memory_live(NULL, &base, NULL);
    test_creation();
    test_elementwise();
    test_composed();
    test_move();
    test_gather();
    test_reduce();
    test_product_and_random();
    test_access_and_reflection();
    agn_memory_live(NULL, &after, NULL);
    is_int(after, base, "no failure leaks");
    bool same = true;
    for (int k = 0; k < COUNT(kept); k++)
        same = same && hash_of(kept[k]) == before[k];
    ok(same, "no failure changes an argument");
    for (int k = 0; k < COUNT(kept); k++)
        agn_release(kept[k]);
    agn_generator_release(G);
    return done();
}
