/* Every public function that takes tensors and gives tensors, with tensors on a device: what it gives is what it
   gives on the host, and lies on the device, or it is refused by name (AGN_EUNSUPPORTED, or
   AGN_EDEVICE where the value must be on the host). What agrees by running on the host, or reads numbers there, is told
   by name: agn_host_run_count. Arguments are drawn by their
   kind and name until the host takes them, or follow a recipe (recipes.h), which also says why a function is not
   called; one without either fails. Each function has a process of its own, which may die.

   With AGNESI_CUDA_FAIL=1, on the emulated device, what agreed is called again and again while one allocation
   after the other fails: the call succeeds with the same numbers, or fails for want of memory; nothing of
   it stays, and the device goes on. */
#include "calls.h"
#include "cuda.h"
#include "recipes.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTED = 3, DRAWS = 800, RECIPES = 20, CALLS = 6 };

#include "tests/cuda-calls.inc"

/* ---- arguments -------------------------------------------------------------------------- */

enum { POOL = 16, OUTS = 4 };
typedef struct draw {
    struct arg a[MOST];
    agn_tensor *x[MOST][LISTED], *out[MOST][OUTS];
    int64_t sizes[MOST][LISTED];
    int32_t axes[MOST][LISTED];
    agn_graph *graph[MOST];
    double reals[MOST][LISTED];
    bool near[MOST][LISTED]; /* it stays on the host */
    int n_xs[MOST], count, base, dtype;
} draw;

static const int64_t base_shape[][3] = {{4}, {4, 4}, {3, 4}, {2, 3, 4}, {0}, {2, 4, 4}};
static const int base_ndim[] = {1, 2, 2, 3, 0, 3};

static agn_tensor *integers(int64_t below, int ndim, const int64_t *shape)
{
    agn_tensor *f = random_of(AGN_F64, ndim, shape, 0, (double)below - 1e-9), *fl, *y;
    must(agn_floor(&fl, f));
    must(agn_cast(&y, fl, AGN_I64));
    agn_release(f), agn_release(fl);
    return y;
}
/* a a^T + 4 */
static agn_tensor *definite(int dtype)
{
    agn_tensor *a = random_of(dtype, 2, (int64_t[]){4, 4}, -1, 1), *t, *p, *i, *s, *y;
    must(agn_transpose(&t, a));
    must(agn_matmul(&p, a, t));
    must(agn_eye(&i, dtype, 4, 4, 0));
    must(agn_mul_c(&s, i, 4));
    must(agn_add(&y, p, s));
    agn_release(a), agn_release(t), agn_release(p), agn_release(i), agn_release(s);
    return y;
}
/* of 4 nodes; an edge may be there twice */
static agn_graph *graph_of_four(int64_t m)
{
    agn_graph *g;
    agn_tensor *src = integers(4, 1, &m), *dst = integers(4, 1, &m);
    must(agn_graph_from_edges(&g, src, dst, 4, 4));
    agn_release(src), agn_release(dst);
    return g;
}

static agn_tensor *tensor_for(const struct call *c, const char *name, const draw *d, bool first)
{
    int base = rnd_below(4) ? d->base : (int)rnd_below(6), dtype = rnd_below(6) ? d->dtype : AGN_F64;
    const int64_t *shape = base_shape[base];
    int ndim = base_ndim[base];
    bool sparse = strstr(c->name, "sparse") || strstr(c->name, "eigs") || strstr(c->name, "svds") ||
                  strstr(c->name, "expm") || strstr(c->name, "pca") || strstr(c->name, "krylov") ||
                  strstr(c->name, "send");
    if (one_of(name, " key "))
        return integers(1 << 20, 1, (int64_t[]){2});
    if (one_of(name, " idx index indices src dst counts rows cols segments ids row col centres neighbours indptr"
                     " labels offsets lengths "))
        return integers(rnd_below(2) ? 2 : 4, rnd_below(2) ? 1 : ndim, shape);
    if (one_of(name, " mask cond where "))
        return random_of(AGN_BOOL, ndim, shape, 0, 2);
    if (sparse && (first || one_of(name, " a pattern ")) && rnd_below(5))
        return sparse_matrix(dtype < AGN_F32 ? AGN_F64 : dtype, NULL);
    if (base == 1 && first && rnd_below(2) && dtype >= AGN_F32)
        return definite(dtype);
    if (rnd_below(12) == 0)
        return integers(3, ndim, shape);
    if (rnd_below(25) == 0)
        return NULL;
    return random_of(dtype, ndim, shape, rnd_below(2) ? 0.1 : -2, rnd_below(2) ? 0.9 : 3);
}

