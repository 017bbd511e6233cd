/* core/format.c - numbers as text and back, whatever the locale of the host. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/internal.h"
#include "core/shortest_decimal.h"
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static locale_t
    c_locale; /* (locale_t)0 if the system has none: then the host's is used */
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* uselocale changes this thread only; uselocale((locale_t)0) changes nothing. */
static locale_t enter_c_locale(void)
{
    pthread_once(&c_locale_once, make_c_locale);
    return uselocale(c_locale);
}

int agni_vformat(char *buf, size_t n, const char *fmt, va_list ap)
{
    locale_t old = enter_c_locale();
    int len = vsnprintf(buf, n, fmt, ap);
    uselocale(old);
    return len;
}

int agni_format(char *buf, size_t n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int len = agni_vformat(buf, n, fmt, ap);
    va_end(ap);
    return len;
}

static int format_special(char *buf, size_t n, double x)
{
    return agni_format(buf, n, "%s", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
}

/* d 10^k as %.Pg writes it, P = max(digits, number of digits of d) */
static int format_decimal(char *buf, size_t n, bool negative, uint64_t d, int k, int digits)
{
    char digit[24], text[48], *p = text;
    int m = 0;
    while (d % 10 == 0)
        d /= 10, k++;
    for (; d; d /= 10)
        digit[m++] = (char)('0' + d % 10); /* the last one first */
    int e = k + m - 1, most = m > digits ? m : digits;
    if (negative)
        *p++ = '-';
    if (e < -4 || e >= most) {
        *p++ = digit[m - 1];
        if (m > 1)
            *p++ = '.';
        for (int i = m - 2; i >= 0; i--)
            *p++ = digit[i];
        *p++ = 'e';
        *p++ = e < 0 ? '-' : '+';
        e = e < 0 ? -e : e;
        if (e >= 100)
            *p++ = (char)('0' + e / 100);
        *p++ = (char)('0' + e / 10 % 10);
        *p++ = (char)('0' + e % 10);
    } else {
        /* exponents of ten from that of the first digit, or from 0 if that is negative, down */
        for (int ten = e > 0 ? e : 0; ten >= (k < 0 ? k : 0); ten--) {
            if (ten == -1)
                *p++ = '.';
            *p++ = ten > e || ten < k ? '0' : digit[ten - k];
        }
    }
    size_t len = (size_t)(p - text), kept = len < n ? len : n ? n - 1 : 0;
    memcpy(buf, text, kept);
    if (n)
        buf[kept] = '\0';
    return (int)len;
}

/* The form is that of %g with DBL_DIG digits (C11 5.2.4.2.2: every normal number has them), or
   with as many as the shortest text has; a subnormal number may have fewer than DBL_DIG. */
int agni_format_double(char *buf, size_t n, double x, int digits)
{
    if (!isfinite(x))
        return format_special(buf, n, x);
    if (digits >= 0 || x == 0.0)
        return agni_format(buf, n, "%.*g", digits >= 0 ? digits : 1, x);
    uint64_t u, c;
    memcpy(&u, &x, sizeof u);
    int e = (int)(u >> 52 & 2047), k;
    c = u & ((UINT64_C(1) << 52) - 1);
    uint64_t d = e ? agni_shortest_decimal(c | UINT64_C(1) << 52, e - 1075, c == 0 && e > 1, &k)
                   : agni_shortest_decimal(c, -1074, false, &k);
    return format_decimal(buf, n, x < 0, d, k, e ? DBL_DIG : 1);
}

int agni_format_float(char *buf, size_t n, float x, int digits)
{
    if (!isfinite(x))
        return format_special(buf, n, (double)x);
    if (digits >= 0 || x == 0.0f)
        return agni_format(buf, n, "%.*g", digits >= 0 ? digits : 1, (double)x);
    uint32_t u, c;
    memcpy(&u, &x, sizeof u);
    int e = (int)(u >> 23 & 255), k;
    c = u & ((UINT32_C(1) << 23) - 1);
    uint64_t d = e ? agni_shortest_decimal(c | UINT32_C(1) << 23, e - 150, c == 0 && e > 1, &k)
                   : agni_shortest_decimal(c, -149, false, &k);
    return format_decimal(buf, n, x < 0, d, k, e ? FLT_DIG : 1);
}

int agni_format_int(char *buf, int64_t v)
{
    char digit[20];
    int m = 0, len = 0;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digit[m++] = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        buf[len++] = '-';
    while (m > 0)
        buf[len++] = digit[--m];
    return len;
}

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

/* End of [digits][.digits][e[sign]digits] at s; s itself if there is no digit. */
static const char *find_decimal_end(const char *s)
{
    const char *p = skip_digits(s);
    ptrdiff_t n = p - s;
    if (*p == '.') {
        const char *q = skip_digits(p + 1);
        n += q - (p + 1);
        p = n > 0 ? q : p;
    }
    if (n == 0)
        return s;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1 + (p[1] == '+' || p[1] == '-');
        const char *r = skip_digits(q);
        p = r > q ? r : p;
    }
    return p;
}

static const struct {
    const char *text;
    double value;
} special_values[] = {{"infinity", HUGE_VAL}, {"inf", HUGE_VAL}, {"nan", (double)NAN}};

bool agni_parse_double(const char *s, const char **end, double *x)
{
    const char *p = s + (*s == '-' || *s == '+');
    const char *stop = find_decimal_end(p);
    double value = 0.0;
    if (stop == p) {
        for (int i = 0; i < AGNI_COUNT(special_values) && stop == p; i++) {
            if (strncasecmp(p, special_values[i].text, strlen(special_values[i].text)) != 0)
                continue;
            stop = p + strlen(special_values[i].text);
            value = special_values[i].value;
        }
        if (stop == p)
            return false;
    } else if (*stop != 'x' && *stop != 'X') { /* else "0x..": strtod would read on */
        int saved = errno;
        locale_t old = enter_c_locale();
        value = strtod(p, NULL);
        uselocale(old);
        errno = saved;
    }
    *x = *s == '-' ? -value : value;
    if (end)
        *end = stop;
    return true;
}
