#include <gdsim/compare/placed_groups.hpp>

#include <gdsim/scenario/tables/csv_columns.hpp>

#include <gdsim/report/csv/table_columns.hpp>

namespace gdsim {

std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log) {
  std::vector<PlacedLaunch> launches;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (const auto groups = log.of(static_cast<LaunchId>(i)); !groups.empty())
      launches.push_back({workload.launches[i].name, {groups.begin(), groups.end()}});
  return launches;
}

/// The maximum number of work-groups of one launch: a table may name any number, but must not exhaust memory.
constexpr std::uint64_t kMaxPlaced = 10'000'000;

std::vector<PlacedLaunch> placed_launches(const SourceText& table, Diagnostics& problems) {
  CsvColumns csv(table, problems);
  const auto launch = csv.find(column::kLaunch), number = csv.find(column::kWorkGroup), core = csv.find(column::kCore),
             placed = csv.find(column::kFirstPlaced), ended = csv.find(column::kEnded),
             first = csv.find(column::kFirstThreads);
  std::vector<PlacedLaunch> launches;
  for (const CsvRow& row : csv.rows()) {
    if (launches.empty() || launches.back().name != csv.text(row, launch))
      launches.push_back({csv.text(row, launch), {}});
    std::vector<WorkGroupRecord>& groups = launches.back().groups;
    // In a run that ended early, work-groups of a partition that were not placed may be missing.
    const std::uint64_t position = csv.count(row, number);
    if (position < groups.size())
      problems.add(row.mark, "work_group: stands behind a later one of " + launches.back().name);
    if (position >= kMaxPlaced)
      problems.add(row.mark, "work_group: a comparison takes numbers below " + std::to_string(kMaxPlaced));
    if (!problems.empty()) return launches;
    groups.resize(position + 1);
    WorkGroupRecord& record = groups.back();
    record.threads_first_placed = csv.count32(row, first);
    record.core = static_cast<CoreId>(csv.count32(row, core));
    record.first_placed = csv.time(row, placed);
    record.ended = csv.time_if_any(row, ended);
  }
  return launches;
}

}  // namespace gdsim
