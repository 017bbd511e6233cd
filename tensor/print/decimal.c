/* tensor/print/decimal.c - decimal digits of a number: the shortest that round-trip in its dtype
   (Steele & White 1990), or rounded to a given position. */
#include "tensor/print/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_DIGITS = 17 };

static const agni_precision precisions[AGN_NDTYPES] = {
    [AGN_F16] = {11, -13, 3, 1e3, 1e3, 0x1.a38p-14},
    [AGN_BF16] = {8, -125, 2, 1e2, 1e2, 0x1.a4p-14},
    [AGN_F32] = {24, -125, 6, 1e6, 1e6, (double)0.0001f},
    [AGN_F64] = {53, -1021, 15, 1e8, 1e16, 0.0001},
};

const agni_precision *agni_precision_of(int dtype)
{
    return &precisions[dtype];
}

static bool power_of_two(double x)
{
    int e;
    return frexp(x, &e) == 0.5;
}

/* Does the decimal v round to x > 0 in the dtype of x? Half-way cases round to even. The half-way
   points of narrow dtypes are exact in double. */
static bool reads_back(double v, double x, const agni_precision *p)
{
    if (p->bits == DBL_MANT_DIG || v == x)
        return v == x;
    int e;
    frexp(x, &e);
    bool normal = e > p->lowest;
    double ulp = ldexp(1.0, (normal ? e : p->lowest) - p->bits);
    double high = x + ulp / 2,
           low = x - (normal && power_of_two(x) ? ulp / 4 : ulp / 2);
    bool even = fmod(x / ulp, 2.0) == 0.0;
    return even ? low <= v && v <= high : low < v && v < high;
}

static double decimal_value(const agni_decimal *a)
{
    char text[AGNI_MOST_DIGITS + 16];
    double v = 0.0;
    agni_format(text, sizeof text, "%.*se%d", a->n, a->d, a->exp - (a->n - 1));
    agni_parse_double(text, NULL, &v);
    return v;
}

/* the next decimal of as many digits, above or below */
static void step_decimal(agni_decimal *a, bool up)
{
    int i = a->n - 1;
    char from = up ? '9' : '0', to = up ? '0' : '9';
    while (i >= 0 && a->d[i] == from)
        a->d[i--] = to;
    if (i < 0) { /* 99 became 00: it is 100, one power higher */
        a->d[0] = '1';
        a->exp++;
    } else {
        a->d[i] = (char)(a->d[i] + (up ? 1 : -1));
        if (a->d[0] == '0' && a->n > 1) { /* 100 became 099: it is 99.9 */
            memmove(a->d, a->d + 1, (size_t)a->n - 1);
            a->d[a->n - 1] = '9';
            a->exp--;
        }
    }
}

/* Whether a, which is x > 0 rounded, reads back. Where the neighbours of x are at unequal
   distances, the decimal on x's other side may do so and the nearer one not: a becomes it. */
static bool reads_back_or_replace(agni_decimal *a, double x, const agni_precision *p)
{
    double v = decimal_value(a);
    if (reads_back(v, x, p))
        return true;
    if (power_of_two(x)) {
        agni_decimal other = *a;
        step_decimal(&other, v < x);
        if (reads_back(decimal_value(&other), x, p)) {
            *a = other;
            return true;
        }
    }
    return false;
}

/* x > 0 rounded to n digits; returns whether it reads back */
static bool round_to(agni_decimal *a, double x, const agni_precision *p, int n)
{
    char text[48];
    agni_format(text, sizeof text, "%.*e", n - 1, x); /* exact, halves to even */
    a->n = n;
    a->d[0] = text[0];
    memcpy(a->d + 1, text + 2, (size_t)n - 1);
    const char *e = text + (n > 1 ? n + 2 : 2); /* behind the 'e' */
    a->exp = 0;
    for (const char *q = e + 1; *q; q++)
        a->exp = 10 * a->exp + (*q - '0');
    if (*e == '-')
        a->exp = -a->exp;
    return reads_back_or_replace(a, x, p);
}

static void shortest_decimal(agni_decimal *a, double x, const agni_precision *p)
{
    int e;
    frexp(x, &e);
    int n = e > p->lowest ? p->sure : 1; /* a subnormal number has fewer digits */
    while (!round_to(a, x, p, n) && n < MOST_DIGITS)
        n++;
}

static void drop_zeros(agni_decimal *a)
{
    while (a->n > 1 && a->d[a->n - 1] == '0')
        a->n--;
}

/* x > 0 rounded to so many places, exactly, halves to even; it may become zero */
static void round_to_places(agni_decimal *a, double x, int form, int places)
{
    char text[AGNI_MOST_DIGITS + 32];
    agni_format(text, sizeof text, form == AGNI_FIXED ? "%.*f" : "%.*e", places, x);
    *a = (agni_decimal){0};
    int whole = 0;
    bool point = false;
    const char *q = text;
    for (; *q && *q != 'e'; q++) {
        point |= *q == '.';
        if (*q == '.' || (a->n == 0 && *q == '0')) {
            a->exp -= point && *q == '0'; /* a zero between point and first digit */
            continue;
        }
        whole += !point;
        a->d[a->n++] = *q;
    }
    if (*q == 'e') {
        const char *e = q + 2;
        for (a->exp = 0; *e; e++)
            a->exp = 10 * a->exp + (*e - '0');
        a->exp = q[1] == '-' ? -a->exp : a->exp;
    } else {
        a->exp += whole - 1;
    }
    if (a->n == 0)
        *a = (agni_decimal){.n = 1, .d = "0"};
}

void agni_decimal_of(agni_decimal *out, double x, const agni_precision *p, int form,
                     int places, int how)
{
    agni_decimal a = {.n = 1, .d = "0"};
    if (x != 0.0) {
        shortest_decimal(&a, fabs(x), p);
        drop_zeros(&a);
        int have = a.n - 1 - (form == AGNI_FIXED ? a.exp : 0);
        if (places >= 0 && (how != AGNI_AT_MOST || have > places)) {
            round_to_places(&a, fabs(x), form, places);
            if (how != AGNI_EXACTLY)
                reads_back_or_replace(&a, fabs(x), p);
            drop_zeros(&a);
        }
    }
    a.negative = signbit(x);
    *out = a;
}
