/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The threads of a kernel as fibers of one CPU thread.
 *
 * A fiber runs until it must wait for others: at a barrier of its block, or at a barrier,
 * shuffle, vote or reduction of its warp.  Then the next fiber runs, in rounds, each in a
 * different order; in some rounds only one warp runs, so that a warp can get far ahead of
 * the others.  A whole round without progress of any thread is a deadlock.
 *
 * Launches exclude each other, because a block's shared memory is static.
 */

#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <vector>

#ifndef __x86_64__
#include <ucontext.h>
#endif

#define MAX_THREADS 1024
#define STACK_BYTES ((size_t) 256 << 10)

/* One in this many rounds is preceded by a round of a single warp. */
#define ROUNDS_A_LONE_ONE 4

uint3 kernels_thread;
uint3 kernels_block;
dim3  kernels_block_size;
dim3  kernels_grid_size;


/*  Chance  */

/* From the seed of the whole test, which tests_begin() sets and prints. */
static uint64_t
first_state ()
{
  const char *text  = getenv ("WAVEFRONT_TEST_SEED");
  uint64_t    state = 0;

  for (; text && *text; text++)
    state = state * 31 + (unsigned char) *text;
  return state;
}

uint32_t
kernels_random ()
{
  static std::atomic<uint64_t> state (first_state ());
  uint64_t                     mixed = state += 0x9e3779b97f4a7c15u;

  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return (mixed ^ (mixed >> 31)) >> 32;
}

/* All numbers below @n, in an order determined by @start and @stride. */
struct Order
{
  unsigned int n, start, stride;

  explicit Order (unsigned int n)
    : n (n), start (kernels_random () % n), stride (1 + kernels_random () % n)
  {
    while (std::gcd (stride, n) != 1)
      stride++;
  }

  unsigned int
  operator[] (uint64_t i) const
  {
    return (start + i * stride) % n;
  }
};


/*  Fibers  */

struct Fiber
{
  uint3 thread;
  bool  ended;
#ifdef __x86_64__
  void      *stack;
#else
  ucontext_t context;
#endif
};

static char *stacks;
static void  run_fiber ();

/* With an inaccessible page below each. */
static void
make_stacks ()
{
  stacks = (char *) mmap (NULL, MAX_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED)
    abort ();
  for (size_t i = 0; i < MAX_THREADS; i++)
    mprotect (stacks + i * STACK_BYTES, sysconf (_SC_PAGESIZE), PROT_NONE);
}

#ifdef __x86_64__

extern "C" void kernels_switch (void **from, void *to);

/* Saves and restores the registers that a function must preserve. */
asm (".text\n"
     ".globl kernels_switch\n"
     ".hidden kernels_switch\n"
     ".type kernels_switch, @function\n"
     "kernels_switch:\n"
     "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
     "  movq %rsp, (%rdi)\n"
     "  movq %rsi, %rsp\n"
     "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
     "  ret\n"
     ".size kernels_switch, . - kernels_switch\n");

static void *home;

static void
fiber_init (Fiber *fiber,
            char  *end_of_stack)
{
  void **stack = (void **) (end_of_stack - 64);

  *--stack = NULL;
  *--stack = (void *) run_fiber;
  for (int i = 0; i < 6; i++)
    *--stack = NULL;
  fiber->stack = stack;
}

static void
fiber_enter (Fiber *fiber)
{
  kernels_switch (&home, fiber->stack);
}

static void
fiber_leave (Fiber *fiber)
{
  kernels_switch (&fiber->stack, home);
}

#else

static ucontext_t home;

static void
fiber_init (Fiber *fiber,
            char  *end_of_stack)
{
  const size_t page = sysconf (_SC_PAGESIZE);

  getcontext (&fiber->context);
  fiber->context.uc_stack.ss_sp   = end_of_stack - STACK_BYTES + page;
  fiber->context.uc_stack.ss_size = STACK_BYTES - page;
  fiber->context.uc_link          = NULL;
  makecontext (&fiber->context, run_fiber, 0);
}

static void
fiber_enter (Fiber *fiber)
{
  swapcontext (&home, &fiber->context);
}

static void
fiber_leave (Fiber *fiber)
{
  swapcontext (&fiber->context, &home);
}

#endif


/*  A block  */

