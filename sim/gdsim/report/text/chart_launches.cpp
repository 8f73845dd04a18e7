#include <gdsim/report/text/chart_launches.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::size_t kMaxRows = 12, kLongestLabel = 24;

/// At most so many bytes of the end of a name, in whole characters of UTF-8.
std::string_view end_of(std::string_view name, std::size_t bytes) {
  std::size_t begin = name.size() - bytes;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return name.substr(begin);
}

/// Shortens names that are too long to their beginnings and ends, and numbers those that would look alike.
std::vector<std::string> labels_of(const std::vector<std::string>& names, std::string_view gap) {
  std::vector<std::string> labels;
  for (const std::string& name : names) {
    constexpr std::size_t half = kLongestLabel / 2;
    const std::string label = name.size() <= kLongestLabel ? name
                                                           : std::string(utf8_prefix(name, half - gap.size())) +
                                                                 std::string(gap) + std::string(end_of(name, half));
    std::string different = label;
    for (std::size_t number = 2; std::find(labels.begin(), labels.end(), different) != labels.end(); ++number)
      different = fmt::format("{} ({})", label, number);
    labels.push_back(different);
  }
  return labels;
}

}  // namespace

LaunchRows::LaunchRows(const RunReport& report, std::string_view gap) : report_(report) {
  const auto& launches = report.workload.launches;
  if (launches.size() < 2) return;
  are_queues_ =
      std::any_of(launches.begin(), launches.end(), [](const Launch& launch) { return launch.queue.has_value(); });
  std::vector<std::string> names;
  for (const Name& kernel : kernels_by_time()) {
    order_[kernel] = names.size();
    names.push_back(kernel.second);
  }
  kernels_ = labels_of(names, gap);
  std::map<Name, std::vector<std::size_t>> launches_of;
  std::vector<Name> order;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].is_remote() || !report.record.launches[i].first_dispatched) continue;
    const auto [found, is_new] = launches_of.try_emplace(row_of(i));
    if (is_new) order.push_back(found->first);
    found->second.push_back(i);
  }
  if (!are_queues_)
    std::stable_sort(order.begin(), order.end(),
                     [&](const Name& a, const Name& b) { return order_.at(a) < order_.at(b); });
  rows_left_out_ = order.size() - std::min(order.size(), kMaxRows);
  order.resize(order.size() - rows_left_out_);
  names.clear();
  for (const Name& row : order) names.push_back(row.second);
  const std::vector<std::string> labels = labels_of(names, gap);
  for (std::size_t i = 0; i < order.size(); ++i) rows_.push_back({labels[i], std::move(launches_of.at(order[i]))});
}

LaunchRows::Name LaunchRows::kernel_of(std::size_t launch) const {
  const Launch& launch_row = report_.workload.launches[launch];
  if (launch_row.is_copy()) return {true, "copies"};
  return {false, printable(report_.workload.kernel_of(launch_row).name)};
}

LaunchRows::Name LaunchRows::row_of(std::size_t launch) const {
  if (!are_queues_) return kernel_of(launch);
  const auto& queue = report_.workload.launches[launch].queue;
  if (!queue) return {true, "no queue"};
  return {false, printable(report_.workload.queues[index_of(*queue)].name)};
}

std::vector<LaunchRows::Name> LaunchRows::kernels_by_time() const {
  const RunRecord& record = report_.record;
  std::map<Name, UInt128> sums;
  for (std::size_t i = 0; i < report_.workload.launches.size(); ++i) {
    if (report_.workload.launches[i].is_remote()) continue;
    UInt128& sum = sums[kernel_of(i)];
    const LaunchRecord& life = record.launches[i];
    if (life.first_dispatched)
      sum += static_cast<UInt128>((life.ended.value_or(record.end) - *life.first_dispatched).count);
  }
  std::vector<Name> names;
  for (const auto& [name, sum] : sums) names.push_back(name);
  std::stable_sort(names.begin(), names.end(), [&](const Name& a, const Name& b) { return sums.at(a) > sums.at(b); });
  return names;
}

std::vector<std::map<std::size_t, UInt128>> LaunchRows::columns_of(const Row& row, std::size_t count) const {
  const RunRecord& record = report_.record;
  const auto span = static_cast<UInt128>(record.active().count);
  const auto columns = static_cast<std::size_t>(std::min<UInt128>(count, span));
  std::vector<std::map<std::size_t, UInt128>> taken(columns);
  for (const std::size_t launch : row.launches) {
    const LaunchRecord& life = record.launches[launch];
    const std::size_t kernel = order_.at(kernel_of(launch));
    const auto begin = static_cast<UInt128>((*life.first_dispatched - record.first_dispatch).count) * columns;
    const auto end = static_cast<UInt128>((life.ended.value_or(record.end) - record.first_dispatch).count) * columns;
    for (auto column = static_cast<std::size_t>(begin / span); column < columns && column * span < end; ++column)
      taken[column][kernel] += std::min(end, span * (column + 1)) - std::max(begin, span * column);
  }
  return taken;
}

}  // namespace gdsim