static void draw_arguments(draw *d, const struct call *c)
{
    static const int dtypes[] = {AGN_F64, AGN_F64, AGN_F64, AGN_F32, AGN_C128, AGN_I64, AGN_BOOL, AGN_I32};
    static const double reals[] = {0.5, 1, 2, 0.1, 0, 3};
    static const double quarters[] = {0.25, 0.5, 0.75};
    static const char *const texts[] = {"ij,jk->ik", "i,i->", "ij->ji", "...", "0", ":2", "-1, :"};
    memset(d, 0, sizeof *d);
    d->count = 1 + (int)rnd_below(LISTED);
    d->base = (int)rnd_below(6);
    d->dtype = dtypes[rnd_below(COUNT(dtypes))];
    bool first = true;
    for (int k = 0; c->kinds[k]; k++) {
        struct arg *a = &d->a[k];
        char name[64];
        name_of(name, sizeof name, c, k);
        switch (c->kinds[k]) {
        case 'O':
        case 'M': a->out = d->out[k]; break;
        case 'T':
            a->x = d->x[k][0] = tensor_for(c, name, d, first);
            d->n_xs[k] = 1;
            first = false;
            break;
        case 'L':
            d->n_xs[k] = d->count;
            for (int j = 0; j < d->count; j++)
                d->x[k][j] = tensor_for(c, name, d, j == 0);
            a->xs = (const agn_tensor *const *)d->x[k];
            break;
        case 'S':
            for (int j = 0; j < LISTED; j++)
                d->sizes[k][j] = strstr("shape", name) ? (rnd_below(3) ? 4 : 1 + rnd_below(4)) : rnd_below(3);
            a->sizes = d->sizes[k];
            break;
        case 'A':
            for (int j = 0; j < LISTED; j++)
                d->axes[k][j] = rnd_below(2) ? j : j - d->count;
            a->axes = d->axes[k];
            break;
        case 'G': a->graph = d->graph[k] = graph_of_four(3 + rnd_below(2)); /* as rows of base_shape fit */ break;
        case 'C': a->text = texts[rnd_below(COUNT(texts))]; break;
        case 'R': a->reals = quarters; break;
        case 'B': a->i = rnd_below(2); break;
        case 'D': a->d = reals[rnd_below(COUNT(reals))]; break;
        case 'E': a->i = rnd_below(3) ? AGN_F64 : dtypes[rnd_below(COUNT(dtypes))]; break;
        default:
            a->i = one_of(name, " n_out ") ? 1 + rnd_below(OUTS - 1)
                   : strncmp(name, "axis", 4) == 0 ? rnd_below(3) - 1
                   : (one_of(name, " ndim n axes ") && strpbrk(c->kinds, "SALR")) || one_of(name, " axes ") ? d->count
                   : one_of(name, " rows cols ") ? 4
                                                 : rnd_below(5);
        }
    }
}

/* arguments as the recipe has them in place of those that were drawn; false: it is no recipe of this function */
static bool follow_recipe(draw *d, const struct call *c, const struct recipe *r)
{
    int used = 0, said = 0, dtype = rnd_below(3) ? AGN_F64 : AGN_F32;
    for (const char *p = r->text; *p; p += strcspn(p, " "), p += *p == ' ')
        said++;
    for (int k = 0; c->kinds[k]; k++) {
        struct arg *a = &d->a[k];
        char name[64];
        double v[LISTED] = {0};
        name_of(name, sizeof name, c, k);
        const char *text = value_of(r, name);
        if (!text)
            continue;
        used++;
        switch (c->kinds[k]) {
        case 'T':
        case 'L':
            for (int j = 0; j < d->n_xs[k]; j++)
                agn_release(d->x[k][j]), d->x[k][j] = NULL;
            d->n_xs[k] = 0;
            for (bool more = true; more; text++) {
                int j = d->n_xs[k]++;
                if (j == LISTED)
                    return false;
                d->near[k][j] = *text == '@';
                d->x[k][j] = tensor_by(text + d->near[k][j], dtype);
                text += strcspn(text, "| ");
                more = *text == '|';
            }
            a->x = d->x[k][0];
            a->xs = (const agn_tensor *const *)d->x[k];
            break;
        case 'G':
            agn_graph_release(d->graph[k]);
            a->graph = d->graph[k] = graph_of_four(atol(text));
            break;
        default:
            (void)read_numbers(text, v, LISTED);
            for (int j = 0; j < LISTED; j++) {
                d->sizes[k][j] = (int64_t)v[j];
                d->axes[k][j] = (int32_t)v[j];
                d->reals[k][j] = v[j];
            }
            a->sizes = d->sizes[k], a->axes = d->axes[k], a->reals = d->reals[k];
            a->i = (int64_t)v[0], a->d = v[0];
        }
    }
    return used == said;
}

