#include <gdsim/report/csv/core_groups_csv.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>
#include <gdsim/report/number_format.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 9> kGroupColumns{column::kTime,
                                                        "level",
                                                        "group",
                                                        column::kResident,
                                                        column::kRunning,
                                                        column::kStalled,
                                                        column::kOccupancy,
                                                        column::kResidentGroups,
                                                        column::kSlm};

}  // namespace

void write_core_groups_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.cores != nullptr, "the timeline of the cores was not kept");
  CsvWriter csv(sink, kGroupColumns);
  const std::vector<CoreGroup> groups = all_core_groups(report.device);
  CoreGroupSums sums(report.device.cores, groups);
  std::vector<std::optional<CoreGroupSum>> written(groups.size());
  const auto write_row = [&](SimTime time, std::size_t number) {
    const CoreGroup& group = groups[number];
    const CoreGroupSum& sum = sums.of(number);
    csv.time(time).text(group.level).count(group.number).count(sum.threads).count(sum.running);
    csv.count(sum.threads - sum.running);
    csv.fraction(percent_of(sum.threads, group.cores() * std::uint64_t{report.device.contexts_per_core()}));
    csv.count(sum.work_groups).bytes(sum.slm).end_row();
    written[number] = sum;
  };
  bool is_first = true;
  const auto write_at = [&](SimTime time) {
    std::vector<std::size_t> changed = sums.take_changed();
    if (std::exchange(is_first, false)) {
      changed.resize(groups.size());
      std::iota(changed.begin(), changed.end(), std::size_t{0});
    }
    for (const std::size_t number : changed)
      if (written[number] != sums.of(number)) write_row(time, number);
  };
  std::optional<SimTime> time;
  for (const CorePoint& point : report.cores->points()) {
    if (time && *time != point.time) write_at(*time);
    time = point.time;
    sums.change(point);
  }
  if (time) write_at(*time);
  csv.finish();
}

void write_group_states_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.group_states != nullptr, "the states of the work-groups were not kept");
  CsvWriter csv(sink, kGroupStateColumns);
  for (const auto& [time, change] : report.group_states->points()) {
    const GroupState& state = change.state;
    csv.time(time).text(report.workload.launches[index_of(change.launch)].name).count(number_of(change.work_group));
    csv.count(index_of(change.core)).text(name_of(change.kind)).text(name_of(state.placement));
    csv.count(state.threads).count(state.waiting).count(state.ended).end_row();
  }
  csv.finish();
}

}  // namespace gdsim
