/* tensor/print/print_elements.c - the words for elements, as NumPy chooses them for a
   whole array. */
#include "tensor/print/print.h"

#include <math.h>
#include <string.h>

/* ---- one element ----------------------------------------------------------------- */

static void add_chars(agni_word *w, char c, int count)
{
    for (; count > 0 && w->n < ELEMENT_TEXT; count--)
        w->s[w->n++] = c;
}

static void add_text(agni_word *w, const char *s)
{
    for (; *s; s++)
        add_chars(w, *s, 1);
}

static int exp_digits(int e)
{
    return e > 99 || e < -99 ? 3 : 2;
}

/* of x that is not finite */
static char special_sign(double x, bool plus)
{
    return !isnan(x) && x < 0 ? '-' : plus ? '+' : 0;
}

/* the digits of a from the power of ten high down to low; 0 where it has none */
static void add_digits(agni_word *w, const agni_decimal *a, int high, int low)
{
    for (int k = high; k >= low; k--) {
        int i = a->exp - k;
        add_chars(w, i >= 0 && i < a->n ? a->d[i] : '0', 1);
    }
}

static void add_exponent(agni_word *w, int e, int digits)
{
    char s[16];
    agni_format(s, sizeof s, "e%c%0*d", e < 0 ? '-' : '+', digits, e < 0 ? -e : e);
    add_text(w, s);
}

static void add_sign(agni_word *w, bool negative, bool plus)
{
    if (negative || plus)
        add_chars(w, negative ? '-' : '+', 1);
}

static int whole_digits(const agni_decimal *a)
{
    return a->exp > 0 ? a->exp + 1 : 1;
}

static int count_places(const agni_decimal *a, bool scientific)
{
    int n = a->n - 1 - (scientific ? 0 : a->exp);
    return n > 0 ? n : 0;
}

static void add_special(agni_word *w, double x, const agni_number_format *f)
{
    const char *text = isnan(x) ? f->opts->nanstr : f->opts->infstr;
    char sign = special_sign(x, f->sign == '+');
    add_chars(w, ' ', f->left + f->right + 1 - (int)strlen(text) - (sign != 0));
    add_chars(w, sign, sign != 0);
    add_text(w, text);
}

static void add_number(agni_word *w, double x, const agni_number_format *f)
{
    if (!isfinite(x)) {
        add_special(w, x, f);
        return;
    }
    agni_decimal a;
    agni_decimal_of(&a, x, f->p, f->scientific ? AGNI_SCIENTIFIC : AGNI_FIXED,
                    f->places, f->how);
    bool plus = f->sign == '+';
    int sign = a.negative || plus;
    int whole = f->scientific ? 1 : whole_digits(&a);
    add_chars(w, ' ', f->left - sign - whole);
    add_sign(w, a.negative, plus);
    if (f->scientific) {
        add_digits(w, &a, a.exp, a.exp);
        add_chars(w, '.', 1);
        add_digits(w, &a, a.exp - 1, a.exp - f->places);
        add_exponent(w, a.exp, f->exp_digits);
    } else {
        int places = f->how == AGNI_AT_MOST ? count_places(&a, false) : f->places;
        add_digits(w, &a, whole - 1, 0);
        add_chars(w, '.', 1);
        add_digits(w, &a, -1, -places);
        add_chars(w, ' ', f->right - places);
    }
}

/* ---- the format of an array ------------------------------------------------------ */

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* Exponents where an element is large or small, or two are far apart. As NumPy
   divides in the dtype itself, a quotient counts from half an ulp above 1000. */
static bool needs_exponent(const double *v, int64_t n, int step,
                           const agni_precision *p, bool suppress)
{
    double low = HUGE_VAL, high = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double a = fabs(v[i * step]);
        if (isfinite(a) && a != 0.0) {
            low = a < low ? a : low;
            high = a > high ? a : high;
        }
    }
    return high != 0.0 &&
           (high >= p->many ||
            (!suppress &&
             (low < p->few || high / low > 1000.0 + ldexp(1.0, 9 - p->bits))));
}

/* "inf" and "nan" end where the numbers end */
static void make_room(agni_number_format *f, bool minus_inf)
{
    int nan = (int)strlen(f->opts->nanstr), inf = (int)strlen(f->opts->infstr);
    inf += f->sign != '-' || minus_inf;
    f->left = max_int(f->left, max_int(nan, inf) - (f->right + 1));
}

/* v[0], v[step], ...: real or imaginary parts */
static void find_format(agni_number_format *f, const double *v, int64_t n, int step,
                        const agni_shown *s, char sign)
{
    const agn_format_options *o = s->opts;
    int limit = o->floatmode == AGN_FORMAT_UNIQUE ? -1 : o->precision;
    bool fixed = o->floatmode == AGN_FORMAT_FIXED, special = false, minus_inf = false;
    bool minus = false, finite = false;
    *f = (agni_number_format){.p = s->p, .opts = o, .sign = sign};
    f->scientific = needs_exponent(v, n, step, s->p, o->suppress);
    int places = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = v[i * step];
        if (!isfinite(x)) {
            special = true;
            minus_inf |= isinf(x) && x < 0;
            continue;
        }
        agni_decimal a;
        agni_decimal_of(&a, x, s->p, f->scientific ? AGNI_SCIENTIFIC : AGNI_FIXED,
                        limit, fixed ? AGNI_EXACTLY : AGNI_AT_MOST);
        int signs = a.negative || sign == '+';
        f->left = max_int(f->left, signs + (f->scientific ? 1 : whole_digits(&a)));
        places = max_int(places, fixed ? limit : count_places(&a, f->scientific));
        f->exp_digits = max_int(f->exp_digits, exp_digits(a.exp));
        minus |= a.negative;
        finite = true;
    }
    bool padded = f->scientific || o->floatmode == AGN_FORMAT_MAXPREC_EQUAL;
    f->how = !finite  ? AGNI_AT_MOST
             : fixed  ? AGNI_EXACTLY
             : padded ? AGNI_PADDED
                      : AGNI_AT_MOST;
    f->places = f->how == AGNI_AT_MOST ? limit : places;
    f->right = f->scientific ? f->exp_digits + 2 + places : places;
    f->left += sign == ' ' && !minus;
    if (special)
        make_room(f, minus_inf);
}

