/* tests/tap.h - the Test Anything Protocol for one test program
 *
 *     int main(void)
 *     {
 *         ok(1 + 1 == 2, "sum");
 *         near(sin(0.5), 0.479425538604203, 1e-15, "sin of %g", 0.5);
 *         return done();
 *     }
 *
 * ok() and its kin return whether the check held, so that a test can stop early. The plan is
 * printed last, by done(): a program that crashes has none, and that is a failure.
 */
#ifndef AGN_TAP_H
#define AGN_TAP_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define TAP_PRINTF(f, a) __attribute__((format(printf, f, a), unused))
#else
#define TAP_PRINTF(f, a)
#endif

static int tap_count, tap_failed;

/* A comment in the log: what was measured, what was seen. */
TAP_PRINTF(1, 2) static void diag(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("# ", stdout);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
    fflush(stdout);
}

static bool tap_result(bool held, const char *file, int line, const char *directive,
                       const char *fmt, va_list ap)
{
    printf("%s %d - ", held ? "ok" : "not ok", ++tap_count);
    vprintf(fmt, ap);
    printf("%s\n", directive);
    if (!held) {
        tap_failed++;
        printf("# at %s:%d\n", file, line);
    }
    fflush(stdout);
    return held;
}

TAP_PRINTF(4, 5)
static bool tap_ok(bool held, const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tap_result(held, file, line, "", fmt, ap);
    va_end(ap);
    return held;
}

TAP_PRINTF(6, 7)
static bool tap_is_int(int64_t have, int64_t want, const char *have_text,
                       const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bool held = tap_result(have == want, file, line, "", fmt, ap);
    va_end(ap);
    if (!held)
        diag("%s is %" PRId64 ", not %" PRId64, have_text, have, want);
    return held;
}

TAP_PRINTF(6, 7)
static bool tap_is_str(const char *have, const char *want, const char *have_text,
                       const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bool same = have && want ? !strcmp(have, want) : have == want;
    tap_result(same, file, line, "", fmt, ap);
    va_end(ap);
    if (!same)
        diag("%s is \"%s\", not \"%s\"", have_text, have ? have : "(null)",
             want ? want : "(null)");
    return same;
}

/* |have - want| <= tol max(1, |want|); equal infinities and two NaNs count as near */
static inline bool tap_close(double have, double want, double tol)
{
    if (isnan(have) || isnan(want))
        return isnan(have) && isnan(want);
    if (isinf(have) || isinf(want))
        return isinf(have) && isinf(want) && signbit(have) == signbit(want);
    return fabs(have - want) <= tol * fmax(1, fabs(want));
}

TAP_PRINTF(7, 8)
static bool tap_near(double have, double want, double tol, const char *have_text,
                     const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    bool held = tap_result(tap_close(have, want, tol), file, line, "", fmt, ap);
    va_end(ap);
    if (!held)
        diag("%s is %.17g, not %.17g (off by %.3g, allowed %.3g)", have_text, have,
             want, have - want, tol * fmax(1, fabs(want)));
    return held;
}

#define ok(held, ...) tap_ok(held, __FILE__, __LINE__, __VA_ARGS__)
#define is_int(have, want, ...) \
    tap_is_int(have, want, #have, __FILE__, __LINE__, __VA_ARGS__)
#define is_str(have, want, ...) \
    tap_is_str(have, want, #have, __FILE__, __LINE__, __VA_ARGS__)
#define near(have, want, tol, ...) \
    tap_near(have, want, tol, #have, __FILE__, __LINE__, __VA_ARGS__)

/* One check that cannot run here, and why. */
TAP_PRINTF(1, 2) static void skip(const char *why, ...)
{
    va_list ap;
    va_start(ap, why);
    printf("ok %d # SKIP ", ++tap_count);
    vprintf(why, ap);
    putchar('\n');
    va_end(ap);
    fflush(stdout);
}

/* The whole program cannot run here: return skip_all("no device") from main. */
TAP_PRINTF(1, 2) static int skip_all(const char *why, ...)
{
    va_list ap;
    va_start(ap, why);
    fputs("1..0 # SKIP ", stdout);
    vprintf(why, ap);
    putchar('\n');
    va_end(ap);
    return 0;
}

/* Nothing after this could be trusted. */
TAP_PRINTF(1, 2) static void bail_out(const char *why, ...)
{
    va_list ap;
    va_start(ap, why);
    fputs("Bail out! ", stdout);
    vprintf(why, ap);
    putchar('\n');
    va_end(ap);
    exit(99);
}

/* True under a sanitizer: for tests that replace malloc or count on the address space. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAP_SANITIZED 1
#elif defined(__has_feature)
#define TAP_SANITIZED \
    (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TAP_SANITIZED 0
#endif

/* Sanitized and instrumented builds ask for fewer repetitions, `make check-long` for more:
   tap_scale(1000) is then 50 or 5000. */
static inline bool tap_quick(void)
{
    return getenv("AGNESI_TEST_QUICK") != NULL;
}
static inline int tap_scale(int n)
{
    return tap_quick() ? (n + 19) / 20 : getenv("AGNESI_TEST_LONG") ? 5 * n : n;
}

/* AGNESI_TEST_LEVEL names the one CPU level to test, where time is short: emulators. */
static inline bool tap_level(const char *name)
{
    const char *only = getenv("AGNESI_TEST_LEVEL");
    return !only || strcmp(only, name) == 0;
}

/* a number of its own for `make check-long` */
static inline int tap_long(int n, int more)
{
    return getenv("AGNESI_TEST_LONG") ? more : tap_scale(n);
}

/* Prints the plan; the value to return from main. */
static inline int done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed != 0;
}

#endif
