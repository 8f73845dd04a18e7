#include <gdsim/record/segment.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace gdsim {

namespace {

/// Returns null if the launch is not in `counts`.
const GroupCount* find(const GroupCounts& counts, LaunchId launch) {
  if (counts.size() == 1) return counts.front().launch == launch ? &counts.front() : nullptr;
  const auto at = std::lower_bound(counts.begin(), counts.end(), launch,
                                   [](const GroupCount& count, LaunchId other) { return count.launch < other; });
  return at != counts.end() && at->launch == launch ? &*at : nullptr;
}

}  // namespace

std::uint64_t count_of(const GroupCounts& counts, LaunchId launch) {
  const GroupCount* found = find(counts, launch);
  return found != nullptr ? found->work_groups : 0;
}

std::uint64_t number_of(const GroupCounts& counts, LaunchId launch) {
  const GroupCount* found = find(counts, launch);
  return found != nullptr ? found->number : 0;
}

Shift times(const Shift& once, std::uint64_t count) {
  Shift all{times(once.time, count), once.work_groups};
  for (GroupCount& one : all.work_groups) {
    one.work_groups *= count;
    one.number *= count;
  }
  return all;
}

std::uint64_t Segment::work_groups() const {
  std::uint64_t sum = 0;
  for (const GroupCount& count : shift_.work_groups) sum += count.work_groups;
  return sum;
}

void Segment::begin(Shift shift) {
  shift_ = std::move(shift);
  times_.clear();
  ends_.clear();
  facts_.clear();
}

void Segment::add(SimTime time, std::span<const Fact> facts) {
  facts_.insert(facts_.end(), facts.begin(), facts.end());
  times_.push_back(time);
  ends_.push_back(facts_.size());
}

void Segment::move(std::uint64_t count) {
  const Duration passed = times(shift_.time, count);
  for (SimTime& time : times_) time = time + passed;
  if (shift_.work_groups.empty()) return;
  for (Fact& fact : facts_)
    fact.work_group = WorkGroupId{number_of(fact.work_group) + count * number_of(shift_.work_groups, fact.launch)};
}

Segment::Instant Segment::instant(std::size_t index) const {
  const std::size_t first = index == 0 ? 0 : ends_[index - 1];
  return {times_[index], std::span(facts_).subspan(first, ends_[index] - first)};
}

}  // namespace gdsim
