/* core/core.h - what every other folder may use of core. Knows nothing of tensors. */
#ifndef AGNI_CORE_H
#define AGNI_CORE_H

#include <agnesi/core.h>
#include <stdatomic.h>
#include <stdint.h>

#define AGNI_COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define AGNI_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define AGNI_COLD __attribute__((cold, noinline)) /* the rare end of a short path */

/* A variable per thread. Reached without a function call where the loader reserves room
   for libraries opened late (static TLS). That room is some hundred bytes for all of them, and
   every variable per thread of this library takes some of it: words only, arrays belong into
   the thread's record (core/thread_record.h). */
#if defined(__GLIBC__) && defined(__GNUC__)
#define AGNI_TLS_EXTERN _Thread_local __attribute__((tls_model("initial-exec")))
#else
#define AGNI_TLS_EXTERN _Thread_local
#endif
#define AGNI_TLS_WORD static AGNI_TLS_EXTERN

/* ---- errors: whoever decides an error reports it, callers pass it on -------------- */

/* Set this thread's message and return st. The text is "op: ..." built with agni_format
   (snprintf in the C locale: numbers never depend on the host's locale). */
agn_status agni_fail(agn_status st, const char *fmt, ...) AGNI_PRINTF(2, 3);
/* AGN_EARG where the struct at p, a pointer of the caller's, says another size than a type of this
   library has. NULL passes. */
