#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <array>
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
    const CoreGroupSum& sum = sums.sum_of(number);
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
      if (written[number] != sums.sum_of(number)) write_row(time, number);
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
