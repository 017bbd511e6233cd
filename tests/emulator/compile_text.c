/* tests/emulator/compile_text.c LIBRARY FILE OPTION... - does NVIDIA's NVRTC take a text? It needs no device.
   A program of its own: the module's libnvrtc.so is the emulator's. */
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *lib;

static void *find(const char *name)
{
    void *f = dlsym(lib, name);
    if (!f) {
        fprintf(stderr, "NVRTC has no %s\n", name);
        exit(2);
    }
    return f;
}

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    size_t n = 0, cap = 1 << 20, k;
    char *p = malloc(cap + 1);
    while (f && p && (k = fread(p + n, 1, cap - n, f)) > 0)
        if ((n += k) == cap)
            p = realloc(p, (cap *= 2) + 1);
    if (!f || !p) {
        fprintf(stderr, "cannot read %s\n", name);
        exit(2);
    }
    fclose(f);
    p[n] = '\0';
    return p;
}

int main(int argc, char **argv)
{
    nvrtcResult (*create)(nvrtcProgram *, const char *, const char *, int, const char *const *,
                          const char *const *);
    nvrtcResult (*compile)(nvrtcProgram, int, const char *const *), (*log)(nvrtcProgram, char *),
        (*log_size)(nvrtcProgram, size_t *);
    nvrtcProgram p;
    size_t n = 0;
    if (argc < 3)
        return 2;
    lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    create = find("nvrtcCreateProgram");
    compile = find("nvrtcCompileProgram");
    log_size = find("nvrtcGetProgramLogSize");
    log = find("nvrtcGetProgramLog");
    if (create(&p, read_file(argv[2]), "region.cu", 0, NULL, NULL))
        return 2;
    if (!compile(p, argc - 3, (const char *const *)argv + 3))
        return 0;
    char *text = log_size(p, &n) ? NULL : malloc(n + 1);
    if (text && !log(p, text))
        fprintf(stderr, "%s\n", text);
    return 1;
}
