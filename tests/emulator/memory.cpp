/* tests/emulator/memory.cpp - device memory: a mapping that only device work may touch. An allocation ends at a
   page that nobody may touch, and begins as NaN. Pages open at the first touch by work of their own device:
   the signal tells who touched what. */
#include "runtime.h"

#include <sys/mman.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace emulator {
namespace {

const size_t ARENA = (size_t)16 << 30, LIMIT = (size_t)2 << 30, PAGE = 4096, MARGIN = 32;

struct block {
    size_t pages;     /* bytes of whole pages */
    size_t bytes;     /* of the allocation, which ends where the pages end, but for its alignment */
    char *data;
    int device;
    bool live, opened, fresh;
};

char *arena;
size_t top;
std::map<char *, block> blocks; /* by the first page; never erased */
std::multimap<size_t, char *> spare;
std::vector<block *> opened;
size_t live_bytes;
long live_blocks, fail_after = -1, fail_many;

thread_local int depth; /* of access in this thread */
thread_local int whose;
thread_local const char *doing = "";

struct sigaction before;

block *find(const void *p)
{
    auto it = blocks.upper_bound((char *)p);
    if (it == blocks.begin())
        return nullptr;
    --it;
    return (char *)p < it->first + it->second.pages ? &it->second : nullptr;
}
char *base(block *b)
{
    return b->data + (b->bytes + 15) / 16 * 16 - b->pages;
}

/* a page that device work may touch opens; whatever else came here is told, and then kills */
void touched(int sig, siginfo_t *info, void *context)
{
    char *p = (char *)info->si_addr;
    if (arena && p >= arena && p < arena + ARENA) {
        block *b = find(p);
        if (depth && b && b->live && !b->opened && (whose < 0 || whose == b->device)) {
            b->opened = true;
            opened.push_back(b);
            mprotect(base(b), b->pages, PROT_READ | PROT_WRITE);
            if (b->fresh)
                memset(base(b), 0xff, b->pages); /* NaN of every float */
            b->fresh = false;
            return;
        }
        char near[160] = "";
        for (char *q = p; !b && q >= p - 2 * PAGE && q > arena; q -= PAGE)
            b = find(q);
        if (b)
            snprintf(near, sizeof near, ": byte %ld of %s allocation of %zu bytes on device %d",
                     (long)(p - b->data), b->live ? "an" : "a freed", b->bytes, b->device);
        if (depth)
            fprintf(stderr, "EMULATOR: %s on device %d touches %p%s\n", doing, whose, (void *)p, near);
        else
            fprintf(stderr, "EMULATOR: the host touches device memory %p%s\n", (void *)p, near);
    }
    sigaction(sig, &before, nullptr);
    (void)context;
}

void start()
{
    static bool done;
    if (done)
        return;
    done = true;
    arena = (char *)mmap(nullptr, ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED)
        complain("no address space for device memory");
    struct sigaction act = {};
    act.sa_sigaction = touched;
    act.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &act, &before);
    const char *k = getenv("EMULATOR_FAIL");
    if (k) {
        fail_after = atol(k);
        fail_many = 2; /* the module tries a second time */
    }
}

/* bytes beside the allocation, which no access may reach */
void mark_margins(const block &b, char *at, bool poisoned)
{
    size_t room = (b.bytes + 15) / 16 * 16, ahead = (size_t)(b.data - at);
    ahead = ahead < MARGIN ? ahead : MARGIN;
    races_poison(b.data - ahead, ahead, poisoned);
    races_poison(b.data + b.bytes, room - b.bytes, poisoned);
}

/* the allocation that a test wants to fail */
bool must_fail()
{
    if (fail_after < 0)
        return false;
    if (fail_after > 0) {
        fail_after--;
        return false;
    }
    if (fail_many > 0 && --fail_many == 0)
        fail_after = -1;
    return true;
}

} // namespace

bool on_device(const void *p, int *device)
{
    if (!arena || (char *)p < arena || (char *)p >= arena + ARENA)
        return false;
    block *b = find(p);
    if (device)
        *device = b ? b->device : -1;
    return true;
}

void device_range(const char **from, const char **to)
{
    start();
    *from = arena;
    *to = arena + ARENA;
}

access::access(int device, const char *what)
{
    outer = whose;
    whose = device;
    if (depth++ == 0)
        doing = what;
}
access::~access()
{
    whose = outer;
    if (--depth || !settings().protect)
        return;
    for (block *b : opened) {
        b->opened = false;
        if (b->live)
            mprotect(base(b), b->pages, PROT_NONE);
    }
    opened.clear();
}

cudaError_t allocate(void **p, size_t bytes, int device)
{
    start();
    size_t room = (bytes + 15) / 16 * 16, pages = (room + PAGE - 1) / PAGE * PAGE;
    if (must_fail() || room < bytes || pages > LIMIT || live_bytes + pages > LIMIT)
        return report(cudaErrorMemoryAllocation);
    char *at = nullptr;
    for (auto it = spare.lower_bound(pages); it != spare.end() && it->first == pages; ++it)
        if (blocks[it->second].device == device) {
            at = it->second;
            spare.erase(it);
            break;
        }
    if (!at) {
        if (top + pages + PAGE > ARENA)
            complain("the emulator is out of addresses");
        at = arena + top;
        top += pages + PAGE;
    }
    char *data = at + pages - room;
    blocks[at] = {pages, bytes, data, device, true, false, true};
    live_bytes += pages;
    live_blocks++;
    mark_margins(blocks[at], at, true);
    *p = data;
    return cudaSuccess;
}

void release(void *p)
{
    block *b = find(p);
    if (!b || b->data != p)
        complain("%p is freed, which no allocation is", p);
    if (!b->live)
        complain("device memory is freed twice");
    char *at = base(b);
    mark_margins(*b, at, false);
    b->live = b->opened = false;
    for (size_t i = 0; i < opened.size(); i++)
        if (opened[i] == b)
            opened.erase(opened.begin() + (long)i--);
    live_bytes -= b->pages;
    live_blocks--;
    mprotect(at, b->pages, PROT_NONE);
    if (b->pages > 1 << 20)
        madvise(at, b->pages, MADV_DONTNEED);
    spare.insert({b->pages, at});
}

void memory_left(size_t *rest, size_t *all)
{
    *rest = LIMIT - live_bytes;
    *all = LIMIT;
}

} // namespace emulator

using namespace emulator;

long agn_emulator_fail(long after, long many)
{
    EMULATOR_ENTER;
    long left = fail_after < 0 ? 0 : fail_many;
    fail_after = after;
    fail_many = many;
    return left;
}
long agn_emulator_live(void)
{
    EMULATOR_ENTER;
    return live_blocks;
}

/* ---- memory of the host that the module takes ------------------------------------------------ */

static std::atomic<long> host_after{-1};

static bool host_fails()
{
    return host_after >= 0 && host_after-- == 0;
}
long agn_emulator_fail_host(long after)
{
    return host_after.exchange(after);
}
extern "C" void *agn_emulator_malloc(size_t n)
{
    return host_fails() ? nullptr : malloc(n);
}
extern "C" void *agn_emulator_calloc(size_t n, size_t size)
{
    return host_fails() ? nullptr : calloc(n, size);
}
