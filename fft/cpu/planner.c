/* fft/cpu/planner.c - the plan cache over FFTW's planner (Frigo & Johnson 2005), its effort and
   wisdom. Plans are made one at a time under our lock, and FFTW is told to guard its planner
   against the host's own use; executing a plan needs no lock. The least recently used idle plan is
   evicted. */
#include "core/fork_mutex.h"
#include "core/thread_record.h"
#include "fft/fft.h"

#include <agnesi/fft.h>
#include <fftw3.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct agni_fft_plan {
    agni_fft_key key;
    uint64_t hash, epoch;
    atomic_uint_fast64_t last; /* time of the last use */
    atomic_int users; /* grows under the lock alone */
    bool kept;        /* in the cache, when it was made */
    fftw_plan f64;
    fftwf_plan f32;
    _Atomic(void *) table; /* agni_fft_get_table */
};

enum { LINE = 64 }; /* aligned for vectors of every length */

static agni_mutex lock = AGNI_MUTEX_INIT;
static agni_fft_plan *plans[AGNI_FFT_PLANS];
static int n_plans;
static int64_t n_made;
static atomic_uint_fast64_t use_clock;
static atomic_uint_fast64_t epoch;         /* of the effort and wisdom that plans are made by */
static int effort; /* index of flags_of_effort */

static const unsigned flags_of_effort[] = {FFTW_ESTIMATE, FFTW_MEASURE, FFTW_PATIENT,
                                           FFTW_EXHAUSTIVE};

static void guard_planners(void)
{
    fftw_make_planner_thread_safe();
    fftwf_make_planner_thread_safe();
}

static void lock_planners(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard_planners);
    agni_mutex_lock(&lock);
}

static size_t key_bytes(const agni_fft_key *k)
{
    return offsetof(agni_fft_key, dim) + (size_t)(k->rank + k->many) * sizeof *k->dim;
}

_Static_assert(offsetof(agni_fft_key, dim) % sizeof(uint64_t) == 0, "keys are hashed by words");
static uint64_t hash_key(const agni_fft_key *k)
{
    const char *p = (const char *)k;
    uint64_t h = 0, word; /* a polynomial in an odd number, its upper half folded in */
    size_t n = key_bytes(k);
    for (size_t i = 0; i < n; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        h = h * 0x9e3779b97f4a7c15u + word;
    }
    return h ^ h >> 32;
}

static bool equal_keys(const agni_fft_key *a, const agni_fft_key *b)
{
    return a->rank == b->rank && a->many == b->many && !memcmp(a, b, key_bytes(a));
}

/* destroys what FFTW holds; the struct is freed without the lock, as the host's allocator may
   be called then */
static void destroy_fftw_plan(agni_fft_plan *p)
{
    if (p->f64)
        fftw_destroy_plan(p->f64);
    if (p->f32)
        fftwf_destroy_plan(p->f32);
}

static void free_plan(agni_fft_plan *p)
{
    if (p)
        agni_free(atomic_load(&p->table));
    agni_free(p);
}

/* bytes before and behind the first element of the input or output */
static void find_extent(const agni_fft_key *k, bool output, double *before, double *behind)
{
    bool complex = output ? k->kind == AGNI_R2C || k->kind == AGNI_C2C
                          : k->kind == AGNI_C2R || k->kind == AGNI_C2C;
    double unit = (double)(k->single ? sizeof(float) : sizeof(double)) * (complex ? 2 : 1), low = 0,
           high = unit;
    for (int i = 0; i < k->rank + k->many; i++) {
        const agni_fft_dim *d = &k->dim[i];
        double far = (double)(d->n - 1) * (double)(output ? d->os : d->is) * unit;
        *(far < 0 ? &low : &high) += fabs(far);
    }
    *before = fmax(*before, low);
    *behind = fmax(*behind, high);
}

/* an array to measure on, as long and as aligned as that of the key: what FFTW writes there is
   lost */
static void *borrow_array(const agni_fft_key *k, bool output, void **base)
{
    double before = 0, behind = 0;
    find_extent(k, output, &before, &behind);
    if (k->in_place)
        find_extent(k, !output, &before, &behind);
    if (before + behind > 1e15)
        return NULL;
    size_t front = ((size_t)before + 63) / 64 * 64;
    *base = agni_zalloc(front + (size_t)behind + 192);
    if (!*base)
        return NULL;
    char *p = *base;
    p += 64 - (uintptr_t)p % 64;
    return p + front + (output ? k->align_out : k->align_in);
}

/* ESTIMATE looks at no data. Only transforms of several dimensions to real numbers must destroy
   their input; the executor asks for none. */
