/* tests/emulator/grid.cpp - a grid on one processor: block after block, the threads of a block as fibers, which
   change only where they meet. A thread runs until it waits; when all wait, the meeting is over. Blocks and
   threads come in the order of the settings, so that what depends on an order shows. The blocks of a cooperative launch
   are all there: where a thread of one sleeps, because it waits for others, these come to run. */
#include "runtime.h"

#include <sys/mman.h>
#include <cstdlib>
#include <cstring>
#include <memory>
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

enum class is { fresh, ready, at_barrier, at_warp, asleep, done };

struct thread {
    is state;
    unsigned syncs, warp_syncs;
    unsigned mask; /* of the warp's meeting */
    fiber *on;
    uint64_t value;
};

/* shared memory: a region that ends at a page nobody may touch */
const size_t SHARED = 256 << 10, STATIC = 48 << 10; /* what kernels may declare */
const size_t TOGETHER = 64;                         /* blocks */

struct block {
    thread threads[1024];
    uint64_t seen[1024][32]; /* values of the lanes at a thread's last meeting */
    uint64_t number;
    uint3 index;
    char *shared;
    reduce meeting;
    int votes;
    unsigned waiting, asleep, done; /* of its threads */
};

std::vector<std::unique_ptr<block>> blocks; /* those that are there are the first */
size_t n_here;
block *here;
unsigned turn[1024]; /* the order of threads */
unsigned n_threads, now;
const std::function<void()> *body;
const char *kernel = "";
bool together;

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
        races_thread(here->number, t, here->threads[t].syncs, here->threads[t].warp_syncs);
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
        here->threads[now].state = is::done;
        change(here->threads[now].on, &scheduler);
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
    thread &t = here->threads[now];
    t.state = state;
    change(t.on, &scheduler);
}

/* runs every thread that can, those asleep where they are to wake; false: none could */
bool run_ready(bool wake, bool *went_on)
{
    block &b = *here;
    bool any = false;
    b.waiting = b.asleep = b.done = 0;
    for (unsigned k = 0; k < n_threads; k++) {
        thread &t = b.threads[turn[k]];
        if (t.state == is::fresh || t.state == is::ready || (wake && t.state == is::asleep)) {
            bool slept = t.state == is::asleep;
            if (t.state == is::fresh)
                t.on = take_fiber();
            set_thread(turn[k]);
            t.state = is::ready;
            change(&scheduler, t.on);
            if (t.state == is::done)
                idle.push_back(t.on);
            any = any || t.state != is::asleep;
            *went_on = *went_on || !slept || t.state != is::asleep;
        }
        b.waiting += t.state == is::at_barrier;
        b.asleep += t.state == is::asleep;
        b.done += t.state == is::done;
    }
    return any && b.waiting + b.done < n_threads;
}

/* runs the block until it has ended or waits for another; did it go on? */
bool run_block()
{
    block &b = *here;
    bool went_on = false, wake = true;
    block_index = b.index;
    for (;;) {
        while (run_ready(wake, &went_on))
            wake = false;
        if (b.done == n_threads || (b.asleep && b.waiting + b.asleep + b.done == n_threads))
            return went_on;
        if (b.waiting != n_threads)
            complain("%s: of %u threads of block %llu, %u wait at a barrier, %u in a warp, %u have left", kernel,
                     n_threads, (unsigned long long)b.number, b.waiting,
                     n_threads - b.waiting - b.asleep - b.done, b.done);
        if (b.meeting == reduce::all)
            b.votes = b.votes == (int)n_threads;
        if (b.meeting == reduce::some)
            b.votes = b.votes > 0;
        for (unsigned t = 0; t < n_threads; t++) {
            b.threads[t].state = is::ready;
            b.threads[t].syncs++;
            b.threads[t].value = (uint64_t)b.votes;
        }
        b.votes = 0;
    }
}

/* ---- shared memory ---- */

char *shared_room; /* of all blocks that are there */
size_t shared_used, dynamic_bytes, shared_most;
struct variable {
    const void *which;
    size_t at;
};
std::vector<variable> variables;

void make_shared_room()
{
    const size_t each = SHARED + PAGE, all = TOGETHER * each;
    shared_room = (char *)mmap(nullptr, all, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t k = 0; k < TOGETHER; k++)
        mprotect(shared_room + k * each + SHARED, PAGE, PROT_NONE);
    races_shared(shared_room, shared_room + all);
}
/* bytes that a block may touch: variables that it meets, and the last of its room */
void poison_shared(char *room, bool all)
{
    races_poison(room, all ? SHARED : shared_used, true);
    races_poison(room + SHARED - dynamic_bytes, dynamic_bytes, true);
}
void begin_kernel(size_t n_blocks, size_t dynamic, size_t most)
{
    if (!shared_room)
        make_shared_room();
    for (size_t k = 0; k < n_here; k++) /* of the kernel before */
        poison_shared(blocks[k]->shared, false);
    n_here = n_blocks;
    while (blocks.size() < n_blocks) {
        blocks.emplace_back(new block());
        blocks.back()->shared = shared_room + (blocks.size() - 1) * (SHARED + PAGE);
        poison_shared(blocks.back()->shared, true);
    }
    dynamic_bytes = (dynamic + 15) / 16 * 16;
    shared_most = most;
    shared_used = 0;
    variables.clear();
    for (size_t k = 0; k < n_blocks; k++)
        races_poison(blocks[k]->shared + SHARED - dynamic_bytes, dynamic, false);
}
void begin_block(block *b, uint64_t number, dim3 grid)
{
    here = b;
    b->number = number;
    b->index.x = (unsigned)(number % grid.x);
    b->index.y = (unsigned)(number / grid.x % grid.y);
    b->index.z = (unsigned)(number / grid.x / grid.y);
    memset(b->shared, 0xff, shared_used);
    memset(b->shared + SHARED - dynamic_bytes, 0xff, dynamic_bytes);
    for (unsigned t = 0; t < n_threads; t++) {
        b->threads[t].state = is::fresh;
        b->threads[t].syncs = b->threads[t].warp_syncs = 0;
    }
    b->votes = 0;
    b->done = 0;
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
    return here->shared + SHARED - dynamic_bytes;
}

