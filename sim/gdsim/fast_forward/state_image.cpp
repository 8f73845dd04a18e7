#include <gdsim/fast_forward/state_image.hpp>

#include <gdsim/program/program_plan.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

static_assert(StateImage::Loops::kDepths == kMaxLoops);

void StateImage::clear(SimTime now) {
  time = now;
  dispatched.clear();
  words.clear();
  phases.clear();
  loops.clear();
}

ImageVisitor::ImageVisitor(SimTime now, StateImage& image) : image_(image) { image.clear(now); }

void ImageVisitor::dispatched(LaunchId launch, std::uint64_t& count, std::uint64_t& number) {
  const auto place = std::lower_bound(image_.dispatched.begin(), image_.dispatched.end(), launch,
                                      [](const GroupCount& known, LaunchId other) { return known.launch < other; });
  image_.dispatched.insert(place, {launch, count, number});
}

void ImageVisitor::counted(LaunchId launch, std::uint64_t& count) {
  image_.words.add(count_of(image_.dispatched, launch) - count);
}

void ImageVisitor::ordinal(LaunchId launch, std::uint64_t& number) {
  image_.words.add(number_of(image_.dispatched, launch) - number);
}

void ImageVisitor::iterations(LaunchId launch, std::span<std::uint64_t> done, std::span<const std::uint64_t> counts,
                              std::uint64_t key) {
  StateImage::Loops loops;
  loops.launch = launch;
  loops.key = key;
  std::copy(done.begin(), done.end(), loops.done.begin());
  std::copy(counts.begin(), counts.end(), loops.counts.begin());
  image_.loops.push_back(loops);
}

bool Period::moves_groups() const {
  return std::any_of(shift.work_groups.begin(), shift.work_groups.end(),
                     [](const GroupCount& count) { return count.work_groups > 0; });
}

namespace {

/// Adds the progress of a cohort's loops. Returns true if at most one loop has advanced, and not to its end.
bool add_iterations(const StateImage::Loops& then, const StateImage::Loops& now, Period& period) {
  auto& grown = period.iterations.emplace_back();
  std::size_t advanced = 0;
  for (std::size_t depth = 0; depth < grown.size(); ++depth) {
    if (now.done[depth] < then.done[depth]) return false;
    grown[depth] = now.done[depth] - then.done[depth];
    if (grown[depth] == 0) continue;
    if (++advanced > 1 || then.key != now.key || count_of(period.shift.work_groups, now.launch) > 0) return false;
    // In the last iteration, the ops after the loop are already visible.
    const std::uint64_t left = now.counts[depth] - std::min(now.counts[depth], now.done[depth] + 2);
    period.max_repetitions = std::min(period.max_repetitions, left / grown[depth]);
  }
  return true;
}

/// Returns true if no two cohorts that advance have the same key. Otherwise, their iterations are not distinguishable.
bool are_distinguishable(const StateImage& image, const Period& period) {
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < period.iterations.size(); ++i)
    if (period.iterations[i] != decltype(period.iterations)::value_type{}) keys.push_back(image.loops[i].key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

}  // namespace

std::optional<Period> period_between(const StateImage& then, const StateImage& now) {
  if (now.time <= then.time || !(then.words == now.words)) return std::nullopt;
  if (then.phases.size() != now.phases.size() || then.loops.size() != now.loops.size()) return std::nullopt;
  Period period;
  period.shift = {now.time - then.time, now.dispatched};
  period.max_repetitions = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i < now.dispatched.size(); ++i) {
    if (now.dispatched[i].launch != then.dispatched[i].launch) return std::nullopt;
    period.shift.work_groups[i].work_groups -= then.dispatched[i].work_groups;
    period.shift.work_groups[i].number -= then.dispatched[i].number;
  }
  bool advances = period.moves_groups();
  for (std::size_t i = 0; i < now.phases.size(); ++i) {
    const std::uint64_t grown = now.phases[i].count - then.phases[i].count;
    if (grown != 0 && count_of(period.shift.work_groups, now.phases[i].launch) > 0) return std::nullopt;
    period.phases.push_back(grown);
  }
  for (std::size_t i = 0; i < now.loops.size(); ++i) {
    if (!add_iterations(then.loops[i], now.loops[i], period)) return std::nullopt;
    advances = advances || period.iterations.back() != decltype(period.iterations)::value_type{};
  }
  if (!advances || !are_distinguishable(now, period)) return std::nullopt;
  return period;
}

}  // namespace gdsim