#define PLAN(X, p, in, out)                                                            \
    do {                                                                               \
        const agni_fft_key *k = &(p)->key;                                             \
        X##iodim64 d[AGN_MAX_RANK], *many = d + k->rank;                               \
        X##r2r_kind kinds[AGN_MAX_RANK];                                               \
        for (int i = 0; i < k->rank + k->many; i++) {                                  \
            d[i] = (X##iodim64){k->dim[i].n, k->dim[i].is, k->dim[i].os};              \
            kinds[i] = (X##r2r_kind)k->sign;                                           \
        }                                                                              \
        unsigned flags = how | FFTW_PRESERVE_INPUT;                                    \
        if (k->kind == AGNI_R2C)                                                       \
            (p)->PLAN_FIELD = X##plan_guru64_dft_r2c(k->rank, d, k->many, many, in,    \
                                                     out, flags);                      \
        else if (k->kind == AGNI_C2R)                                                  \
            (p)->PLAN_FIELD = X##plan_guru64_dft_c2r(k->rank, d, k->many, many, in,    \
                                                     out, flags);                      \
        else if (k->kind == AGNI_C2C)                                                  \
            (p)->PLAN_FIELD = X##plan_guru64_dft(k->rank, d, k->many, many, in, out,   \
                                                 k->sign, flags);                      \
        else                                                                           \
            (p)->PLAN_FIELD = X##plan_guru64_r2r(k->rank, d, k->many, many, in, out,   \
                                                 kinds, flags);                        \
    } while (0)
static bool make_plan(agni_fft_plan *p, int look, void *in, void *out)
{
    unsigned how = flags_of_effort[look];
    if (p->key.kind == AGNI_TABLES)
        return true;
#define PLAN_FIELD f32
    if (p->key.single)
        PLAN(fftwf_, p, in, out);
#undef PLAN_FIELD
#define PLAN_FIELD f64
    if (!p->key.single)
        PLAN(fftw_, p, in, out);
#undef PLAN_FIELD
    n_made++;
    return p->f64 || p->f32;
}

/* removes the least recently used idle plan; NULL if all are in use */
static agni_fft_plan *evict_oldest(void)
{
    int old = -1;
    for (int i = 0; i < n_plans; i++)
        if (!atomic_load(&plans[i]->users) &&
            (old < 0 || atomic_load(&plans[i]->last) < atomic_load(&plans[old]->last)))
            old = i;
    if (old < 0)
        return NULL;
    agni_fft_plan *p = plans[old];
    destroy_fftw_plan(p);
    plans[old] = plans[--n_plans];
    return p;
}

static agni_fft_plan *find_plan(const agni_fft_key *key, uint64_t hash)
{
    uint64_t now = atomic_load(&epoch);
    for (int i = 0; i < n_plans; i++)
        if (plans[i]->hash == hash && plans[i]->epoch == now && equal_keys(&plans[i]->key, key)) {
            atomic_fetch_add(&plans[i]->users, 1);
            atomic_store(&plans[i]->last, atomic_fetch_add(&use_clock, 1));
            return plans[i];
        }
    return NULL;
}

agni_fft_plan *agni_fft_acquire(const agni_fft_key *key, void *in, void *out)
{
    uint64_t hash = hash_key(key);
    agni_mutex_lock(&lock);
    agni_fft_plan *p = find_plan(key, hash), *gone = NULL;
    agni_mutex_unlock(&lock);
    if (p)
        return p;
    agni_fft_plan *fresh = agni_zalloc(sizeof *fresh); /* without the lock, as above */
    if (!fresh)
        return NULL;
    memcpy(&fresh->key, key, key_bytes(key));
    fresh->hash = hash;
    agni_mutex_lock(&lock);
    int look = effort;
    agni_mutex_unlock(&lock);
    void *base[2] = {NULL, NULL};
    if (look != AGN_FFT_ESTIMATE && key->kind != AGNI_TABLES) {
        in = borrow_array(key, false, &base[0]);
        out = in && !key->in_place ? borrow_array(key, true, &base[1]) : in;
        if (!in || !out) {
            agni_free(base[0]);
            agni_free(base[1]);
            agni_free(fresh);
            return NULL;
        }
    }
    lock_planners();
    p = find_plan(key, hash); /* another thread may have made it meanwhile */
    if (!p && make_plan(fresh, look, in, out)) {
        if (n_plans == AGNI_FFT_PLANS)
            gone = evict_oldest();
        fresh->kept = n_plans < AGNI_FFT_PLANS;
        if (fresh->kept)
            plans[n_plans++] = fresh;
        atomic_store(&fresh->users, 1);
        atomic_store(&fresh->last, atomic_fetch_add(&use_clock, 1));
        fresh->epoch = atomic_load(&epoch);
        p = fresh;
    }
    agni_mutex_unlock(&lock);
    agni_free(base[0]);
    agni_free(base[1]);
    if (p != fresh)
        agni_free(fresh);
    free_plan(gone);
    return p;
}

