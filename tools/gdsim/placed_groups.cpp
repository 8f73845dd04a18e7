#include "placed_groups.hpp"

#include "csv_columns.hpp"

namespace gdsim::cli {

std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log) {
  std::vector<PlacedLaunch> launches;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (const auto& groups = log.of(static_cast<LaunchId>(i)); !groups.empty())
      launches.push_back({workload.launches[i].name, groups});
  return launches;
}

std::vector<PlacedLaunch> placed_launches(const SourceText& table, Diagnostics& problems) {
  CsvColumns csv(table, problems);
  const auto launch = csv.find("launch"), number = csv.find("work_group"), core = csv.find("core"),
             placed = csv.find("first_placed_ns"), ended = csv.find("ended_ns");
  std::vector<PlacedLaunch> launches;
  for (const CsvRow& row : csv.rows()) {
    if (launches.empty() || launches.back().name != csv.text(row, launch))
      launches.push_back({csv.text(row, launch), {}});
    std::vector<WorkGroupRecord>& groups = launches.back().groups;
    if (csv.count(row, number) != groups.size())
      problems.add(row.mark, "work_group: this is not the next work-group of " + launches.back().name);
    WorkGroupRecord& record = groups.emplace_back();
    record.core = static_cast<CoreId>(csv.count32(row, core));
    record.first_placed = csv.time(row, placed);
    record.ended = csv.time_if_any(row, ended);
  }
  return launches;
}

}  // namespace gdsim::cli
