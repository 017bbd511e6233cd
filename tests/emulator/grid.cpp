/* tests/emulator/grid.cpp - a grid on one processor: block after block, the threads of a block as fibers, which
   change only where they meet. A thread runs until it waits; when all wait, the meeting is over. Blocks and
   threads come in the order of the settings, so that what depends on an order shows. */
#include "runtime.h"

#include <sys/mman.h>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulator {

uint3 thread_index, block_index;
dim3 block_size, grid_size;

enum class reduce { none, count, all, some };

namespace {

/* ---- fibers ---- */

const size_t STACK = 128 << 10, PAGE = 4096;

struct fiber {
    char *stack;
#if defined(__x86_64__)
    void *sp;
#else
    ucontext_t context;
#endif
    void *sanitizer;
};

fiber scheduler;
std::vector<fiber *> idle;

#if defined(__x86_64__)
extern "C" void agn_emulator_switch(void **save, void *to);
asm(".text\n"
    ".globl agn_emulator_switch\n"
    ".hidden agn_emulator_switch\n"
    "agn_emulator_switch:\n"
    " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    " mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
    " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n");
#endif

void change(fiber *from, fiber *to)
{
#if defined(__SANITIZE_ADDRESS__)
    const char *bottom = to->stack;
    __sanitizer_start_switch_fiber(&from->sanitizer, bottom, STACK);
#endif
#if defined(__x86_64__)
    agn_emulator_switch(&from->sp, to->sp);
#else
    swapcontext(&from->context, &to->context);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(from->sanitizer, nullptr, nullptr);
#endif
}

/* ---- the block that runs ---- */

enum class is { fresh, ready, at_barrier, at_warp, done };

struct thread {
    is state;
    unsigned syncs, warp_syncs;
    unsigned mask; /* of the warp's meeting */
    fiber *on;
    uint64_t value;
};

thread threads[1024];
uint64_t seen[1024][32]; /* values of the lanes at a thread's last meeting */
unsigned turn[1024];     /* the order of threads */
unsigned n_threads, now;
uint64_t block_number;
const std::function<void()> *body;
const char *kernel = "";
reduce meeting;
int votes;

void set_thread(unsigned t)
{
    now = t;
    thread_index.x = t;
    if (t >= block_size.x) {
        thread_index.x = t % block_size.x;
        thread_index.y = t / block_size.x % block_size.y;
        thread_index.z = t / block_size.x / block_size.y;
    } else {
        thread_index.y = thread_index.z = 0;
    }
    if (settings().races)
        races_thread(block_number, t, threads[t].syncs, threads[t].warp_syncs);
}

/* a fiber runs one thread to its end, then waits for another */
void fiber_main()
{
#if defined(__SANITIZE_ADDRESS__)
    const void *bottom;
    size_t size;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    scheduler.stack = (char *)bottom + size - STACK;
#endif
    for (;;) {
        (*body)();
        threads[now].state = is::done;
        change(threads[now].on, &scheduler);
    }
}

fiber *take_fiber()
{
    if (!idle.empty()) {
        fiber *f = idle.back();
        idle.pop_back();
        return f;
    }
    fiber *f = new fiber();
    char *room = (char *)mmap(nullptr, STACK + PAGE, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        complain("no stack for a thread");
    mprotect(room, PAGE, PROT_NONE); /* a stack ends there */
    f->stack = room + PAGE;
#if defined(__x86_64__)
    void **p = (void **)(f->stack + STACK);
    *--p = nullptr; /* where fiber_main would return to: it does not */
    *--p = (void *)fiber_main;
    for (int i = 0; i < 6; i++)
        *--p = nullptr;
    f->sp = p;
#else
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    makecontext(&f->context, fiber_main, 0);
#endif
    return f;
}

void wait_as(is state)
{
    unsigned me = now;
    threads[me].state = state;
    change(threads[me].on, &scheduler);
}

unsigned waiting, done; /* of the threads of the block */

/* runs every thread that can; false: none could */
bool run_ready()
{
    bool any = false;
    waiting = done = 0;
    for (unsigned k = 0; k < n_threads; k++) {
        thread &t = threads[turn[k]];
        if (t.state != is::fresh && t.state != is::ready) {
            waiting += t.state == is::at_barrier;
            done += t.state == is::done;
            continue;
        }
        any = true;
        if (t.state == is::fresh)
            t.on = take_fiber();
        set_thread(turn[k]);
        t.state = is::ready;
        change(&scheduler, t.on);
        waiting += t.state == is::at_barrier;
        if (t.state == is::done) {
            done++;
            idle.push_back(t.on);
        }
    }
    return any && waiting + done < n_threads;
}

void run_block()
{
    for (unsigned t = 0; t < n_threads; t++) {
        threads[t].state = is::fresh;
        threads[t].syncs = threads[t].warp_syncs = 0;
    }
    votes = 0;
    for (;;) {
        while (run_ready())
            ;
        if (done == n_threads)
            return;
        if (waiting != n_threads)
            complain("%s: of %u threads of block %llu, %u wait at a barrier, %u in a warp, %u have left", kernel,
                     n_threads, (unsigned long long)block_number, waiting, n_threads - waiting - done,
                     done);
        if (meeting == reduce::all)
            votes = votes == (int)n_threads;
        if (meeting == reduce::some)
            votes = votes > 0;
        for (unsigned t = 0; t < n_threads; t++) {
            threads[t].state = is::ready;
            threads[t].syncs++;
            threads[t].value = (uint64_t)votes;
        }
        votes = 0;
    }
}

/* ---- shared memory: a region that ends at a page nobody may touch ---- */

const size_t SHARED = 256 << 10, STATIC = 48 << 10; /* what kernels may declare */
char *shared_room;
size_t shared_used, dynamic_bytes, shared_most;
struct variable {
    const void *which;
    char *at;
};
std::vector<variable> variables;

void begin_kernel(size_t dynamic, size_t most)
{
    if (!shared_room) {
        shared_room = (char *)mmap(nullptr, SHARED + PAGE, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(shared_room + SHARED, PAGE, PROT_NONE);
        races_shared(shared_room, shared_room + SHARED);
        races_poison(shared_room, SHARED, true);
    }
    races_poison(shared_room, shared_used, true); /* of the kernel before */
    races_poison(shared_room + SHARED - dynamic_bytes, dynamic_bytes, true);
    dynamic_bytes = (dynamic + 15) / 16 * 16;
    shared_most = most;
    shared_used = 0;
    variables.clear();
    races_poison(shared_room + SHARED - dynamic_bytes, dynamic, false);
}
void begin_block()
{
    memset(shared_room, 0xff, shared_used);
    memset(shared_room + SHARED - dynamic_bytes, 0xff, dynamic_bytes);
}

/* a permutation of n that visits neighbours far apart: multiples of a number without common divisor */
uint64_t place(uint64_t k, uint64_t n)
{
    if (settings().threads == order::forward || n < 2)
        return k;
    if (settings().threads == order::reverse)
        return n - 1 - k;
    uint64_t step = n / 2 + n / 7 + 1;
    while (std::gcd(step, n) != 1)
        step++;
    return (n / 3 + k % n * step) % n;
}

} // namespace

void *dynamic_shared()
{
    return shared_room + SHARED - dynamic_bytes;
}

void *shared_memory(const void *which, size_t bytes, size_t align)
{
    for (variable &v : variables)
        if (v.which == which)
            return v.at;
    align = align < 16 ? 16 : align;
    size_t at = (shared_used + 16 + align - 1) / align * align; /* 16 bytes between neighbours */
    size_t most = shared_most - dynamic_bytes < STATIC ? shared_most - dynamic_bytes : STATIC;
    if (at + bytes > most)
        complain("%s: more than %zu bytes of shared memory beside the %zu of its launch", kernel,
                 most, dynamic_bytes);
    shared_used = at + bytes;
    memset(shared_room + at, 0xff, bytes);
    races_poison(shared_room + at, bytes, false);
    variables.push_back({which, shared_room + at});
    return shared_room + at;
}

int block_meet(reduce how, int value)
{
    meeting = how;
    votes += value;
    wait_as(is::at_barrier);
    return (int)threads[now].value;
}

unsigned lane()
{
    return now % 32;
}
unsigned active_lanes()
{
    unsigned first = now / 32 * 32, mask = 0;
    for (unsigned l = 0; l < 32 && first + l < n_threads; l++)
        mask |= threads[first + l].state != is::done ? 1u << l : 0;
    return mask;
}

const uint64_t *warp_meet(unsigned mask, uint64_t value)
{
    unsigned me = now, first = me / 32 * 32;
    thread &t = threads[me];
    if (!(mask >> (me - first) & 1))
        complain("%s: thread %u meets under the mask %08x, in which it is not", kernel, me, mask);
    t.mask = mask;
    t.value = value;
    bool all = true;
    for (unsigned l = 0; l < 32; l++) {
        if (!(mask >> l & 1))
            continue;
        if (first + l >= n_threads)
            complain("%s: mask %08x names lane %u, which the block has not", kernel, mask, l);
        thread &o = threads[first + l];
        if (o.state == is::done)
            complain("%s: mask %08x names lane %u, which has left", kernel, mask, l);
        all = all && (first + l == me || (o.state == is::at_warp && o.mask == mask));
    }
    if (!all) {
        wait_as(is::at_warp);
        return seen[me];
    }
    for (unsigned l = 0; l < 32; l++) {
        if (!(mask >> l & 1))
            continue;
        thread &o = threads[first + l];
        for (unsigned k = 0; k < 32; k++)
            seen[first + l][k] = mask >> k & 1 ? threads[first + k].value : ~(uint64_t)0;
        o.warp_syncs++;
        if (first + l != me)
            o.state = is::ready;
    }
    set_thread(me);
    return seen[me];
}

void run_grid(const char *name, dim3 grid, dim3 block, size_t shared, size_t most,
              const std::function<void()> &f)
{
    block_size = block;
    grid_size = grid;
    n_threads = block.x * block.y * block.z;
    kernel = name;
    body = &f;
    for (unsigned k = 0; k < n_threads; k++)
        turn[k] = (unsigned)place(k, n_threads);
    begin_kernel(shared, most);
    if (settings().races)
        races_begin(name);
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    for (uint64_t i = 0; i < blocks; i++) {
        block_number = place(i, blocks);
        block_index.x = (unsigned)(block_number % grid.x);
        block_index.y = (unsigned)(block_number / grid.x % grid.y);
        block_index.z = (unsigned)(block_number / grid.x / grid.y);
        begin_block();
        run_block();
    }
    if (settings().races)
        races_end();
}

} // namespace emulator