/* A meeting of the lanes in @mask; those in @arrived have reached it. */
struct Meeting
{
  uint32_t       mask;
  uint32_t       arrived;
  KernelsMeeting kind;
  uint64_t       round;
  uint64_t       values[32];
  KernelsValues  result;
};

struct Warp
{
  uint32_t             alive;
  std::vector<Meeting> meetings;
};

/* The state of the running block. */
static struct
{
  const KernelsLaunch          *launch;
  const std::function<void ()> *thread;
  std::vector<Fiber>            fibers;
  std::vector<Warp>             warps;
  Fiber                        *running;
  char                         *dynamic;
  uint64_t                      serial;     /* the number of blocks started so far */
  bool                          got_further;

  int                           n_alive;
  int                           n_arrived;  /* at the block's barrier */
  int                           n_true;
  KernelsMeeting                kind;
  uint64_t                      round;
  int                           result;
  int                           n_met;
} block;

static unsigned int
running_index ()
{
  return (unsigned int) (block.running - block.fibers.data ());
}

int
kernels_lane ()
{
  return running_index () % 32;
}

[[noreturn]] static void
fail (const char *what)
{
  const uint3 t = kernels_thread;
  const uint3 b = kernels_block;

  fprintf (stderr, "%s, block %u,%u,%u of %u,%u,%u, thread %u,%u,%u of %u,%u,%u: %s\n",
           block.launch->name, b.x, b.y, b.z, kernels_grid_size.x, kernels_grid_size.y,
           kernels_grid_size.z, t.x, t.y, t.z, kernels_block_size.x, kernels_block_size.y,
           kernels_block_size.z, what);
  abort ();
}

static void
pause_thread ()
{
  fiber_leave (block.running);
}

/* The barrier does not wait for threads that have ended. */
static void
end_barrier_if_all_there ()
{
  if (block.n_alive == 0 || block.n_arrived < block.n_alive)
    return;
  block.result      = block.n_true;
  block.n_met       = block.n_arrived;
  block.n_arrived   = 0;
  block.n_true      = 0;
  block.got_further = true;
  block.round++;
}

static void
end_meeting_if_all_there (const Warp &warp,
                          Meeting    *meeting)
{
  const uint32_t wanted = meeting->mask & warp.alive;

  if (! meeting->arrived || (meeting->arrived & wanted) != wanted)
    return;
  /* the value of a lane that did not take part is undefined: kernels must not depend on it */
  for (int lane = 0; lane < 32; lane++)
    meeting->result.of[lane] = meeting->arrived >> lane & 1 ? meeting->values[lane]
                                                            : 0xa7a7a7a7a7a7a7a7u;
  meeting->result.lanes = meeting->arrived;
  meeting->arrived      = 0;
  meeting->round++;
  block.got_further = true;
}

int
kernels_meet_in_block (KernelsMeeting  kind,
                       bool            value,
                       int            *n_threads)
{
  const uint64_t round = block.round;

  if (block.n_arrived > 0 && block.kind != kind)
    fail ("other threads of the block are at another kind of barrier");
  block.kind    = kind;
  block.n_true += value;
  block.n_arrived++;
  end_barrier_if_all_there ();
  while (block.round == round)
    pause_thread ();
  if (n_threads)
    *n_threads = block.n_met;
  return block.result;
}

static Meeting *
find_meeting (Warp     *warp,
              uint32_t  mask)
{
  for (Meeting &meeting : warp->meetings)
    if (meeting.mask == mask)
      return &meeting;
  if (warp->meetings.size () == warp->meetings.capacity ())
    fail ("too many different masks");
  warp->meetings.push_back (Meeting ());
  warp->meetings.back ().mask = mask;
  return &warp->meetings.back ();
}

const KernelsValues &
kernels_meet_in_warp (KernelsMeeting  kind,
                      uint32_t        mask,
                      uint64_t        value)
{
  Warp          *warp    = &block.warps[running_index () / 32];
  Meeting       *meeting = find_meeting (warp, mask);
  const int      lane    = kernels_lane ();
  const uint64_t round   = meeting->round;

  if (! (mask >> lane & 1))
    fail ("the thread is not in the mask that it gives");
  if (meeting->arrived && meeting->kind != kind)
    fail ("other threads of the warp are in another kind of instruction");
  meeting->kind         = kind;
  meeting->values[lane] = value;
  meeting->arrived     |= 1u << lane;
  end_meeting_if_all_there (*warp, meeting);
  while (meeting->round == round)
    pause_thread ();
  return meeting->result;
}

