#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/run_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Splits what is written to it into rows of cells, exactly as they are written, quotes included.
class RowSink : public Sink {
 public:
  using Row = std::vector<std::string_view>;
  explicit RowSink(std::function<void(const Row&)> use) : use_(std::move(use)) {}

  void write(std::string_view text) override {
    for (const char c : text) {
      if (c == '"') is_quoted_ = !is_quoted_;
      if (c == '\n' && !is_quoted_) {
        ends_.push_back(row_.size());
        hand_on();
      } else if (c == ',' && !is_quoted_) {
        ends_.push_back(row_.size());
      } else {
        row_.push_back(c);
      }
    }
  }

 private:
  void hand_on() {
    Row cells;
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      cells.push_back(std::string_view(row_).substr(begin, end - begin));
      begin = end;
    }
    use_(cells);
    row_.clear();
    ends_.clear();
  }

  std::function<void(const Row&)> use_;
  std::string row_;                ///< cells without their separators
  std::vector<std::size_t> ends_;  ///< of its cells
  bool is_quoted_ = false;
};

using Columns = std::vector<std::string>;

Columns columns_of(const DeviceReport& device, const WriteTable& write) {
  Columns columns;
  RowSink sink([&](const RowSink::Row& row) {
    if (columns.empty()) columns.assign(row.begin(), row.end());
  });
  write(device.report, sink);
  return columns;
}

/// All columns: first those of the first device, then those that each other device adds.
Columns all_columns(std::span<const DeviceReport> devices, const WriteTable& write) {
  Columns all;
  for (const DeviceReport& device : devices)
    for (std::string& column : columns_of(device, write))
      if (std::find(all.begin(), all.end(), column) == all.end()) all.push_back(std::move(column));
  return all;
}

}  // namespace

void write_device_tables(std::span<const DeviceReport> devices, const WriteTable& write, Sink& sink) {
  Columns columns = all_columns(devices, write);
  std::vector<std::string_view> header(columns.begin(), columns.end());
  header.emplace_back("device");
  CsvWriter csv(sink, header);
  for (const DeviceReport& device : devices) {
    const std::string name = csv_cells({device.name});
    std::vector<std::size_t> places;  // position of each column of the device
    RowSink rows([&](const RowSink::Row& row) {
      if (places.empty()) {
        for (const std::string_view column : row)
          places.push_back(
              static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin()));
        return;
      }
      std::vector<std::string_view> cells(columns.size());
      for (std::size_t i = 0; i < row.size(); ++i) cells[places[i]] = row[i];
      for (const std::string_view cell : cells) csv.cells(std::string(cell) + ",");
      csv.cells(name).end_row();
    });
    write(device.report, rows);
  }
  csv.finish();
}

namespace {

struct CoreGroupRow {
  SimTime time;
  const CoreGroup& group;
  const CoreGroupSum& resident;
  std::uint64_t contexts;
};

constexpr auto kCoreGroupRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.cores != nullptr, "the timeline of the cores was not kept");
  const std::vector<CoreGroup> groups = all_core_groups(report.device);
  CoreGroupSums sums(report.device.cores, groups);
  std::vector<std::optional<CoreGroupSum>> written(groups.size());
  const auto take_row = [&](SimTime time, std::size_t number) {
    const CoreGroup& group = groups[number];
    take(CoreGroupRow{time, group, sums.sum_of(number),
                      group.cores() * std::uint64_t{report.device.contexts_per_core()}});
    written[number] = sums.sum_of(number);
  };
  bool is_first = true;
  const auto take_changed = [&](SimTime time) {
    std::vector<std::size_t> changed = sums.take_changed();
    if (std::exchange(is_first, false)) {
      changed.resize(groups.size());
      std::iota(changed.begin(), changed.end(), std::size_t{0});
    }
    for (const std::size_t number : changed)
      if (written[number] != sums.sum_of(number)) take_row(time, number);
  };
  std::optional<SimTime> time;
  for (const CorePoint& point : report.cores->points()) {
    if (time && *time != point.time) take_changed(*time);
    time = point.time;
    sums.change(point);
  }
  if (time) take_changed(*time);
};

constexpr std::string_view kLevel = "the level's name, and the number of the group in it";

}  // namespace

const CsvTable& core_groups_table() {
  using Row = CoreGroupRow;
  static const auto table = run_table<Row>(
      "groups.csv", "a row per change of a group of cores, by the levels of `core_groups`", kCoreGroupRows,
      shared::kTime, Column{"level", kLevel, [](const Row& row) { return std::string_view(row.group.level); }},
      Column{"group", kLevel, [](const Row& row) { return row.group.number; }}, shared::kResident, shared::kRunning,
      shared::kStalled, shared::kOccupancy, shared::kResidentGroups, shared::kSlm);
  return table;
}

namespace {

struct GroupStateRow {
  SimTime time;
  const GroupChange& change;
  const GroupState& state;
  std::string_view launch;
};

constexpr auto kGroupStateRows = [](const RunReport& report, const auto& take) {
  GDSIM_CHECK(report.group_states != nullptr, "the states of the work-groups were not kept");
  for (const auto& [time, change] : report.group_states->points())
    take(GroupStateRow{time, change, change.state, report.workload.launches[index_of(change.launch)].name});
};

constexpr std::string_view kThreads = "of its resident threads";

}  // namespace

const CsvTable& group_states_table() {
  using Row = GroupStateRow;
  static const auto table = run_table<Row>(
      "group_states.csv", "a row per change of a work-group; only a header beyond 4,000 work-groups or 10,000 changes",
      kGroupStateRows, Column{"time_ns", "", shared::kTime.value},
      Column{"launch", "", [](const Row& row) { return row.launch; }},
      Column{"work_group", "", [](const Row& row) { return number_of(row.change.work_group); }},
      Column{"core", "", [](const Row& row) { return index_of(row.change.core); }},
      Column{"change", "whether the work-group comes, changes or leaves",
             [](const Row& row) { return name_of(row.change.kind); }},
      Column{"placed", "partial (some threads got no context yet), full, or saved (`preemption`)",
             [](const Row& row) { return name_of(row.state.placement); }},
      Column{"threads_resident", "", [](const Row& row) { return row.state.threads; }},
      Column{"threads_waiting", kThreads, [](const Row& row) { return row.state.waiting; }},
      Column{"threads_ended", kThreads, [](const Row& row) { return row.state.ended; }});
  return table;
}

}  // namespace gdsim
