/* The CUDA module where there is no device: it loads, says why it is of no use, and the CPU
   works on. Its table names ops and dtypes that exist. Runs everywhere. */
#include "laws.h"

#include <dlfcn.h>
#include <unistd.h>

static bool op_has(const char *op, int dtype)
{
    for (int32_t i = 0; i < agn_op_count(); i++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, i));
        if (!strcmp(info.name, op))
            return dtype == -1 || info.dtypes >> dtype & 1;
    }
    return false;
}

static void test_table(const agn_backend *b)
{
    enum { NO_DTYPE = 0, REALS = 1 << AGN_F32 | 1 << AGN_F64, FLOATS = REALS | 1 << AGN_C64 | 1 << AGN_C128 };
    static const struct {
        const char *name;
        int dtypes;
    } others[] = { /* no ops: of plans, and of Krylov methods */
        {"fused_elementwise", REALS}, {"loop_move", NO_DTYPE},    {"loop_begin", NO_DTYPE},
        {"loop_end", NO_DTYPE},       {"branch_begin", NO_DTYPE}, {"branch_end", NO_DTYPE},
        {"krylov_vector_step", FLOATS},
    };
    int bad = 0, twice = 0, found = 0;
    for (int i = 0; i < b->n_kernels; i++) {
        const agn_kernel_entry *k = b->kernels + i;
        bool other = false;
        for (int j = 0; j < COUNT(others); j++)
            other = other || (!strcmp(k->op, others[j].name) &&
                              (k->dtype < 0 ? !others[j].dtypes : others[j].dtypes >> k->dtype & 1));
        found += other;
        if (!k->run || (!other && !op_has(k->op, k->dtype))) {
            bad++;
            diag("no op %s for %s", k->op, agn_dtype_name(k->dtype));
        }
        bool first = true;
        for (int j = 0; j < i; j++) {
            first = first && strcmp(b->kernels[j].op, k->op) != 0;
            if (!strcmp(b->kernels[j].op, k->op) && b->kernels[j].dtype == k->dtype)
                twice++;
        }
        if (first && !other)
            diag("native: %s", k->op);
    }
    const char *name;
    for (int i = 0; (name = agn_host_run_name(i, NULL)); i++)
        diag("host: %s", name);
    ok(b->n_kernels > 300 && bad == 0 && found == 11,
       "%d kernels, each of an op and a dtype that exist", (int)b->n_kernels);
    is_int(twice, 0, "none is there twice");
    /* every element-wise row has a kernel for every dtype it computes in */
    int missing = 0;
    for (int32_t i = 0; i < agn_op_count(); i++) {
        agn_op_info info = {.size = sizeof info};
        must(agn_op_describe(&info, i));
        if (strcmp(info.kind, "element-wise") != 0)
            continue;
        for (int d = 0; d < AGN_NDTYPES; d++) {
            bool there = !(info.dtypes >> d & 1);
            for (int k = 0; k < b->n_kernels && !there; k++)
                there = b->kernels[k].dtype == d && !strcmp(b->kernels[k].op, info.name);
            if (!there) {
                missing++;
                diag("%s has no kernel for %s", info.name, agn_dtype_name(d));
            }
        }
    }
    is_int(missing, 0, "every element-wise row is there for every dtype");
}

int main(void)
{
    char path[4096];
    const char *folder = getenv("AGNESI_BACKEND_PATH"), *why = "";
    snprintf(path, sizeof path, "%s/libagnesi-cuda.so", folder ? folder : ".libs");
    int32_t n = agn_backend_status("cuda", &why);
    diag("%d device(s); %s", n, why);
    ok(n > 0 ? !*why : *why != 0, "a count of devices, or a reason");
    int32_t d = 7;
    if (n == 0) {
        is_int(agn_device_find(&d, "cuda:0"), AGN_EDEVICE, "no device is found by name");
        ok(d == 7 && strstr(agn_error_message(), why), "for that reason");
    }
    agn_tensor *x, *y;
    must(agn_full(&x, AGN_F64, 1, (int64_t[]){3}, 2));
    ok(agn_exp(&y, x) == AGN_OK && peek(y, 2) == exp(2.0), "the CPU works");
    agn_release(x), agn_release(y);
    if (access(path, F_OK) != 0) {
        skip("the CUDA module was not built");
        return done();
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        skip("the module was built, but CUDA's libraries are not here: %s", dlerror());
        return done();
    }
    const agn_backend *(*entry)(void), *b;
    void *p = dlsym(module, "agn_backend_entry");
    memcpy(&entry, &p, sizeof p);
    if (!ok(p != NULL, "the module has its entry"))
        return done();
    b = entry();
    ok(b && b == entry() && b->size == sizeof *b && b->abi == AGN_BACKEND_ABI &&
           !strcmp(b->name, "cuda"),
       "which gives the same back end every time");
    char reason[512] = "";
    int32_t found = b->probe(reason, sizeof reason);
    diag("probe: %d, \"%s\"", found, reason);
    ok(found == n || (n == 0 && found == 0 && *reason), "its probe agrees, with a reason");
    ok(found > 0 || strstr(reason, "CUDA") != NULL, "which names the versions");
    if (found == 0) {
        is_int(agn_backend_register(b), AGN_EDEVICE, "without a device it is not registered");
        ok(strstr(agn_error_message(), reason) != NULL, "for the probe's reason");
        void *q = NULL;
        ok(b->alloc(0, 64, &q) != AGN_OK && !q, "called anyway, it gives no memory");
        ok(b->synchronize(0) != AGN_OK, "and does not wait for ever");
    }
    static agn_backend other;
    other = *b;
    other.abi++;
    is_int(agn_backend_register(&other), AGN_EARG, "another version of it is refused");
    ok(strstr(agn_error_message(), "version") != NULL, "by both numbers");
    test_table(b);
    return done();
}
