#include <gdsim/record/segment.hpp>

#include <limits>

namespace gdsim {

Shift operator*(const Shift& once, std::uint64_t count) {
  std::int64_t time = 0;
  if (count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
      __builtin_mul_overflow(once.time.count, static_cast<std::int64_t>(count), &time))
    raise_time_overflow();
  return {Picoseconds{time}, once.work_groups * count};
}

void Segment::begin(const Shift& shift) {
  shift_ = shift;
  times_.clear();
  ends_.clear();
  facts_.clear();
}

void Segment::add(Picoseconds time, std::span<const Fact> facts) {
  facts_.insert(facts_.end(), facts.begin(), facts.end());
  times_.push_back(time);
  ends_.push_back(facts_.size());
}

void Segment::move(std::uint64_t count) {
  const Shift by = shift_ * count;
  for (Picoseconds& time : times_) time = time + by.time;
  for (Fact& fact : facts_) fact.work_group = WorkGroupId{number_of(fact.work_group) + by.work_groups};
}

Segment::Instant Segment::instant(std::size_t index) const {
  const std::size_t first = index == 0 ? 0 : ends_[index - 1];
  return {times_[index], std::span(facts_).subspan(first, ends_[index] - first)};
}

}  // namespace gdsim
