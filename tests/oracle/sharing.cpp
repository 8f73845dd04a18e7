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

/// Both use the same issue slots or banks.
bool meet(const World& world, const Thread& a, const Thread& b) {
  if (a.share.kind != b.share.kind || a.core != b.core) return false;
  return a.share.kind == Shared::slm || a.engine / world.device.fused_engines == b.engine / world.device.fused_engines;
}

std::vector<Thread*> sharing_threads(World& world) {
  std::vector<Thread*> threads;
  world.for_each_resident([&](Group&, Thread& thread) {
    if (thread.state == Thread::State::sharing) threads.push_back(&thread);
  });
  return threads;
}

/// The engines whose slots the thread shares: the last ones may be fewer than `fused_engines`.
std::uint32_t width_of(const World& world, const Thread& thread) {
  if (thread.share.kind == Shared::slm) return 1;
  const std::uint32_t fused = world.device.fused_engines;
  const auto first = static_cast<std::uint32_t>(thread.engine) / fused * fused;
  return std::min(fused, world.device.engines_per_core - first);
}

}  // namespace

void begin_sharing(World& world, Thread& thread, Shared kind, std::int64_t amount) {
  thread.state = Thread::State::sharing;
  thread.share = {kind, Int128{amount} * kUnit, {}, world.now, 0, thread.share.step_bytes};
  set_rates(world);
}

Time end_of_share(const Share& share) {
  const Int128 rest = divide_up(share.left * share.rate.denominator(), kUnit * share.rate.numerator());
  return share.since + static_cast<Time>(std::max<Int128>(rest, 1));
}

bool shares_are_used_up(World& world) {
  bool any = false;
  for (Thread* thread : sharing_threads(world)) {
    if (end_of_share(thread->share) != world.now) continue;
    thread->state = Thread::State::busy;
    thread->until = world.now + thread->share.tail;
    any = true;
  }
  if (any) set_rates(world);
  return any;
}

void set_rates(World& world) {
  const std::vector<Thread*> threads = sharing_threads(world);
  const std::map<const Thread*, Fraction> memory = memory_rates(world);
  for (Thread* thread : threads) {
    Fraction rate;
    if (thread->share.kind == Shared::memory) {
      rate = memory.at(thread);
    } else {
      const auto members = std::count_if(threads.begin(), threads.end(),
                                         [&](const Thread* other) { return meet(world, *thread, *other); });
      rate = equal_part(width_of(world, *thread), static_cast<std::uint64_t>(members));
    }
    if (rate == thread->share.rate) continue;
    settle(thread->share, world.now);
    thread->share.rate = rate;
  }
}

}  // namespace gdsim::oracle
