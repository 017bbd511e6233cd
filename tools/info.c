/* tools/info.c - agnesi info: this library, this machine, the libraries below. */
#include "config.h"
#include "tool.h"

#include <agnesi/backend.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void line(const char *what, const char *text)
{
    printf("  %-13s %s\n", what, text);
}

/* ---- libraries: the one in use answers, through a symbol it exports -------------- */

/* ISO C has no cast from an object pointer to a function; POSIX says how (dlsym) */
typedef void function(void);
static function *function_of(const char *name)
{
    void *p = dlsym(RTLD_DEFAULT, name);
    function *f;
    memcpy(&f, &p, sizeof f);
    return f;
}

static bool by_text_function(char *buf, size_t n, const char *name)
{
    char *(*f)(void) = (char *(*)(void))function_of(name);
    if (f)
        snprintf(buf, n, "%s", f());
    return f != NULL;
}

static bool openblas(char *buf, size_t n)
{
    return by_text_function(buf, n, "openblas_get_config");
}

static bool other_blas(char *buf, size_t n)
{
    if (!function_of("cblas_dgemm"))
        return false;
    snprintf(buf, n, "reference");
    return true;
}

static bool lapack(char *buf, size_t n)
{
    void (*f)(int32_t *, int32_t *, int32_t *) = (void (*)(
        int32_t *, int32_t *, int32_t *))function_of("ilaver_");
    int32_t v[3] = {0};
    if (f) {
        f(&v[0], &v[1], &v[2]);
        snprintf(buf, n, "%d.%d.%d", (int)v[0], (int)v[1], (int)v[2]);
    }
    return f != NULL;
}

static bool fftw(char *buf, size_t n)
{
    const char *text = dlsym(RTLD_DEFAULT, "fftw_version");
    if (text)
        snprintf(buf, n, "%s", text);
    return text != NULL;
}

static bool suitesparse(char *buf, size_t n)
{
    int (*f)(int *) = (int (*)(int *))function_of("SuiteSparse_version");
    int v[3] = {0};
    if (f) {
        f(v);
        snprintf(buf, n, "%d.%d.%d", v[0], v[1], v[2]);
    }
    return f != NULL;
}

static bool gsl(char *buf, size_t n)
{
    const char *const *text = dlsym(RTLD_DEFAULT, "gsl_version");
    if (text)
        snprintf(buf, n, "%s", *text);
    return text != NULL;
}

static bool sndfile(char *buf, size_t n)
{
    return by_text_function(buf, n, "sf_version_string");
}

static bool zlib(char *buf, size_t n)
{
    return by_text_function(buf, n, "zlibVersion");
}

/* the first one of a name that answers is it */
static const struct {
    const char *name;
    bool (*ask)(char *buf, size_t n);
} libraries[] = {
    {"BLAS", openblas},      {"BLAS", other_blas},         {"LAPACK", lapack},
    {"FFTW", fftw},          {"SuiteSparse", suitesparse}, {"GSL", gsl},
    {"libsndfile", sndfile}, {"zlib", zlib},
};
enum { N_LIBRARIES = sizeof libraries / sizeof *libraries };

static void print_libraries(void)
{
    for (int i = 0; i < N_LIBRARIES; i++) {
        char text[256];
        bool last = i + 1 == N_LIBRARIES ||
                    strcmp(libraries[i].name, libraries[i + 1].name) != 0;
        if (libraries[i].ask(text, sizeof text)) {
            line(libraries[i].name, text);
            while (!last && ++i + 1 < N_LIBRARIES)
                last = strcmp(libraries[i].name, libraries[i + 1].name) != 0;
        } else if (last) {
            line(libraries[i].name, "not used by this build");
        }
    }
}

/* ---- the rest -------------------------------------------------------------------- */

static void print_cpu(void)
{
    const char *why = "", *forced = getenv("AGNESI_CPU");
    const char *level = agn_cpu_level(&why);
    if (!*why)
        why = forced && *forced ? "forced by AGNESI_CPU" : "the best that this CPU has";
    printf("  %-13s %s (%s)\n", "CPU level", level, why);
    printf("  %-13s %d\n", "threads", (int)agn_threads());
}

static void print_backends(void)
{
    static const char *const names[] = {"cpu", "cuda"};
    for (int i = 0; i < 2; i++) {
        const char *why = "";
        int n = agn_backend_status(names[i], &why);
        printf("  %-13s %-5s ", i ? "" : "back ends", names[i]);
        if (n > 0)
            printf("%d device%s\n", n, n > 1 ? "s" : "");
        else
            printf("not usable: %s\n", why);
    }
}

int tool_info(int argc, char **argv)
{
    if (argc > 1)
        return tool_unknown("option of info", argv[1], NULL, 0);
    printf("agnesi %s\n", agn_version());
    printf("  %-13s %d\n", "ABI", (int)agn_abi());
    line("options", AGNI_BUILD_OPTIONS);
    print_cpu();
    print_libraries();
    print_backends();
    return TOOL_OK;
}