static agn_status move(agn_tensor **to, const agn_tensor *x)
{
    if (agn_layout_of(x) == AGN_DENSE)
        return agn_to_device(to, x, cuda);
    agn_tensor *v = NULL, *far = NULL;
    agn_status st = agn_sparse_values(&v, x);
    if (!st)
        st = agn_to_device(&far, v, cuda);
    if (!st)
        st = agn_sparse_with_values(to, x, far);
    agn_release(v), agn_release(far);
    return st;
}
static void draw_release(draw *d)
{
    for (int k = 0; k < MOST; k++) {
        agn_graph_release(d->graph[k]);
        for (int j = 0; j < LISTED; j++)
            agn_release(d->x[k][j]);
        for (int j = 0; j < OUTS; j++)
            agn_release(d->out[k][j]);
    }
}

/* ---- one function ------------------------------------------------------------------------ */

typedef struct verdict {
    int called, agreed, refused, failed;
    int64_t runs, reads; /* on the host, of all calls */
    int failures, survived, left_out; /* allocations that failed; calls that did without; places not tried */
    char text[400];
} verdict;

static void dense(agn_tensor **out, const agn_tensor *x)
{
    if (agn_layout_of(x) != AGN_DENSE)
        must(agn_sparse_values(out, x));
    else
        *out = agn_retain(x);
}

/* Their results describe a pattern, a shape or a file, which are numbers of the host, or go where they are sent. */
static bool on_host_by_name(const char *name)
{
    return one_of(name, " agn_shape_of agn_sparse_indptr agn_sparse_indices agn_sparse_coordinates"
                        " agn_sparse_colours agn_sparse_bfs agn_sparse_rcm agn_to_device"
                        " agn_sound_encode ");
}

/* Their values are what memory held, or a quotient of two rounding errors where a signal has no power or a
   circulant matrix is singular, or vectors of a value that is there twice or not at all, such as those beyond
   the rank (t-cuda-modules multiplies them), or what follows from a pivot that is 0 but for rounding, or angles and
   logarithms of spectra whose magnitude is a rounding error, or a response at a pole. */
static bool any_value_by_name(const char *name)
{
    return strstr(name, "empty") || one_of(name, " agn_signal_coherence agn_linalg_solve_circulant agn_linalg_svd"
                                                    " agn_linalg_solve_ex agn_linalg_cond agn_linalg_qr_multiply"
                                                    " agn_signal_minimum_phase agn_signal_spectrogram"
                                                    " agn_signal_freqs agn_audio_reassigned_spectrogram ");
}

/* NULL, or what differs. placed: an argument was on the device, so that results must be */
static const char *difference(const struct call *c, bool placed, agn_tensor *have, agn_tensor *want)
{
    static char text[200];
    if (!have || !want)
        return have == want ? NULL : "a result is missing";
    if (agn_dtype_of(have) != agn_dtype_of(want) || agn_ndim(have) != agn_ndim(want) ||
        agn_layout_of(have) != agn_layout_of(want))
        return "another dtype, rank or layout";
    for (int k = 0; k < agn_ndim(want); k++)
        if (agn_shape(have)[k] != agn_shape(want)[k])
            return "another shape";
    agn_tensor *h, *w, *near = NULL, *plain = NULL;
    dense(&plain, have), dense(&w, want);
    must(agn_stop_gradient(&h, plain)); /* of a watched one */
    agn_release(plain);
    const char *no = NULL;
    bool single = agn_dtype_of(w) == AGN_F32 || agn_dtype_of(w) == AGN_C64;
    if (placed && agn_device_of(h) != cuda && agn_numel(h) && !on_host_by_name(c->name))
        no = "the result is on the host";
    else if (agn_to_device(&near, h, AGN_CPU)) {
        snprintf(text, sizeof text, "the result cannot be read: %s", agn_error_message());
        no = text;
    } else if (!any_value_by_name(c->name)) {
        double most = 1, worst = 0;
        for (int64_t i = 0; i < agn_numel(w); i++) {
            double complex a = peekz(near, i), b = peekz(w, i);
            bool same = a == b || (isnan(creal(a) + cimag(a)) && isnan(creal(b) + cimag(b)));
            most = isfinite(cabs(b)) ? fmax(most, cabs(b)) : most;
            if (!same)
                worst = fmax(worst, isfinite(cabs(a - b)) ? cabs(a - b) : (double)INFINITY);
        }
        if (worst > most * (kind_of(agn_dtype_of(w)) <= KIND_INT ? 0 : single ? 1e-4 : 1e-9)) {
            snprintf(text, sizeof text, "values differ by %g", worst);
            no = text;
        }
    }
    agn_release(h), agn_release(w), agn_release(near);
    return no;
}

