#include <gdsim/report/text/kernels_text.hpp>

#include <gdsim/analysis/wait_words.hpp>
#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernels = 40;

struct Row {
  std::string name;
  std::uint64_t launches = 0;
  Int128 time = 0;         ///< sum of the durations of its launches, picoseconds
  Int128 active_time = 0;  ///< the same from first dispatch to end
  Int128 resident_time = 0;
  std::array<Int128, kWaitReasonCount> waited{};
  bool is_copy = false;
};

void add(Row& row, const LaunchRecord& record, SimTime end) {
  ++row.launches;
  if (record.begun) row.time += (record.ended.value_or(end) - *record.begun).count;
  if (record.first_dispatched) row.active_time += (record.ended.value_or(end) - *record.first_dispatched).count;
  row.resident_time += record.resident_time;
  // Waiting for predecessors says nothing about the device.
  for (const WaitReason reason : kWaitReasons)
    if (reason != WaitReason::predecessors) row.waited[static_cast<std::size_t>(reason)] += record.waited[reason].count;
}

/// The kernels that were launched, in the order of the file, with copies last.
std::vector<Row> rows_of(const RunReport& report) {
  std::vector<Row> rows(report.workload.kernels.size() + 1);
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    if (launch.is_remote()) continue;
    Row& row = !launch.is_kernel() ? rows.back() : rows[index_of(launch.as_kernel().kernel)];
    row.name = !launch.is_kernel() ? "copies" : printable(report.workload.kernel_of(launch).name);
    row.is_copy = !launch.is_kernel();
    add(row, report.record.launches[i], report.record.end);
  }
  std::erase_if(rows, [](const Row& row) { return row.launches == 0; });
  return rows;
}

/// Sums over concurrent launches may exceed 64 bits of picoseconds.
std::string time_text(Int128 time) {
  constexpr Int128 longest = std::numeric_limits<std::int64_t>::max();
  return time > longest ? "over 106 days" : to_rounded_text(Duration{static_cast<std::int64_t>(time)});
}

std::string largest_wait(const Row& row, const Terms& terms) {
  const auto largest = std::max_element(row.waited.begin(), row.waited.end());
  if (*largest == 0) return "-";
  return words_for(static_cast<WaitReason>(largest - row.waited.begin()), terms) + " " + time_text(*largest) +
         (row.launches > 1 ? fmt::format(", summed over {} launches", row.launches) : "");
}

}  // namespace

std::string kernels_text(const RunReport& report) {
  const std::vector<Row> rows = rows_of(report);
  std::size_t width = 6;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {}\n", "kernel", width, "launches", "total time",
                                 "mean occupancy", "largest total wait");
  for (std::size_t i = 0; i < rows.size() && i < kMaxKernels; ++i) {
    const Row& row = rows[i];
    const std::string occupancy = row.active_time == 0 || row.is_copy
                                      ? "-"
                                      : to_fixed({static_cast<UInt128>(row.resident_time) * 100,
                                                  static_cast<UInt128>(row.active_time) * report.record.contexts_total},
                                                 1) +
                                            " %";
    text += fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {}\n", row.name, width, row.launches, time_text(row.time),
                        occupancy, largest_wait(row, report.device.terms));
  }
  if (rows.size() > kMaxKernels)
    text += fmt::format("  ... and {} more; `--print launches` shows all\n", rows.size() - kMaxKernels);
  const auto& launches = report.workload.launches;
  const auto own = std::count_if(launches.begin(), launches.end(), [](const Launch& one) { return !one.is_remote(); });
  text += fmt::format("Total times are sums over all {} launches; launches that wait at once count each.\n", own);
  return text;
}

}  // namespace gdsim
