#include "oracle/sharing.hpp"

#include "oracle/clocks.hpp"
#include "oracle/instructions.hpp"
#include "oracle/memory.hpp"

#include <algorithm>
#include <vector>

namespace gdsim::oracle {
namespace {

constexpr Int128 kUnit = 1 << 20;

Int128 divide_up(Int128 amount, Int128 by) { return (amount + by - 1) / by; }

/// Updates the remaining work to `now`.
void settle(Share& share, Time now) {
  const Int128 elapsed = now - share.since;
  const Int128 served = divide_up(elapsed * kUnit * share.rate.numerator(), share.rate.denominator());
  share.served += std::min(served, std::max<Int128>(share.left, 0));
  share.left -= served;
  share.since = now;
}

/// A thread that shares a resource, or one of its loads or stores.
struct Sharer {
  const Group* group;
  Thread* thread;
  Load* load;            ///< null: the thread's own step
  Work* work = nullptr;  ///< of this step, if it has several
  bool is_store = false;

  Share& share() const { return load != nullptr ? load->share : work != nullptr ? work->share : thread->share; }
};

/// Returns true if both share the same issue slots, banks or memory.
bool share_one(const World& world, const Sharer& a, const Sharer& b) {
  const Shared kind = a.share().kind;
  if (kind != b.share().kind || a.share().pipe != b.share().pipe) return false;
  if (kind == Shared::memory || kind == Shared::atomics) return true;
  if (a.share().pipe == kOwnChain) return a.thread == b.thread;
  if (a.thread->core != b.thread->core) return false;
  const std::size_t fused = world.device.fused_engines;
  return kind == Shared::slm || a.thread->engine / fused == b.thread->engine / fused;
}

std::vector<Sharer> all_sharers(World& world) {
  std::vector<Sharer> sharers;
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::sharing && thread.works.empty()) sharers.push_back({&group, &thread, nullptr});
    for (Work& work : thread.works)
      if (!work.done) sharers.push_back({&group, &thread, nullptr, &work});
    for (Load& load : thread.loads)
      if (!load.back) sharers.push_back({&group, &thread, &load});
  });
  for (Store& store : world.stores)
    if (!store.load.back) sharers.push_back({store.group, store.thread, &store.load, nullptr, true});
  return sharers;
}

/// Counts waiting: the whole picoseconds that were served are execution; the rest of the time was waiting.
void count_waiting(World& world, const Sharer& sharer) {
  const Share& share = sharer.share();
  const std::size_t kernel = index_of(world.launch(sharer.group->launch).as_kernel().kernel);
  world.waited[{sharer.thread->core, kernel}][share.kind] += world.now - share.begun - divide_up(share.served, kUnit);
}

Int128 longest_served(const Thread& thread) {
  Int128 longest = 0;
  for (const Work& work : thread.works) longest = std::max(longest, work.share.served);
  return longest;
}

/// Counts waiting for a finished step of several works.
void count_waiting_for_works(World& world, const Sharer& sharer) {
  const Thread& thread = *sharer.thread;
  const std::size_t kernel = index_of(world.launch(sharer.group->launch).as_kernel().kernel);
  const bool is_l1_last = std::all_of(thread.works.begin(), thread.works.end(), [&](const Work& work) {
    return (work.share.kind == Shared::slm) == (*work.done == world.now);
  });
  world.waited[{thread.core, kernel}][is_l1_last ? Shared::slm : Shared::issue] +=
      world.now - thread.works.front().share.begun - divide_up(longest_served(thread), kUnit);
}

/// Counts waiting for a step that is not over at the end of the run: the whole picoseconds that were served are
/// execution. If it has several works, the thread has waited for the unfinished ones, for L1 only if no other is left.
void count_waiting_so_far(World& world, const Thread& thread, const Group& group) {
  const std::size_t kernel = index_of(world.launch(group.launch).as_kernel().kernel);
  const bool has_works = !thread.works.empty();
  const bool is_issue_left = std::any_of(thread.works.begin(), thread.works.end(), [](const Work& work) {
    return work.share.kind == Shared::issue && !work.done;
  });
  const Int128 served = has_works ? longest_served(thread) : thread.share.served;
  const Shared left = !has_works ? thread.share.kind : is_issue_left ? Shared::issue : Shared::slm;
  const Time begun = has_works ? thread.works.front().share.begun : thread.share.begun;
  if (left == Shared::issue || left == Shared::slm)
    world.waited[{thread.core, kernel}][left] += world.now - begun - served / kUnit;
}

/// Returns the sharers of this one's resource, itself included.
std::vector<Sharer> sharers_with(World& world, const Sharer& one) {
  std::vector<Sharer> sharers = all_sharers(world);
  std::erase_if(sharers, [&](const Sharer& other) { return !share_one(world, one, other); });
  return sharers;
}

/// For issue slots, returns the engines whose slots the thread shares: the last ones may be fewer than `fused_engines`.
/// For SLM, returns the accesses that are served side by side.
std::uint32_t width_of(const World& world, const Sharer& sharer) {
  const Shared kind = sharer.share().kind;
  if (kind == Shared::slm && sharer.share().pipe == kOwnL1) return 1;
  if (kind == Shared::slm) return world.device.slm_access ? world.device.slm_access->accesses_per_cycle : 1;
  if (kind != Shared::issue) return 1;
  const std::uint32_t fused = world.device.fused_engines;
  const auto first = static_cast<std::uint32_t>(sharer.thread->engine) / fused * fused;
  return std::min(fused, world.device.engines_per_core - first);
}

