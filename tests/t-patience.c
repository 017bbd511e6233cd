/* tests/t-patience.c - a host may stop what takes long, and nothing takes long for nothing:
   loops without end are interrupted in every mode, and an empty tensor is done at once
   however large its other axes are. */
#include <agnesi/agnesi.h>

#include "tests/tap.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

typedef const agn_tensor *T;
#define MUST(call) \
    if (call)      \
    bail_out("%s: %s", #call, agn_error_message())

/* ---- a host that asks to stop -------------------------------------------------------------- */

static int asked, patience;

static bool enough(void *user)
{
    (void)user;
    return ++asked > patience;
}

/* every call of f is cancelled at the first chance after the host has lost patience */
static void stops(const agn_fn *f, const T *in, const char *what)
{
    agn_tensor *untouched = (agn_tensor *)(void *)&asked, *y[4];
    for (int k = 1; k <= 100; k *= 10) {
        for (int i = 0; i < 4; i++)
            y[i] = untouched;
        patience = k;
        asked = 0;
        agn_hooks hooks = {.size = sizeof hooks, .interrupt = enough};
        MUST(agn_hooks_set(&hooks));
        agn_status st = agn_fn_call(y, agn_fn_n_out(f), f, in, agn_fn_n_in(f));
        MUST(agn_hooks_set(NULL));
        ok(st == AGN_ECANCELLED && asked == k + 1 && y[0] == untouched,
           "%s: stopped when asked the %d. time (%s)", what, asked,
           st ? agn_error_message() : "ran");
        for (int i = 0; i < agn_fn_n_out(f) && !st; i++)
            agn_release(y[i]);
    }
}

static agn_status one_step(void *user, agn_scope *s, const T *in, T *out)
{
    (void)user;
    out[0] = ag_mul_c(s, in[0], 0.5);
    return agn_scope_status(s);
}

static void endless_loops(void)
{
    const int64_t for_ever = (int64_t)1 << 62;
    agn_fn *step = NULL, *loop = NULL, *f = NULL;
    agn_tensor *x = NULL, *xs = NULL;
    MUST(agn_full(&x, AGN_F64, 0, NULL, 1));
    MUST(agn_full(&xs, AGN_F64, 1, (const int64_t[]){3}, 1));
    MUST(agn_fn_new(&step, one_step, NULL, NULL, 1, 1));
    MUST(agn_fn_scan(&loop, step, 1, 0, for_ever, false));
    stops(loop, (const T[]){x}, "scan");
    MUST(agn_fn_compile(&f, loop, NULL));
    stops(f, (const T[]){x}, "compiled scan");
    agn_fn_release(f);
    f = NULL;
    MUST(agn_fn_vmap(&f, loop, NULL, 0, NULL, 0));
    stops(f, (const T[]){xs}, "mapped scan");
    agn_fn_release(f);
    f = NULL;
    MUST(agn_fn_jvp(&f, loop));
    stops(f, (const T[]){x, x}, "tangent of a scan");
    agn_fn_release(f);
    f = NULL;
    MUST(agn_fn_jet(&f, loop, 2));
    stops(f, (const T[]){x, x, x}, "jet of a scan");
    agn_fn_release(f);
    agn_fn_release(loop);
    agn_fn_release(step);
    agn_release(x);
    agn_release(xs);
}

/* ---- long regions ----------------------------------------------------------------------------- */

enum { ALIVE = 24, ROWS = 1 << 21 };

/* many values alive at once make tiles small */
static agn_status wide(void *user, agn_scope *s, const T *in, T *out)
{
    T y[ALIVE], sum = NULL;
    (void)user;
    for (int i = 0; i < ALIVE; i++)
        y[i] = ag_mul_c(s, in[0], 1 + i);
    for (int i = 0; i < ALIVE; i++) {
        T term = ag_mul(s, y[i], ag_square(s, y[ALIVE - 1 - i]));
        sum = sum ? ag_add(s, sum, term) : term;
    }
    out[0] = ag_sum_all(s, sum);
    return agn_scope_status(s);
}

static void long_regions(void)
{
    agn_fn *f = NULL, *fast = NULL;
    agn_tensor *x = NULL, *y = NULL;
    MUST(agn_threads_set(1));
    MUST(agn_full(&x, AGN_F32, 1, (const int64_t[]){ROWS}, 1));
    MUST(agn_fn_new(&f, wide, NULL, NULL, 1, 1));
    MUST(agn_fn_compile(&fast, f, NULL));
    patience = 1 << 30;
    asked = 0;
    agn_hooks hooks = {.size = sizeof hooks, .interrupt = enough};
    MUST(agn_hooks_set(&hooks));
    MUST(agn_fn_call(&y, 1, fast, AGN_ARGS(x)));
    MUST(agn_hooks_set(NULL));
    ok(asked > 100, "%d rows: the host is asked %d times, more than once a chunk", ROWS,
       asked);
    stops(fast, (const T[]){x}, "a region of many rows");
    agn_release(y);
    agn_release(x);
    agn_fn_release(fast);
    agn_fn_release(f);
    MUST(agn_threads_set(0));
}

/* ---- nothing to do ------------------------------------------------------------------------------ */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { HUGE_AXIS = 40 };

static agn_status of_an_op(void *user, agn_scope *s, const T *in, T *out)
{
    const int32_t *id = user;
    const char *text = agn_op_signature(*id), *kind = text;
    enum { MOST = 16 };
    int64_t ints[MOST];
    int n = 0, n_in = 0;
    for (const char *p = text; *p; p++) /* names that are arguments */
        if (p == text || p[-1] == ' ') {
            size_t len = strcspn(p, " ");
            n_in += !memchr(p, ':', len);
        }
    while (n < MOST && (kind = strchr(kind, ':')) && kind[2] != '*')
        ints[n++] = *++kind == 'a' ? -1 : *kind == 'd' ? AGN_F32 : 0;
    agn_tensor *y = NULL;
    agn_status st = agn_op_apply(&y, 1, agn_op_name(*id),
                                 (const T[]){in[0], in[0], in[0]}, n_in,
                                 n ? ints : NULL, n, NULL, 0);
    out[0] = agn_scope_adopt(s, st, &y);
    return agn_scope_status(s);
}

static void nothing_to_do(void)
{
    static const int64_t shapes[][4] = {{(int64_t)1 << HUGE_AXIS, 3, 0, 2},
                                        {0, (int64_t)1 << HUGE_AXIS, 3, 2},
                                        {3, 0, 2, (int64_t)1 << HUGE_AXIS},
                                        {(int64_t)1 << HUGE_AXIS, 2, 3, 0}};
    int tried = 0;
    for (int32_t id = 0; id < agn_op_count(); id++) {
        agn_op_info info = {.size = sizeof info};
        MUST(agn_op_describe(&info, id));
        const char *takes = agn_op_signature(id);
        if (info.n_in < 0 || info.n_in > 3 || info.n_out != 1 || strstr(takes, ":o") ||
            strstr(takes, ":r"))
            continue;
        double worst = 0;
        for (int k = 0; k < 4; k++) {
            agn_tensor *x = NULL, *y = NULL;
            agn_fn *f = NULL, *fast = NULL;
            MUST(agn_empty(&x, AGN_F64, 4, shapes[k], AGN_CPU));
            MUST(agn_fn_new(&f, of_an_op, &id, NULL, 1, 1));
            MUST(agn_fn_compile(&fast, f, NULL));
            double start = seconds();
            agn_status st[2];
            for (int j = 0; j < 2; j++)
                if (!(st[j] = agn_fn_call(&y, 1, j ? fast : f, AGN_ARGS(x)))) {
                    tried += agn_numel(y) == 0;
                    agn_release(y);
                }
            if (st[0] != st[1])
                ok(false, "%s of nothing: %s by itself, %s compiled", info.name,
                   agn_status_name(st[0]), agn_status_name(st[1]));
            double took = seconds() - start;
            worst = took > worst ? took : worst;
            agn_release(x);
            agn_fn_release(f);
            agn_fn_release(fast);
        }
        if (worst > 10)
            ok(false, "%s of nothing took %.1f s", info.name, worst);
    }
    ok(tried > 500, "%d applications to nothing, plain and compiled, took no time",
       tried);
}

int main(void)
{
    alarm(300); /* a loop over nothing would be one for ever */
    endless_loops();
    long_regions();
    nothing_to_do();
    return done();
}
