#include <gdsim/infer/time_estimates.hpp>

#include <gdsim/base/quantity.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gdsim {
namespace {

/// Returns the square root, rounded up to a whole number.
std::uint64_t root_up(std::uint64_t square) {
  std::uint64_t root = 0;
  while (root * root < square) ++root;
  return root;
}

/// Returns the median of ascending values, and the values at the ranks that contain it in 19 of 20 cases: n / 2 -
/// sqrt(n) and n / 2 + sqrt(n), which are two standard deviations of the number of values below it.
TimeEstimate median_estimate(const std::vector<std::int64_t>& values, LogTime time) {
  const std::size_t count = values.size();
  const auto reach = static_cast<std::size_t>(root_up(count));
  const std::size_t middle = count / 2;
  const std::size_t low = middle > reach ? middle - reach : 0;
  const std::size_t high = std::min(count - 1, middle + reach);
  TimeEstimate estimate;
  estimate.value = log_time_text(values[middle], time);
  estimate.low = log_time_text(values[low], time);
  estimate.high = log_time_text(values[high], time);
  estimate.samples = count;
  return estimate;
}

}  // namespace

std::string log_time_text(std::int64_t units, LogTime time) {
  if (time == LogTime::picoseconds) return to_text(Duration{units});
  const std::string number =
      to_text(Decimal{static_cast<UInt128>(static_cast<std::uint64_t>(std::max<std::int64_t>(units, 0))), -3});
  return number + (number == "1" ? " cycle" : " cycles");
}

std::vector<TimeEstimate> interval_estimates(const TurnTiming& timing, LogTime time, const std::string& dispatchers) {
  std::vector<TimeEstimate> estimates;
  for (const auto& [threads, waits] : timing.waits_by_threads) {
    TimeEstimate estimate = median_estimate(waits, time);
    estimate.name = "interval";
    estimate.how = "dispatchers: " + dispatchers;
    if (timing.waits_by_threads.size() > 1)
      estimate.how += ", behind a work-group of " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    estimate.how += "; the time between placements where a core had room all the while (median)";
    estimates.push_back(std::move(estimate));
  }
  return estimates;
}

TimeEstimate recovery_estimate(const std::vector<std::int64_t>& gaps, LogTime time) {
  constexpr std::int64_t odds = 19;  // 0.95 / 0.05
  TimeEstimate estimate;
  estimate.name = "recovery";
  estimate.value = estimate.high = log_time_text(gaps.front(), time);
  const std::int64_t second = gaps[std::min<std::size_t>(1, gaps.size() - 1)] - gaps.front();
  const std::int64_t below = second > gaps.front() / odds ? gaps.front() : second * odds;
  estimate.low = gaps.size() < 2 ? log_time_text(0, time) : log_time_text(gaps.front() - below, time);
  estimate.samples = gaps.size();
  estimate.how = "no slot was taken again sooner after its work-group had ended";
  return estimate;
}

TimeEstimate searched_recovery_estimate(const FoundRecovery& found, std::uint64_t decisions, LogTime time) {
  TimeEstimate estimate;
  estimate.name = "recovery";
  estimate.value = log_time_text(found.recovery, time);
  estimate.low = log_time_text(found.low, time);
  estimate.high = log_time_text(found.high, time);
  estimate.samples = decisions;
  estimate.how = "between these the rules explain most of the decisions behind the first end";
  return estimate;
}

std::vector<TimeEstimate> launch_cost_estimates(const PlacementLog& log) {
  std::vector<std::int64_t> waits;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      if (!launch.launched) continue;
      const auto first = std::min_element(launch.groups.begin(), launch.groups.end(),
                                          [](const auto& a, const auto& b) { return a.start < b.start; });
      if (first->start >= *launch.launched) waits.push_back(first->start - *launch.launched);
    }
  if (waits.empty()) return {};
  std::sort(waits.begin(), waits.end());
  TimeEstimate estimate = median_estimate(waits, log.time);
  estimate.name = "launch_cost";
  estimate.how = "from the launch to its first work-group, launch latency and waiting included (median)";
  return {estimate};
}

}  // namespace gdsim
