/* tests/emulator/races.cpp - who wrote and who read each byte since the last barrier. The kernels are compiled
   with -fsanitize=thread, which puts a call before every access; the calls end here instead of in that
   library. A race is two accesses to a byte by two threads of a launch, one of them a write, with no barrier of
   their block (nor meeting of their warp) between. Shared memory that its block did not write is not to
   be read; bytes beside an allocation are not to be touched. */
#include "runtime.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

namespace emulator {
namespace {

/* launch 24 bits, block 14, thread 10, barriers 10, meetings of the warp 6; 0: nobody. Of a cooperative launch, which
   lives longer, the block is 6 bits and 8 are more of the barriers. */
typedef uint64_t stamp;
struct cell {
    stamp write, read[2], atomic;
};
const stamp POISON = ~(stamp)0;

const char *device_from, *device_to, *shared_from, *shared_to;
cell *device_cells, *shared_cells;
bool watching;
stamp now;
uint64_t launches;
std::map<const char *, long> launches_of;
const char *kernel = "";

uint64_t launch_of(stamp s) { return s >> 40; }
bool at_once; /* the blocks of this launch */
uint64_t block_of(stamp s) { return s >> 26 & (at_once ? 0x3f : 0x3fff); }
unsigned thread_of(stamp s) { return (unsigned)(s >> 16 & 0x3ff); }
unsigned syncs_of(stamp s)
{
    return (unsigned)((s >> 6 & 0x3ff) | (at_once ? (s >> 32 & 0xff) << 10 : 0));
}
unsigned warp_syncs_of(stamp s) { return (unsigned)(s & 0x3f); }

/* ---- fences between the blocks of a launch ---- */

typedef std::map<uint64_t, unsigned> passed; /* barriers, by block */
struct fences {                              /* of a block */
    std::set<unsigned> fenced;               /* its threads */
    stamp ticket = 0, acquired = 0;
    passed known; /* what the others had released when it fenced after its ticket */
};
std::map<uint64_t, fences> of_blocks; /* of the one that runs; of a cooperative launch all */
fences *own = &of_blocks[0];
passed released; /* barriers that a block had passed when it took its ticket */

bool before(unsigned a, unsigned b) /* counts of barriers, which begin again */
{
    const unsigned all = at_once ? 0x3ffff : 0x3ff;
    return a != b && ((b - a) & all) <= all / 2;
}
bool seen_by_fences(stamp a)
{
    const passed &p = at_once ? own->known : released;
    auto r = p.find(block_of(a));
    return r != p.end() && before(syncs_of(a), r->second) && own->acquired &&
           before(syncs_of(own->acquired), syncs_of(now));
}

/* shared memory is of one block at a time */
bool ordered(stamp a, bool is_shared)
{
    if (a == now || launch_of(a) != launch_of(now))
        return true;
    if (block_of(a) != block_of(now))
        return is_shared || seen_by_fences(a);
    if (thread_of(a) == thread_of(now) || syncs_of(a) != syncs_of(now))
        return true;
    return thread_of(a) / 32 == thread_of(now) / 32 && warp_syncs_of(a) != warp_syncs_of(now);
}

bool is_of_block(stamp s)
{
    return launch_of(s) == launch_of(now) && block_of(s) == block_of(now);
}

cell *reserve(size_t bytes)
{
    void *p = mmap(nullptr, bytes * sizeof(cell), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        complain("no address space to watch %zu bytes", bytes);
    return (cell *)p;
}

cell *cells_of(const char *p, bool *is_shared)
{
    *is_shared = p >= shared_from && p < shared_to;
    if (*is_shared)
        return shared_cells + (p - shared_from);
    return p >= device_from && p < device_to ? device_cells + (p - device_from) : nullptr;
}

[[noreturn]] void tell(const char *what, const char *p, bool is_shared, stamp other, void *pc)
{
    Dl_info at = {};
    char where[96] = "";
    if (dladdr(pc, &at) && at.dli_fbase)
        snprintf(where, sizeof where, " (module + 0x%lx)", (long)((char *)pc - (char *)at.dli_fbase));
    if (other == POISON || !other)
        complain("%s: block %lu, thread %u %s of %s memory %p%s", kernel, (long)block_of(now),
                 thread_of(now), what, is_shared ? "shared" : "device", (const void *)p, where);
    complain("%s: race on %s memory %p: block %lu, thread %u %s what block %lu, thread %u touched with no barrier "
             "between%s",
             kernel, is_shared ? "shared" : "device", (const void *)p, (long)block_of(now), thread_of(now),
             what, (long)block_of(other), thread_of(other), where);
}

void touch(const void *at, size_t n, bool write, void *pc)
{
    bool is_shared;
    const char *p = (const char *)at;
    cell *c = cells_of(p, &is_shared);
    bool set = write;
    if (!c)
        return;
    for (size_t i = 0; i < n; i++, c++, p++) {
        if (c->write == now && (write ? !c->read[0] || c->read[0] == now : c->read[0] == now)) {
            set = true;
            continue;
        }
        if (c->write == POISON)
            tell("touches a byte beside an allocation", p, is_shared, POISON, pc);
        if (!ordered(c->write, is_shared))
            tell(write ? "writes" : "reads", p, is_shared, c->write, pc);
        if (!ordered(c->atomic, is_shared))
            tell(write ? "writes" : "reads", p, is_shared, c->atomic, pc);
        if (write) {
            for (int k = 0; k < 2; k++)
                if (!ordered(c->read[k], is_shared))
                    tell("writes", p, is_shared, c->read[k], pc);
            c->write = now;
            continue;
        }
        set = set || is_of_block(c->write) || is_of_block(c->atomic);
        /* two readers that no barrier separates stand for all: a writer meets one that is not itself */
        if (ordered(c->read[0], is_shared) && c->read[0] != now)
            c->read[0] = now, c->read[1] = 0;
        else if (c->read[0] != now)
            c->read[1] = now;
    }
    /* padding of a struct may be read, a value that is all unset not */
    if (is_shared && !set)
        tell("reads unset bytes", (const char *)at, is_shared, 0, pc);
}

} // namespace

void races_begin(const char *name, bool together)
{
    at_once = together;
    /* every kernel often enough to see it in all its shapes */
    long &seen = launches_of[name];
    launches++;
    of_blocks.clear();
    released.clear();
    own = &of_blocks[0];
    now = 0;
    kernel = name;
    watching = seen < 24 || seen % 32 == 0;
    seen++;
}
void races_end()
{
    watching = false;
}
void races_thread(uint64_t block, unsigned thread, unsigned syncs, unsigned warp_syncs)
{
    if (!now || block_of(now) != (block & (at_once ? 0x3f : 0x3fff))) {
        if (!at_once)
            of_blocks.clear();
        own = &of_blocks[block];
    }
    const uint64_t more = at_once ? (uint64_t)(syncs >> 10 & 0xff) << 6 : 0;
    now = (launches & 0xffffff) << 40 | ((block | more) & 0x3fff) << 26 | (stamp)thread << 16 |
          (stamp)(syncs & 0x3ff) << 6 | (warp_syncs & 0x3f);
}
void races_poison(const void *at, size_t bytes, bool poisoned)
{
    if (!settings().races)
        return;
    if (!device_cells) {
        device_range(&device_from, &device_to);
        device_cells = reserve((size_t)(device_to - device_from));
    }
    bool is_shared;
    cell *c = cells_of((const char *)at, &is_shared);
    for (size_t i = 0; c && i < bytes; i++)
        if (poisoned)
            c[i].write = POISON;
        else if (c[i].write)
            c[i] = cell{0, {0, 0}, 0};
}
void races_shared(const char *from, const char *to)
{
    if (!settings().races)
        return;
    shared_from = from;
    shared_to = to;
    shared_cells = reserve((size_t)(to - from));
}

void fence()
{
    own->fenced.insert(thread_of(now));
    if (!own->ticket || thread_of(own->ticket) != thread_of(now))
        return;
    own->acquired = now;
    if (at_once)
        own->known = released;
}

/* an atomic access races with the plain ones alone */
void note_atomic(const void *at, size_t n)
{
    bool is_shared;
    own->ticket = now;
    if (own->fenced.count(thread_of(now)))
        released[block_of(now)] = syncs_of(now);
    cell *c = watching ? cells_of((const char *)at, &is_shared) : nullptr;
    for (size_t i = 0; c && i < n; i++, c++) {
        const char *p = (const char *)at + i;
        if (c->write == POISON)
            tell("touches a byte beside an allocation", p, is_shared, POISON, __builtin_return_address(0));
        if (!ordered(c->write, is_shared))
            tell("changes atomically", p, is_shared, c->write, __builtin_return_address(0));
        for (int k = 0; k < 2; k++)
            if (!ordered(c->read[k], is_shared))
                tell("changes atomically", p, is_shared, c->read[k], __builtin_return_address(0));
        c->atomic = now;
    }
}

} // namespace emulator

/* what GCC and clang call before an access (gcc/sanitizer.def) */
extern "C" {
using emulator::touch;
using emulator::watching;
#define ACCESS(n)                                                     \
    void __tsan_read##n(void *p)                                        \
    {                                                                   \
        if (watching)                                                   \
            touch(p, n, false, __builtin_return_address(0));            \
    }                                                                   \
    void __tsan_write##n(void *p)                                       \
    {                                                                   \
        if (watching)                                                   \
            touch(p, n, true, __builtin_return_address(0));             \
    }                                                                   \
    void __tsan_unaligned_read##n(void *p)                              \
    {                                                                   \
        if (watching)                                                   \
            touch(p, n, false, __builtin_return_address(0));            \
    }                                                                   \
    void __tsan_unaligned_write##n(void *p)                             \
    {                                                                   \
        if (watching)                                                   \
            touch(p, n, true, __builtin_return_address(0));             \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)
void __tsan_read_range(void *p, unsigned long n)
{
    if (watching)
        touch(p, n, false, __builtin_return_address(0));
}
void __tsan_write_range(void *p, unsigned long n)
{
    if (watching)
        touch(p, n, true, __builtin_return_address(0));
}
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
void *__tsan_memcpy(void *to, const void *from, unsigned long n) { return memcpy(to, from, n); }
void *__tsan_memset(void *p, int v, unsigned long n) { return memset(p, v, n); }
void *__tsan_memmove(void *to, const void *from, unsigned long n) { return memmove(to, from, n); }
/* guards of static variables */
unsigned char __tsan_atomic8_load(const volatile unsigned char *p, int) { return *p; }
}