/* ---- allocations that fail ------------------------------------------------------------------- */

static long (*emulator_fail)(long after, long many), (*emulator_live)(void);

static bool find_emulator(void)
{
    char path[4096];
    const char *folder = getenv("AGNESI_BACKEND_PATH"), *wanted = getenv("AGNESI_CUDA_FAIL");
    if (!wanted || !folder)
        return false;
    snprintf(path, sizeof path, "%s/libagnesi-cuda.so", folder);
    void *module = dlopen(path, RTLD_NOW | RTLD_NOLOAD), *f, *l;
    if (!module || !(f = dlsym(module, "agn_emulator_fail")) || !(l = dlsym(module, "agn_emulator_live")))
        return false;
    memcpy(&emulator_fail, &f, sizeof f);
    memcpy(&emulator_live, &l, sizeof l);
    return true;
}

static void release_outs(draw *f)
{
    for (int k = 0; k < MOST; k++)
        for (int j = 0; j < OUTS; j++) {
            agn_release(f->out[k][j]);
            f->out[k][j] = NULL;
        }
}

/* every place up to DENSE, then ever fewer; each of them twice in a row, as the module tries twice */
enum { DENSE = 48 };
static void fail_each(verdict *v, const struct call *c, draw *f, const draw *d)
{
    release_outs(f);
    agn_status st = c->run(f->a); /* what is kept for later is there now */
    release_outs(f);
    if (st || agn_device_synchronize(cuda))
        return;
    long live = emulator_live();
    bool placed = false;
    for (int i = 0; i < MOST; i++)
        placed |= f->x[i][0] && !f->near[i][0];
    for (long k = 0; !v->failed; k += k < DENSE ? 1 : 1 + k / 8) {
        emulator_fail(k, 2);
        st = c->run(f->a);
        long left = emulator_fail(-1, 0);
        if (!st)
            st = agn_device_synchronize(cuda);
        v->failures += left == 0;
        v->survived += left == 0 && !st;
        v->left_out += left == 0 && k >= DENSE ? (int)(k / 8) : 0;
        if (st && (st != AGN_ENOMEM || left)) {
            v->failed++;
            snprintf(v->text, sizeof v->text, "allocation %ld fails: %s: %s", k, agn_status_name(st),
                     agn_error_message());
        }
        const char *no = NULL;
        for (int i = 0; !st && c->kinds[i] && !no; i++)
            for (int j = 0; j < OUTS && !no; j++)
                no = difference(c, placed, f->out[i][j], d->out[i][j]);
        if (no) {
            v->failed++;
            snprintf(v->text, sizeof v->text, "allocation %ld fails: %s", k, no);
        }
        release_outs(f);
        if (agn_device_synchronize(cuda) || emulator_live() != live) {
            v->failed++;
            snprintf(v->text, sizeof v->text, "after failure %ld, %ld blocks live, %ld before", k, emulator_live(),
                     live);
        }
        if (left)
            break;
    }
}

static void judge(verdict *v, const struct call *c, draw *d)
{
    draw f = *d;
    bool placed = false;
    memset(f.out, 0, sizeof f.out);
    memset(f.x, 0, sizeof f.x);
    memset(f.graph, 0, sizeof f.graph);
    for (int k = 0; c->kinds[k]; k++) {
        if (f.a[k].out)
            f.a[k].out = f.out[k];
        for (int j = 0; j < d->n_xs[k]; j++)
            if (d->near[k][j])
                f.x[k][j] = agn_retain(d->x[k][j]);
            else if (d->x[k][j] && move(&f.x[k][j], d->x[k][j]))
                goto done; /* has no place on the device */
            else
                placed |= d->x[k][j] != NULL;
        if (c->kinds[k] == 'T')
            f.a[k].x = f.x[k][0];
        if (c->kinds[k] == 'L')
            f.a[k].xs = (const agn_tensor *const *)f.x[k];
        if (c->kinds[k] == 'S')
            f.a[k].sizes = f.sizes[k];
        if (c->kinds[k] == 'A')
            f.a[k].axes = f.axes[k];
    }
    v->called++;
    int64_t runs, reads, runs_now, reads_now;
    agn_host_run_count(&runs, &reads);
    agn_status st = c->run(f.a);
    agn_host_run_count(&runs_now, &reads_now);
    v->runs += runs_now - runs;
    v->reads += reads_now - reads;
    if (!st)
        st = agn_device_synchronize(cuda);
    bool of_host = st == AGN_EDEVICE && strstr(agn_error_message(), "is on cuda:0, not on the host");
    if (st == AGN_EUNSUPPORTED || of_host) {
        v->refused++;
        snprintf(v->text, sizeof v->text, "%s", agn_error_message());
    } else if (st) {
        v->failed++;
        snprintf(v->text, sizeof v->text, "%s: %s", agn_status_name(st), agn_error_message());
    } else {
        const char *no = NULL;
        for (int k = 0; c->kinds[k] && !no; k++)
            for (int j = 0; j < OUTS && !no; j++)
                no = difference(c, placed, f.out[k][j], d->out[k][j]);
        v->failed += no != NULL;
        v->agreed += no == NULL;
        if (no)
            snprintf(v->text, sizeof v->text, "%s", no);
        else if (emulator_fail && v->agreed <= 2)
            fail_each(v, c, &f, d);
    }
done:
    draw_release(&f);
}