/// Shares the width by weights, at most 1 for each; the others share the rest.
void share_width(const World& world, std::vector<Sharer> sharers) {
  if (sharers.empty()) return;
  std::int64_t left = width_of(world, sharers.front());
  while (!sharers.empty()) {
    std::int64_t weights = 0;
    for (const Sharer& sharer : sharers) weights += sharer.share().weight;
    for (const Sharer& sharer : sharers)
      sharer.share().rate = Fraction(static_cast<UInt128>(sharer.share().weight * left), static_cast<UInt128>(weights));
    std::vector<Sharer> others;
    for (const Sharer& sharer : sharers) {
      if (sharer.share().rate < Fraction(1, 1)) {
        others.push_back(sharer);
      } else {
        sharer.share().rate = Fraction(1, 1);
        --left;
      }
    }
    if (others.size() == sharers.size()) return;
    sharers = others;
  }
}

void set_rates(World& world, const std::vector<Sharer>& sharers, Shared kind) {
  if (kind == Shared::memory) return set_memory_rates(world);
  share_width(world, sharers);
}

void begin_sharing(World& world, const Sharer& sharer, Shared kind, std::int64_t amount) {
  Share& share = sharer.share();
  share.kind = kind;
  share.left = Int128{amount} * kUnit;
  share.rate = {};
  share.since = share.begun = world.now;
  share.served = 0;
  share.tail = Lengths(world.device_by_clock.size(), 0);
  const std::vector<Sharer> sharers = sharers_with(world, sharer);
  for (const Sharer& other : sharers) settle(other.share(), world.now);
  set_rates(world, sharers, kind);
}

}  // namespace

void begin_memory(World& world, Thread& thread, std::int64_t bytes) {
  thread.state = Thread::State::sharing;
  begin_sharing(world, {nullptr, &thread, nullptr}, Shared::memory, bytes);
}

void begin_sharing(World& world, Thread& thread, Shared kind, const Lengths& work) {
  thread.state = Thread::State::sharing;
  thread.share.work = work;
  begin_sharing(world, {nullptr, &thread, nullptr}, kind, work[world.clock]);
}

void begin_works(World& world, Thread& thread, std::vector<Work> works) {
  thread.state = Thread::State::sharing;
  thread.share.tail = Lengths(world.device_by_clock.size(), 0);
  thread.works = std::move(works);
  for (Work& work : thread.works) work.done = world.now;  // it does not share yet
  for (Work& work : thread.works) {
    work.done.reset();
    begin_sharing(world, {nullptr, &thread, nullptr, &work}, work.share.kind, work.share.work[world.clock]);
  }
}

void begin_load(World& world, Thread& thread, Load& load, std::int64_t amount) {
  begin_sharing(world, {nullptr, &thread, &load}, Shared::memory, amount);
}

Time end_of_share(const Share& share) {
  const Int128 rest = divide_up(share.left * share.rate.denominator(), kUnit * share.rate.numerator());
  return share.since + static_cast<Time>(std::max<Int128>(rest, 1));
}

bool shares_are_used_up(World& world) {
  const std::vector<Sharer> all = all_sharers(world);
  const auto due = std::find_if(all.begin(), all.end(),
                                [&](const Sharer& sharer) { return end_of_share(sharer.share()) == world.now; });
  if (due == all.end()) return false;
  const Shared kind = due->share().kind;
  std::vector<Sharer> left;
  for (const Sharer& sharer : sharers_with(world, *due)) {
    settle(sharer.share(), world.now);
    if (sharer.share().left > 0) {
      left.push_back(sharer);
      continue;
    }
    if (sharer.work != nullptr) {
      std::vector<Work>& works = sharer.thread->works;
      sharer.work->done = world.now;
      if (!std::all_of(works.begin(), works.end(), [](const Work& work) { return work.done.has_value(); })) continue;
      count_waiting_for_works(world, sharer);
      works.clear();
    } else if (kind == Shared::issue || kind == Shared::slm) {
      count_waiting(world, sharer);
    }
    const Lengths tail = sharer.is_store          ? Lengths(world.device_by_clock.size(), 0)
                         : kind == Shared::memory ? memory_latency(world, *sharer.group, *sharer.thread)
                                                  : sharer.thread->share.tail;
    if (sharer.load != nullptr) {
      sharer.load->back = end_of(world, world.now, tail);
    } else {
      sharer.thread->state = Thread::State::busy;
      sharer.thread->until = end_of(world, world.now, tail);
      sharer.thread->is_answered_then = kind == Shared::memory;
    }
  }
  set_rates(world, left, kind);
  return true;
}

void count_unfinished_waiting(World& world) {
  for (const Sharer& sharer : all_sharers(world)) settle(sharer.share(), world.now);
  world.for_each_resident([&](Group& group, Thread& thread) {
    if (thread.state == Thread::State::sharing) count_waiting_so_far(world, thread, group);
  });
}

void rescale_shares(World& world, std::size_t before, std::size_t after) {
  for (const Sharer& sharer : all_sharers(world)) {
    Share& share = sharer.share();
    settle(share, world.now);
    if (share.kind == Shared::memory) continue;
    share.left = divide_up(std::max<Int128>(share.left, 0) * share.work[after], share.work[before]);
  }
  set_memory_rates(world);
}

void working_set_changes(World& world) {
  for (const Sharer& sharer : all_sharers(world))
    if (sharer.share().kind == Shared::memory) settle(sharer.share(), world.now);
  set_memory_rates(world);
}

}  // namespace gdsim::oracle
