#include <gdsim/analysis/selected_launches.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gdsim {
namespace {

/// Considers the launches for which `counts` is true.
template <class Counts>
std::optional<KernelId> longest_where(const Workload& workload, const RunRecord& record, Counts counts) {
  std::optional<KernelId> longest;
  Duration max{-1};
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    const OptionalDuration lasted = life.duration();
    if (!launch.is_kernel() || !lasted || !counts(launch)) continue;
    if (*lasted > max) {
      max = *lasted;
      longest = launch.as_kernel().kernel;
    }
  }
  return longest;
}

}  // namespace

std::optional<KernelId> longest_kernel_id(const Workload& workload, const RunRecord& record) {
  return longest_where(workload, record, [](const Launch&) { return true; });
}

const Kernel* longest_kernel(const Workload& workload, const RunRecord& record) {
  const auto longest = longest_kernel_id(workload, record);
  return longest ? &workload.kernels[index_of(*longest)] : nullptr;
}

const Kernel* longest_own_kernel(const Workload& workload, const RunRecord& record) {
  const auto longest =
      longest_where(workload, record, [](const Launch& launch) { return !launch.as_kernel().is_part_of_collective; });
  return longest ? &workload.kernels[index_of(*longest)] : nullptr;
}

namespace {

/// Returns true if a launch begins before another has ended.
bool are_at_once(const std::vector<LaunchSpan>& spans) {
  SimTime end = spans.front().end;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin < end) return true;
    end = std::max(end, spans[i].end);
  }
  return false;
}

KernelId longest_of(const std::vector<LaunchSpan>& spans) {
  return std::max_element(spans.begin(), spans.end(),
                          [](const LaunchSpan& a, const LaunchSpan& b) { return a.end - a.begin < b.end - b.begin; })
      ->kernel;
}

}  // namespace

std::vector<LaunchSpan> launch_spans(const Workload& workload, const RunRecord& record) {
  std::vector<LaunchSpan> spans;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const LaunchRecord& life = record.launches[i];
    if (!launch.is_kernel()) continue;
    if (!life.first_dispatched || !life.ended) return {};
    const bool may_use_all_cores = workload.cores_of(launch).empty();
    spans.push_back(
        {i, *life.first_dispatched, *life.ended, launch.as_kernel().kernel, life.resident_time, may_use_all_cores});
  }
  std::sort(spans.begin(), spans.end(), [](const LaunchSpan& a, const LaunchSpan& b) { return a.begin < b.begin; });
  return spans;
}

UInt128 covered_time(const std::vector<LaunchSpan>& spans) {
  UInt128 time = 0;
  SimTime until = spans.empty() ? SimTime{} : spans.front().begin;
  for (const LaunchSpan& span : spans) {
    const SimTime begin = std::max(until, span.begin);
    until = std::max(until, span.end);
    time += static_cast<std::uint64_t>((until - begin).count);
  }
  return time;
}

ComparedLaunches compared_launches(const Workload& workload, const RunRecord& record) {
  ComparedLaunches compared{launch_spans(workload, record), {}};
  std::erase_if(compared.spans, [&](const LaunchSpan& span) {
    return workload.launches[span.launch].as_kernel().is_part_of_collective;
  });
  if (compared.spans.empty() || are_at_once(compared.spans)) return compared;
  compared.only_kernel = longest_of(compared.spans);
  std::erase_if(compared.spans, [&](const LaunchSpan& span) { return span.kernel != *compared.only_kernel; });
  return compared;
}

namespace {

/// The number of longest launches that are shown, however many critical ones there are.
constexpr std::size_t kLongestShown = 100;

/// The criteria of the choice, by row.
struct Rating {
  Duration duration;
  SimTime begin;
  bool is_on_path = false;
  bool is_critical = false;  ///< also true for a launch on the critical path
  bool is_among_longest = false;
};

std::vector<Rating> ratings_of(const RunView& view) {
  std::vector<Rating> ratings;
  for (std::size_t row = 0; row < view.launches.size(); ++row) {
    const LaunchRecord& life = view.record.launches[row];
    const SimTime end = life.ended.value_or(view.record.end);
    const SimTime begin = life.first_dispatched.value_or(life.ready.value_or(view.record.end));
    ratings.push_back({life.first_dispatched ? end - begin : Duration{}, begin, false, view.is_critical(row), false});
  }
  for (const LaunchId launch : view.record.critical_path) {
    Rating& rating = ratings[index_of(launch)];
    rating.is_on_path = true;
    rating.is_critical = view.launches.size() > 1;
  }
  return ratings;
}

/// Sorts by ascending `key`, then by number.
template <class Key>
void sort_rows(std::vector<std::size_t>& rows, Key key) {
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple_cat(key(a), std::tuple(a)) < std::tuple_cat(key(b), std::tuple(b));
  });
}

}  // namespace

LaunchSelection select_launches(const RunView& view, std::size_t max_rows) {
  std::vector<Rating> ratings = ratings_of(view);
  const auto critical_among = [&](const std::vector<std::size_t>& rows) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](std::size_t row) { return ratings[row].is_critical; }));
  };
  LaunchSelection selection;
  selection.total = view.launches.size();
  selection.rows.resize(selection.total);
  std::iota(selection.rows.begin(), selection.rows.end(), std::size_t{0});
  selection.critical = selection.critical_shown = critical_among(selection.rows);
  if (selection.total <= kMaxLaunchesDrawn) return selection;
  std::vector<std::size_t>& rows = selection.rows;
  sort_rows(rows, [&](std::size_t row) { return std::tuple(-ratings[row].duration.count); });
  std::size_t needed = selection.critical;
  for (std::size_t i = 0; i < kLongestShown; ++i) {
    ratings[rows[i]].is_among_longest = true;
    if (!ratings[rows[i]].is_critical) ++needed;
  }
  sort_rows(rows, [&](std::size_t row) {
    const Rating& r = ratings[row];
    return std::tuple(!r.is_among_longest, !r.is_on_path, !r.is_critical, -r.duration.count);
  });
  const std::size_t limit = std::clamp(needed, kMaxLaunchesDrawn, std::max(max_rows, kMaxLaunchesDrawn));
  rows.resize(std::min(rows.size(), limit));
  sort_rows(rows, [&](std::size_t row) { return std::tuple(ratings[row].begin.count); });
  selection.critical_shown = critical_among(rows);
  return selection;
}

std::string selection_words(const LaunchSelection& selection) {
  if (selection.is_whole()) return {};
  const bool has_others = selection.rows.size() > selection.critical_shown;
  const std::string others = has_others ? ", and the longest of the others" : "";
  std::string which = "the longest ones";
  if (selection.critical_shown < selection.critical) {
    which = fmt::format("the longest {} of {} critical ones{}", selection.critical_shown, selection.critical, others);
  } else if (selection.critical > 0) {
    which = fmt::format("all {} critical ones{}", selection.critical, others);
  }
  return fmt::format(
      "{} of {} launches: {}, in the order in which they begin. launches.csv of `gdsim run -o DIR` has all.",
      selection.rows.size(), selection.total, which);
}

}  // namespace gdsim