static void try_call(verdict *v, const struct call *c)
{
    rnd_stream("cuda-calls", c->name);
    must(agn_device_find(&cuda, "cuda"));
    (void)find_emulator();
    const struct recipe *r = recipe_of(c->name);
    for (int i = 0; i < (r ? RECIPES : DRAWS) && v->called < CALLS && !v->failed; i++) {
        draw d;
        draw_arguments(&d, c);
        bool whole = !r || follow_recipe(&d, c, r);
        for (int k = 0; c->kinds[k]; k++)
            whole = whole && (c->kinds[k] != 'L' || (d.x[k][0] && d.x[k][d.n_xs[k] - 1]));
        if (whole && c->run(d.a) == AGN_OK)
            judge(v, c, &d);
        draw_release(&d);
    }
}

int main(int argc, char **argv)
{
    const char *why, *need = getenv("AGNESI_REQUIRE_CUDA");
    if (!need && agn_backend_status("cuda", &why) <= 0)
        return skip_all("no CUDA device: %s", why);
    verdict *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int agreed = 0, refused = 0, bad = 0, named = 0, failures = 0, survived = 0, left_out = 0, ran = 0, read = 0;
    for (int i = 0; i < COUNT(calls); i++) {
        const struct call *c = calls + i;
        if (argc > 1 && strcmp(argv[1], c->name) != 0)
            continue;
        const struct recipe *r = recipe_of(c->name);
        if (r && r->why) {
            diag("not called: %s, %s", c->name, r->why);
            named++;
            continue;
        }
        memset(v, 0, sizeof *v);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            alarm(120);
            try_call(v, c);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        failures += v->failures;
        survived += v->survived;
        left_out += v->left_out;
        if (!WIFEXITED(status) || WEXITSTATUS(status)) {
            bad++;
            ok(false, "%s: ended by signal %d or status %d", c->name, WIFSIGNALED(status) ? WTERMSIG(status) : 0,
               WEXITSTATUS(status));
        } else if (v->failed) {
            bad++;
            ok(false, "%s: %s", c->name, v->text);
        } else if (v->refused) {
            refused++;
            diag("refused: %s", v->text);
        } else if (v->agreed) {
            agreed++;
            ran += v->runs > 0;
            read += v->runs == 0 && v->reads > 0;
            if (v->runs)
                diag("on the host: %s", c->name);
            else if (v->reads)
                diag("reads on the host: %s", c->name);
        } else {
            bad++;
            ok(false, "%s: no arguments were found: it wants a recipe", c->name);
        }
    }
    for (int i = 0; argc == 1 && i < COUNT(recipes); i++) {
        int j = 0;
        while (j < COUNT(calls) && strcmp(calls[j].name, recipes[i].name) != 0)
            j++;
        if (j == COUNT(calls))
            bad++, ok(false, "%s: a recipe of no function", recipes[i].name);
    }
    diag("%d public functions agree with the CPU, %d are refused, %d differ, %d are not called for a reason that is "
         "named; %d more take other arguments", agreed, refused, bad, named, COUNT(others));
    diag("of those that agree %d ran on the host in part, %d read indices or sizes there", ran, read);
    if (failures)
        diag("%d allocations failed, %d calls did without; %d places were left out", failures, survived, left_out);
    is_int(bad, 0, "public functions with tensors on the device agree with the CPU or are refused by name");
    return done();
}