void agni_fft_release(agni_fft_plan *p)
{
    if (p->kept) { /* who evicts it holds the lock, and sees that nobody uses it */
        atomic_fetch_sub(&p->users, 1);
        return;
    }
    agni_mutex_lock(&lock);
    bool last = atomic_fetch_sub(&p->users, 1) == 1;
    if (last)
        destroy_fftw_plan(p);
    agni_mutex_unlock(&lock);
    if (last)
        free_plan(p);
}

bool agni_fft_is_current(const agni_fft_plan *p)
{
    return p->kept && p->epoch == atomic_load_explicit(&epoch, memory_order_relaxed);
}

/* Made by whoever needs it first; of two who do so at a time one keeps its own. */
const void *agni_fft_get_table(agni_fft_plan *p, void *(*make)(const agni_fft_key *key))
{
    void *have = atomic_load(&p->table), *none = NULL;
    if (have)
        return have;
    void *made = make(&p->key);
    if (!made || atomic_compare_exchange_strong(&p->table, &none, made))
        return made;
    agni_free(made);
    return none;
}

#define EXECUTE(X, plan, in, out)                    \
    switch (p->key.kind) {                           \
    case AGNI_R2C:                                   \
        X##execute_dft_r2c(plan, in, out);           \
        break;                                       \
    case AGNI_C2R:                                   \
        X##execute_dft_c2r(plan, in, out);           \
        break;                                       \
    case AGNI_C2C:                                   \
        X##execute_dft(plan, in, out);               \
        break;                                       \
    default:                                         \
        X##execute_r2r(plan, in, out);               \
    }
void agni_fft_execute(const agni_fft_plan *p, void *in, void *out)
{
    if (p->key.single) {
        EXECUTE(fftwf_, p->f32, in, out)
    } else {
        EXECUTE(fftw_, p->f64, in, out)
    }
}

int agni_fft_alignment(bool single, void *p)
{
    return (uintptr_t)p % LINE == 0 ? 0 : single ? fftwf_alignment_of(p) : fftw_alignment_of(p);
}

int agni_fft_plan_count(int64_t *made)
{
    agni_mutex_lock(&lock);
    int n = n_plans;
    *made = n_made;
    agni_mutex_unlock(&lock);
    return n;
}

void agni_fft_clear_plans(void)
{
    atomic_fetch_add(&epoch, 1);
    agni_fft_plan *p;
    agni_fft_release_short(agni_thread_record_own);
    do {
        agni_mutex_lock(&lock);
        p = evict_oldest();
        agni_mutex_unlock(&lock);
        free_plan(p);
    } while (p);
}

/* ---- effort and wisdom ---------------------------------------------------------------------- */

agn_status agni_fft_set_effort(const char *op, int how, double seconds)
{
    (void)op;
    lock_planners();
    effort = how;
    fftw_set_timelimit(seconds > 0 ? seconds : FFTW_NO_TIMELIMIT);
    fftwf_set_timelimit(seconds > 0 ? seconds : FFTW_NO_TIMELIMIT);
    agni_mutex_unlock(&lock);
    agni_fft_clear_plans();
    return AGN_OK;
}

agn_status agni_fft_get_wisdom(const char *op, char *text[2])
{
    lock_planners();
    text[0] = fftw_export_wisdom_to_string();
    text[1] = fftwf_export_wisdom_to_string();
    agni_mutex_unlock(&lock);
    return text[0] && text[1] ? AGN_OK : agni_nomem(op, 0);
}

void agni_fft_drop_wisdom(char *text[2])
{
    free(text[0]); /* FFTW takes it from malloc */
    free(text[1]);
}

agn_status agni_fft_add_wisdom(const char *op, char *const text[2])
{
    lock_planners();
    int fine = fftw_import_wisdom_from_string(text[0]),
        fine2 = fftwf_import_wisdom_from_string(text[1]);
    agni_mutex_unlock(&lock);
    agni_fft_clear_plans();
    return fine && fine2
               ? AGN_OK
               : agni_fail(AGN_EARG, "%s: x holds no wisdom of %s: f64 %s, f32 %s", op,
                           fftw_version, fine ? "read" : "refused", fine2 ? "read" : "refused");
}
