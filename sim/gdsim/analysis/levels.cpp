#include <gdsim/analysis/levels.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Computes the bins of intervals, each of which begins where the one before ends, or later.
class LevelWalk {
 public:
  explicit LevelWalk(std::span<const Level> levels) : levels_(levels) {}

  Bin over(SimTime start, SimTime end) {
    for (; next_ < levels_.size() && levels_[next_].time <= start; ++next_) value_ = levels_[next_].value;
    Bin bin{start, end, 0, value_, value_};
    SimTime at = start;
    for (; next_ < levels_.size() && levels_[next_].time < end; ++next_) {
      const Level& next = levels_[next_];
      bin.integral += UInt128{value_} * static_cast<std::uint64_t>((next.time - at).count);
      bin.min = std::min(bin.min, next.value);
      bin.max = std::max(bin.max, next.value);
      value_ = next.value;
      at = next.time;
    }
    bin.integral += UInt128{value_} * static_cast<std::uint64_t>((end - at).count);
    return bin;
  }

 private:
  std::span<const Level> levels_;
  std::size_t next_ = 0;
  std::uint64_t value_ = 0;
};

}  // namespace

std::vector<Bin> bins_of(std::span<const Level> levels, SimTime start, SimTime end, std::size_t count) {
  GDSIM_CHECK(start <= end && count > 0, "there is nothing to cut into bins");
  const std::int64_t span = (end - start).count;
  const std::int64_t bins = std::min(static_cast<std::int64_t>(count), span);
  const auto boundary = [&](std::int64_t i) {
    return start + Duration{static_cast<std::int64_t>(Int128{span} * i / bins)};
  };
  LevelWalk walk(levels);
  std::vector<Bin> result;
  for (std::int64_t i = 0; i < bins; ++i) result.push_back(walk.over(boundary(i), boundary(i + 1)));
  return result;
}

std::vector<Bin> bins_of_width(std::span<const Level> levels, SimTime start, SimTime end, Duration width) {
  GDSIM_CHECK(width.count > 0, "a bin needs a width");
  LevelWalk walk(levels);
  std::vector<Bin> result;
  for (SimTime at = start; at < end;) {
    const SimTime next = end - at > width ? at + width : end;
    result.push_back(walk.over(at, next));
    at = next;
  }
  return result;
}

CoreGroupSums::CoreGroupSums(std::size_t cores, std::span<const CoreGroup> groups)
    : groups_of_(cores), now_(cores), sums_(groups.size()), is_changed_(groups.size()) {
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (std::size_t core = groups[group].first; core < groups[group].last; ++core) groups_of_[core].push_back(group);
}

void CoreGroupSums::change(const CorePoint& point) {
  CoreResidency& before = now_[index_of(point.core)];
  const CoreResidency& after = point.resident;
  for (const std::size_t group : groups_of_[index_of(point.core)]) {
    CoreGroupSum& sum = sums_[group];
    // Where a number falls, the unsigned difference wraps around, and so does the sum.
    sum.threads += after.threads - std::uint64_t{before.threads};
    sum.running += after.running - std::uint64_t{before.running};
    sum.work_groups += after.work_groups - std::uint64_t{before.work_groups};
    sum.slm.count += after.slm.count - before.slm.count;
    if (!is_changed_[group]) changed_.push_back(group);
    is_changed_[group] = true;
  }
  before = after;
}

std::vector<std::size_t> CoreGroupSums::take_changed() {
  std::vector<std::size_t> changed = std::exchange(changed_, {});
  for (const std::size_t group : changed) is_changed_[group] = false;
  std::sort(changed.begin(), changed.end());
  return changed;
}

namespace {

template <class Resident>
void add(ThreadLevels& levels, SimTime time, const Resident& resident) {
  levels.resident.push_back({time, resident.threads});
  levels.running.push_back({time, resident.running});
}

}  // namespace

ThreadLevels device_levels(std::span<const TimelinePoint> timeline) {
  ThreadLevels levels;
  for (const auto& [time, counts] : timeline) add(levels, time, counts.resident);
  return levels;
}

std::vector<ThreadLevels> core_levels(std::span<const CorePoint> points, std::size_t cores) {
  std::vector<ThreadLevels> levels(cores);
  for (const auto& [time, core, resident] : points) add(levels[index_of(core)], time, resident);
  return levels;
}

std::vector<ThreadLevels> core_group_levels(std::span<const CorePoint> points, std::size_t cores,
                                            std::span<const CoreGroup> groups) {
  std::vector<ThreadLevels> levels(groups.size());
  CoreGroupSums sums(cores, groups);
  for (std::size_t i = 0; i < points.size(); ++i) {
    sums.change(points[i]);
    const bool is_last_now = i + 1 == points.size() || points[i + 1].time != points[i].time;
    if (!is_last_now) continue;
    for (const std::size_t group : sums.take_changed()) add(levels[group], points[i].time, sums.sum_of(group));
  }
  return levels;
}

}  // namespace gdsim