static void
run_fiber ()
{
  (*block.thread) ();

  Warp *warp = &block.warps[running_index () / 32];

  warp->alive          &= ~(1u << kernels_lane ());
  block.running->ended  = true;
  block.got_further     = true;
  block.n_alive--;
  end_barrier_if_all_there ();
  for (Meeting &meeting : warp->meetings)
    end_meeting_if_all_there (*warp, &meeting);
  pause_thread ();
  abort ();
}

static void
begin_block (uint3 at)
{
  const dim3         size = kernels_block_size;
  const unsigned int n    = size.x * size.y * size.z;

  kernels_block   = at;
  block.n_alive   = n;
  block.n_arrived = 0;
  block.n_true    = 0;
  block.serial++;
  block.fibers.resize (n);
  block.warps.resize ((n + 31) / 32);
  for (Warp &warp : block.warps)
    {
      warp.alive = 0;
      warp.meetings.clear ();
      warp.meetings.reserve (256);
    }
  for (unsigned int i = 0; i < n; i++)
    {
      block.fibers[i].thread       = { i % size.x, i / size.x % size.y, i / size.x / size.y };
      block.fibers[i].ended        = false;
      block.warps[i / 32].alive   |= 1u << i % 32;
      fiber_init (&block.fibers[i], stacks + (i + 1) * STACK_BYTES);
    }
}

/* Runs each of these threads that has not ended, until it waits. */
static void
run_threads (unsigned int first,
             unsigned int n)
{
  const Order order (n);

  for (unsigned int i = 0; i < n; i++)
    {
      Fiber *fiber = &block.fibers[first + order[i]];

      if (fiber->ended)
        continue;
      block.running  = fiber;
      kernels_thread = fiber->thread;
      fiber_enter (fiber);
    }
}

static void
run_block (uint3 at)
{
  const unsigned int n = kernels_block_size.x * kernels_block_size.y * kernels_block_size.z;

  begin_block (at);
  while (block.n_alive > 0)
    {
      if (n > 32 && kernels_random () % ROUNDS_A_LONE_ONE == 0)
        {
          const unsigned int first = kernels_random () % block.warps.size () * 32;

          run_threads (first, n - first < 32 ? n - first : 32);
        }
      block.got_further = false;
      run_threads (0, n);
      if (block.n_alive > 0 && ! block.got_further)
        fail ("deadlock: every thread of the block waits for others");
    }
}


/*  Shared memory  */

/* Fills the memory with a random byte when the first thread of a block reaches it. */
void
kernels_enter_shared (void     *memory,
                      size_t    bytes,
                      uint64_t *owner)
{
  if (*owner == block.serial)
    return;
  *owner = block.serial;
  memset (memory, kernels_random () & 255, bytes);
}

void *
kernels_dynamic_memory ()
{
  return block.dynamic;
}


/*  Time  */

static uint64_t nanoseconds;

/* Each call advances the time by a microsecond. */
uint64_t
kernels_clock ()
{
  return nanoseconds += 1000;
}

void
kernels_sleep ()
{
  nanoseconds       += 100;
  block.got_further  = true;
  pause_thread ();
}


/*  A launch  */

void
kernels_run (const KernelsLaunch          &launch,
             const std::function<void ()> &thread)
{
  static std::mutex           lock;
  std::lock_guard<std::mutex> locked (lock);
  const dim3                  grid = launch.grid;
  const uint64_t              n    = (uint64_t) grid.x * grid.y * grid.z;
  std::vector<char>           dynamic (launch.shared_bytes + 256);

  if (! stacks)
    make_stacks ();
  block.launch       = &launch;
  block.thread       = &thread;
  block.dynamic      = dynamic.data () + (256 - (uintptr_t) dynamic.data () % 256);
  kernels_grid_size  = grid;
  kernels_block_size = launch.block;

  const Order order ((unsigned int) n);

  for (uint64_t i = 0; i < n; i++)
    {
      const unsigned int b = order[i];

      memset (block.dynamic, kernels_random () & 255, launch.shared_bytes);
      run_block ({ b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y });
    }
}