#define agni_check_size(op, type, p) \
    agni_check_struct_size((op), #type, (p) ? (p)->size : sizeof(type), sizeof(type))
agn_status agni_check_struct_size(const char *op, const char *type, size_t given, size_t known);
/* Like agni_fail, but out of memory: never formats more than numbers. */
agn_status agni_nomem(const char *op, size_t bytes);
/* Number of failures that this thread has reported so far. */
int64_t agni_failure_count(void);
/* The status st that a function of the host returned; n_before is agni_failure_count() before the
   call. A failure that reported nothing gets a message of its own, so that the message of an older
   failure does not stand for it. */
agn_status agni_check_callback(const char *op, agn_status st, int64_t n_before);
/* Returns st. Where the last message was not reported with that status, st gets a message. */
agn_status agni_with_reason(const char *op, agn_status st);
/* A buffer of this thread for a line of text, apart from its message; NULL without memory. */
enum { AGNI_LINE_BYTES = 160, AGNI_LINES = 8 };
char *agni_line_buffer(void);

/* ---- memory: everything the library allocates goes through these ------------------- */

void *agni_alloc(size_t bytes);                  /* NULL without a message; 16-aligned */
void *agni_zalloc(size_t bytes);                 /* zeroed */
void *agni_alloc_aligned(size_t bytes);          /* 64-aligned: data of tensors */
void *agni_realloc(void *p, size_t bytes);       /* p from agni_alloc or NULL */
/* items is the address of a pointer to an array with capacity for *cap items. Makes the capacity at
   least need; false without memory, and nothing has changed. */
bool agni_reserve_items(void *items, int32_t *cap, int32_t need, size_t item);
void agni_free(void *p);                         /* NULL allowed */
char *agni_strdup(const char *s);
/* a*b and a+b that report overflow as false */
bool agni_checked_mul(int64_t a, int64_t b, int64_t *out);
bool agni_checked_add(int64_t a, int64_t b, int64_t *out);

/* ---- reference counts --------------------------------------------------------------- */

/* The checking mode is on (tensor/value/handle_checks.h): AGNESI_CHECK=1, or
   agn_handle_checks_set. */
extern bool agni_checking;

typedef atomic_int agni_ref;
static inline void agni_ref_init(agni_ref *r)
{
    atomic_init(r, 1);
}
static inline void agni_ref_up(agni_ref *r)
{
    atomic_fetch_add_explicit(r, 1, memory_order_relaxed);
}
/* true when the last reference is gone */
static inline bool agni_ref_down(agni_ref *r)
{
    return atomic_fetch_sub_explicit(r, 1, memory_order_acq_rel) == 1;
}
static inline bool agni_ref_unique(agni_ref *r)
{
    return atomic_load_explicit(r, memory_order_acquire) == 1;
}

/* A counted object of any kind: patterns, programs, user data behind an op's attribute. */
typedef struct agni_obj agni_obj;
struct agni_prog;
typedef struct agni_obj_type {
    const char *name;
    void (*destroy)(agni_obj *o);
    bool (*equal)(const agni_obj *a, const agni_obj *b); /* NULL: by identity */
    /* Of an object that holds programs, else NULL. programs: their number; where p is not NULL, *p
       is number i. over: a copy of the object with other programs, which it takes ownership of
       (NULL without memory: then it does not). */
    int (*programs)(const agni_obj *o, int i, const struct agni_prog **p);
    agni_obj *(*over)(const agni_obj *o, struct agni_prog *const *p);
} agni_obj_type;
struct agni_obj {
    agni_ref ref;
    const agni_obj_type *type;
};
agni_obj *agni_obj_retain(const agni_obj *o);
void agni_obj_release(agni_obj *o); /* NULL allowed */
/* The end of the destroy function of a handle: its memory goes back, or stays as an object of
   nothing in the checking mode (memory/quarantine.c). */
void agni_obj_free(agni_obj *o, size_t bytes);
extern atomic_llong agni_handle_fault_count; /* errors that the checking mode found */
agn_status agni_find_released(const char *op, const agni_obj *o);
/* AGN_ESTALE where o, NULL allowed, was released: asked where a public function takes a handle. */
static inline agn_status agni_check_handle(const char *op, const agni_obj *o)
{
    return agni_checking && o ? agni_find_released(op, o) : AGN_OK;
}

/* ---- hooks ---------------------------------------------------------------------------- */

bool agni_check_interrupt(void);                       /* asks the host; false without a hook */
void agni_log_message(int level, const char *fmt, ...) AGNI_PRINTF(2, 3);
void agni_report_progress(const char *what, double done);

/* ---- time ------------------------------------------------------------------------------- */

int64_t agni_now_ns(void); /* of the monotonic clock */

/* ---- thread pool: lazy, empty in a forked child, one wake-up per region -------------- */

/* Calls job(user, i) for i in [0, n), spread over at most agn_threads() threads, the
   caller's among them; returns when all are done. Which thread takes which i is not fixed:
   results must not depend on it. Runs serially when nested, inside a host's OpenMP parallel
   region or when n == 1. Never fails. worker is in [0, agn_threads()). */
typedef void agni_job(void *user, int64_t i, int worker);
void agni_parallel_for(int64_t n, agni_job *job, void *user);
int agni_parallel_width(void); /* most workers agni_parallel_for would use now */

/* ---- numbers as text, whatever the locale ---------------------------------------------- */

/* snprintf in the C locale. */
int agni_format(char *buf, size_t n, const char *fmt, ...) AGNI_PRINTF(3, 4);
/* digits < 0: the shortest text that reads back as x, and of these the nearest to x; else
   %.{digits}g. Returns the length as snprintf does. Not finite: "nan", "inf", "-inf". */
int agni_format_double(char *buf, size_t n, double x, int digits);
int agni_format_float(char *buf, size_t n, float x, int digits);
/* Writes at most 20 characters without a terminator; returns their number. */
int agni_format_int(char *buf, int64_t v);
/* Reads a decimal number, inf, infinity or nan, with a sign or none and no space before it;
   *end (may be NULL) after it. false if there is none: nothing is written. */
bool agni_parse_double(const char *s, const char **end, double *x);

/* ---- Philox4x32-10 (Salmon et al. 2011) ----------------------------------------------- */

/* The function itself is in core/random/philox.h, shared with device code. */
/* Takes the next stream of a generator: gives its number and the seed. */
void agni_generator_next(agn_generator *g, uint64_t *seed, uint64_t *stream);

/* ---- devices and back ends: core/device/backend_registry.h ------------------------------ */

#endif