void *shared_memory(const void *which, size_t bytes, size_t align)
{
    for (variable &v : variables)
        if (v.which == which)
            return here->shared + v.at;
    align = align < 16 ? 16 : align;
    size_t at = (shared_used + 16 + align - 1) / align * align; /* 16 bytes between neighbours */
    size_t most = shared_most - dynamic_bytes < STATIC ? shared_most - dynamic_bytes : STATIC;
    if (at + bytes > most)
        complain("%s: more than %zu bytes of shared memory beside the %zu of its launch", kernel,
                 most, dynamic_bytes);
    shared_used = at + bytes;
    for (size_t k = 0; k < n_here; k++) {
        memset(blocks[k]->shared + at, 0xff, bytes);
        races_poison(blocks[k]->shared + at, bytes, false);
    }
    variables.push_back({which, at});
    return here->shared + at;
}

int block_meet(reduce how, int value)
{
    here->meeting = how;
    here->votes += value;
    wait_as(is::at_barrier);
    return (int)here->threads[now].value;
}
void sleep()
{
    if (!together)
        complain("%s: block %llu waits for another, which need not run at the same time", kernel,
                 (unsigned long long)here->number);
    wait_as(is::asleep);
}

unsigned lane()
{
    return now % 32;
}
unsigned active_lanes()
{
    unsigned first = now / 32 * 32, mask = 0;
    for (unsigned l = 0; l < 32 && first + l < n_threads; l++)
        mask |= here->threads[first + l].state != is::done ? 1u << l : 0;
    return mask;
}

const uint64_t *warp_meet(unsigned mask, uint64_t value)
{
    unsigned me = now, first = me / 32 * 32;
    thread &t = here->threads[me];
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
        thread &o = here->threads[first + l];
        if (o.state == is::done)
            complain("%s: mask %08x names lane %u, which has left", kernel, mask, l);
        all = all && (first + l == me || (o.state == is::at_warp && o.mask == mask));
    }
    if (!all) {
        wait_as(is::at_warp);
        return here->seen[me];
    }
    for (unsigned l = 0; l < 32; l++) {
        if (!(mask >> l & 1))
            continue;
        thread &o = here->threads[first + l];
        for (unsigned k = 0; k < 32; k++)
            here->seen[first + l][k] = mask >> k & 1 ? here->threads[first + k].value : ~(uint64_t)0;
        o.warp_syncs++;
        if (first + l != me)
            o.state = is::ready;
    }
    set_thread(me);
    return here->seen[me];
}

/* blocks of one launch, in turns */
static void run_together(dim3 grid, uint64_t n)
{
    if (n > TOGETHER)
        complain("%s: %llu blocks at once", kernel, (unsigned long long)n);
    for (uint64_t i = 0; i < n; i++)
        begin_block(blocks[i].get(), place(i, n), grid);
    for (uint64_t left = n; left;) {
        bool went_on = false;
        left = n;
        for (uint64_t i = 0; i < n; i++) {
            here = blocks[i].get();
            went_on = (here->done < n_threads && run_block()) || went_on;
            left -= here->done == n_threads;
        }
        if (left && !went_on)
            complain("%s: %llu blocks wait, and none goes on", kernel, (unsigned long long)left);
    }
}

void run_grid(const char *name, dim3 grid, dim3 size, size_t shared, size_t most, bool at_once,
              const std::function<void()> &f)
{
    block_size = size;
    grid_size = grid;
    n_threads = size.x * size.y * size.z;
    kernel = name;
    body = &f;
    together = at_once;
    for (unsigned k = 0; k < n_threads; k++)
        turn[k] = (unsigned)place(k, n_threads);
    uint64_t n = (uint64_t)grid.x * grid.y * grid.z;
    begin_kernel(together ? n : 1, shared, most);
    if (settings().races)
        races_begin(name, together);
    if (together)
        run_together(grid, n);
    for (uint64_t i = 0; !together && i < n; i++) {
        begin_block(blocks[0].get(), place(i, n), grid);
        (void)run_block();
    }
    if (settings().races)
        races_end();
}

} // namespace emulator
