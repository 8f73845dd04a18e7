#include "oracle/sharing.hpp"

#include "oracle/memory.hpp"

#include <algorithm>
#include <vector>

namespace gdsim::oracle {
namespace {

constexpr Int128 kUnit = 1 << 20;

Int128 divide_up(Int128 amount, Int128 by) { return (amount + by - 1) / by; }

/// What is left becomes what is left now.
void settle(Share& share, Time now) {
  const Int128 elapsed = now - share.since;
  share.left -= divide_up(elapsed * kUnit * share.rate.numerator(), share.rate.denominator());
  share.since = now;
}

/// Equal parts of `width` for so many, none more than 1.
Fraction equal_part(std::uint32_t width, std::uint64_t members) {
  return members <= width ? Fraction(1, 1) : Fraction(width, members);
}

/// Both share the same issue slots, banks or memory.
bool share_one(const World& world, const Thread& a, const Thread& b) {
  if (a.share.kind != b.share.kind) return false;
  if (a.share.kind == Shared::memory || a.share.kind == Shared::atomics) return true;
  if (a.core != b.core) return false;
  return a.share.kind == Shared::slm || a.engine / world.device.fused_engines == b.engine / world.device.fused_engines;
}

std::vector<Thread*> sharing_threads(World& world) {
  std::vector<Thread*> threads;
  world.for_each_resident([&](Group&, Thread& thread) {
    if (thread.state == Thread::State::sharing) threads.push_back(&thread);
  });
  return threads;
}

const Group& group_of(World& world, const Thread& thread) {
  const Group* found = nullptr;
  world.for_each_resident([&](Group& group, const Thread& other) {
    if (&other == &thread) found = &group;
  });
  return *found;
}

/// Those that share the same as this thread, itself included.
std::vector<Thread*> sharers_with(World& world, const Thread& thread) {
  std::vector<Thread*> sharers = sharing_threads(world);
  std::erase_if(sharers, [&](const Thread* other) { return !share_one(world, thread, *other); });
  return sharers;
}

/// The engines whose slots the thread shares: the last ones may be fewer than `fused_engines`.
std::uint32_t width_of(const World& world, const Thread& thread) {
  if (thread.share.kind != Shared::issue) return 1;
  const std::uint32_t fused = world.device.fused_engines;
  const auto first = static_cast<std::uint32_t>(thread.engine) / fused * fused;
  return std::min(fused, world.device.engines_per_core - first);
}

void set_rates(World& world, const Thread& thread) {
  const std::vector<Thread*> sharers = sharers_with(world, thread);
  for (Thread* sharer : sharers) sharer->share.rate = equal_part(width_of(world, *sharer), sharers.size());
  if (thread.share.kind == Shared::memory) set_memory_rates(world);
}

}  // namespace

void begin_sharing(World& world, Thread& thread, Shared kind, std::int64_t amount) {
  thread.state = Thread::State::sharing;
  thread.share.kind = kind;
  thread.share.left = Int128{amount} * kUnit;
  thread.share.rate = {};
  thread.share.since = world.now;
  thread.share.tail = 0;
  for (Thread* sharer : sharers_with(world, thread)) settle(sharer->share, world.now);
  set_rates(world, thread);
}

Time end_of_share(const Share& share) {
  const Int128 rest = divide_up(share.left * share.rate.denominator(), kUnit * share.rate.numerator());
  return share.since + static_cast<Time>(std::max<Int128>(rest, 1));
}

bool shares_are_used_up(World& world) {
  const std::vector<Thread*> threads = sharing_threads(world);
  const auto due = std::find_if(threads.begin(), threads.end(),
                                [&](const Thread* thread) { return end_of_share(thread->share) == world.now; });
  if (due == threads.end()) return false;
  for (Thread* sharer : sharers_with(world, **due)) {
    settle(sharer->share, world.now);
    if (sharer->share.left > 0) continue;
    sharer->state = Thread::State::busy;
    sharer->until = world.now + sharer->share.tail;
    if (sharer->share.kind == Shared::memory)
      sharer->until = world.now + memory_latency(world, group_of(world, *sharer));
  }
  set_rates(world, **due);
  return true;
}

void working_set_changes(World& world) {
  for (Thread* thread : sharing_threads(world))
    if (thread->share.kind == Shared::memory) settle(thread->share, world.now);
  set_memory_rates(world);
}

}  // namespace gdsim::oracle