static int int_width(int64_t x)
{
    return agni_format(NULL, 0, "%lld", (long long)x);
}

/* ' ' is the sign of the others only where none is negative */
static void find_int_format(agni_shown *s)
{
    const int64_t *v = s->data;
    int64_t low = s->n ? v[0] : 0, high = low;
    for (int64_t i = 1; i < s->n; i++) {
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    s->sign = s->opts->sign == ' ' && low < 0 ? '-' : s->opts->sign;
    s->width = max_int(int_width(high) + (high >= 0 && s->sign != '-'), int_width(low));
}

void agni_shown_formats(agni_shown *s)
{
    char sign = s->opts->sign;
    if (s->kind == AGNI_KIND_INT)
        find_int_format(s);
    if (s->kind == AGNI_KIND_FLOAT)
        find_format(&s->re, s->data, s->n, 1, s, sign);
    if (s->kind == AGNI_KIND_COMPLEX) {
        find_format(&s->re, s->data, s->n, 2, s, sign);
        find_format(&s->im, (const double *)s->data + 1, s->n, 2, s, '+');
    }
}

static void add_int(agni_word *w, int64_t x, int width, char sign)
{
    char s[32];
    agni_format(s, sizeof s,
                sign == '+'   ? "%+lld"
                : sign == ' ' ? "% lld"
                              : "%lld",
                (long long)x);
    add_chars(w, ' ', width - (int)strlen(s));
    add_text(w, s);
}

void agni_shown_element(agni_word *w, const agni_shown *s, int64_t i)
{
    w->n = 0;
    switch (s->kind) {
    case AGNI_KIND_BOOL:
        add_text(w, ((const bool *)s->data)[i] ? " True" : "False");
        break;
    case AGNI_KIND_INT:
        add_int(w, ((const int64_t *)s->data)[i], s->width, s->sign);
        break;
    case AGNI_KIND_FLOAT:
        add_number(w, ((const double *)s->data)[i], &s->re);
        break;
    default: {
        const double *z = (const double *)s->data + 2 * i;
        add_number(w, z[0], &s->re);
        add_number(w, z[1], &s->im);
        int n = w->n; /* j comes before the spaces on the right */
        while (w->s[w->n - 1] == ' ')
            w->n--;
        add_chars(w, 'j', 1);
        add_chars(w, ' ', n + 1 - w->n);
    }
    }
}

/* ---- a number by itself ---------------------------------------------------------- */

/* point0: a whole number keeps ".0" */
static void add_alone(agni_word *w, double x, const agni_precision *p, bool plus,
                      bool point0)
{
    if (!isfinite(x)) {
        char sign = special_sign(x, plus);
        add_chars(w, sign, sign != 0);
        add_text(w, isnan(x) ? "nan" : "inf");
        return;
    }
    agni_decimal a;
    agni_decimal_of(&a, x, p, AGNI_SCIENTIFIC, -1, AGNI_AT_MOST);
    bool scientific = x != 0.0 && (fabs(x) >= p->many_zero || fabs(x) < 1e-4);
    int places = count_places(&a, scientific);
    add_sign(w, a.negative, plus);
    add_digits(w, &a, scientific ? a.exp : whole_digits(&a) - 1,
               scientific ? a.exp : 0);
    if (!scientific && point0 && places == 0)
        add_text(w, ".0");
    if (places > 0) {
        int unit = scientific ? a.exp : 0;
        add_chars(w, '.', 1);
        add_digits(w, &a, unit - 1, unit - places);
    }
    if (scientific)
        add_exponent(w, a.exp, 2);
}

void agni_shown_alone(agni_word *w, const agni_shown *s)
{
    const double *z = s->data;
    w->n = 0;
    switch (s->kind) {
    case AGNI_KIND_BOOL:
        add_text(w, *(const bool *)s->data ? "True" : "False");
        break;
    case AGNI_KIND_INT:
        add_int(w, *(const int64_t *)s->data, 0, '-');
        break;
    case AGNI_KIND_FLOAT:
        add_alone(w, z[0], s->p, false, true);
        break;
    default:
        if (z[0] == 0.0 && !signbit(z[0])) {
            add_alone(w, z[1], s->p, false, false);
            add_chars(w, 'j', 1);
        } else {
            add_chars(w, '(', 1);
            add_alone(w, z[0], s->p, false, false);
            add_alone(w, z[1], s->p, true, false);
            add_text(w, "j)");
        }
    }
}
