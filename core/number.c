/* core/number.c - numbers as text and back, whatever the locale of the host. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/internal.h"
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

/* A decimal of at most DBL_DIG digits survives the way through a normal double, so the
   search may begin there (C11 5.2.4.2.2); a subnormal has fewer digits. */
int agni_format_double(char *buf, size_t n, double x, int digits)
{
    char text[40];
    if (!isfinite(x))
        return format_special(buf, n, x);
    if (digits >= 0)
        return agni_format(buf, n, "%.*g", digits, x);
    locale_t old = enter_c_locale();
    for (digits = fabs(x) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG;
         digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    int len = snprintf(buf, n, "%s", text);
    uselocale(old);
    return len;
}

int agni_format_float(char *buf, size_t n, float x, int digits)
{
    char text[40];
    if (!isfinite(x))
        return format_special(buf, n, (double)x);
    if (digits >= 0)
        return agni_format(buf, n, "%.*g", digits, (double)x);
    locale_t old = enter_c_locale();
    for (digits = fabsf(x) < FLT_MIN ? 1 : FLT_DIG; digits <= FLT_DECIMAL_DIG;
         digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)x);
        if (strtof(text, NULL) == x)
            break;
    }
    int len = snprintf(buf, n, "%s", text);
    uselocale(old);
    return len;
}

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

/* End of [digits][.digits][e[sign]digits] at s; s itself if there is no digit. */
static const char *decimal_end(const char *s)
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
} words[] = {{"infinity", HUGE_VAL}, {"inf", HUGE_VAL}, {"nan", (double)NAN}};

bool agni_parse_double(const char *s, const char **end, double *x)
{
    const char *p = s + (*s == '-' || *s == '+');
    const char *stop = decimal_end(p);
    double value = 0.0;
    if (stop == p) {
        for (int i = 0; i < AGNI_COUNT(words) && stop == p; i++) {
            if (strncasecmp(p, words[i].text, strlen(words[i].text)) != 0)
                continue;
            stop = p + strlen(words[i].text);
            value = words[i].value;
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
