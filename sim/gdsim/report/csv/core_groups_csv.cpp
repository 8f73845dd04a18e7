#include <gdsim/report/csv/core_groups_csv.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/device/dispatcher_cores.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>
#include <gdsim/report/number_format.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
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

struct CoreSums {
  std::uint64_t threads = 0;
  std::uint64_t running = 0;
  std::uint64_t work_groups = 0;
  Bytes slm;

  bool operator==(const CoreSums&) const = default;
};

/// A group of cores, and its sums as they are and as they were written last.
struct GroupRow {
  CoreGroup group;
  CoreSums now{};
  CoreSums written{};
  bool is_touched = true;  ///< not written since the last change of one of its cores
};

/// All groups, from the outermost level inwards, and to which of them each core belongs.
class GroupTable {
 public:
  explicit GroupTable(const DeviceSpec& device) : rows_of_(device.cores), residency_(device.cores) {
    for (CoreGroup& group : all_core_groups(device)) {
      for (std::size_t core = group.first; core < group.last; ++core) rows_of_[core].push_back(rows_.size());
      rows_.push_back({std::move(group)});
    }
  }

  void change(const CorePoint& point) {
    const std::size_t core = index_of(point.core);
    const CoreResidency& before = residency_[core];
    const CoreResidency& after = point.resident;
    for (const std::size_t number : rows_of_[core]) {
      GroupRow& row = rows_[number];
      row.now.threads += after.threads - std::uint64_t{before.threads};
      row.now.running += after.running - std::uint64_t{before.running};
      row.now.work_groups += after.work_groups - std::uint64_t{before.work_groups};
      row.now.slm.count += after.slm.count - before.slm.count;
      if (!row.is_touched) touched_.push_back(number);
      row.is_touched = true;
    }
    residency_[core] = after;
  }

  /// Calls `write` with every group that has changed since, in the order of levels, then groups; with all the first
  /// time.
  template <class Write>
  void take_changes(Write write) {
    if (is_first_) {
      for (std::size_t number = 0; number < rows_.size(); ++number) touched_.push_back(number);
    }
    std::sort(touched_.begin(), touched_.end());
    for (const std::size_t number : touched_) {
      GroupRow& row = rows_[number];
      row.is_touched = false;
      if (!is_first_ && row.now == row.written) continue;
      row.written = row.now;
      write(row);
    }
    touched_.clear();
    is_first_ = false;
  }

 private:
  std::vector<GroupRow> rows_;
  std::vector<std::vector<std::size_t>> rows_of_;  ///< of each core
  std::vector<CoreResidency> residency_;           ///< of each core
  std::vector<std::size_t> touched_;
  bool is_first_ = true;
};

}  // namespace

void write_core_groups_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.cores != nullptr, "the timeline of the cores was not kept");
  CsvWriter csv(sink, kGroupColumns);
  GroupTable groups(report.device);
  const auto write_at = [&](SimTime time) {
    groups.take_changes([&](const GroupRow& row) {
      csv.time(time).text(row.group.level).count(row.group.number).count(row.now.threads).count(row.now.running);
      csv.count(row.now.threads - row.now.running);
      csv.fraction(percent_of(row.now.threads, row.group.cores() * std::uint64_t{report.device.contexts_per_core()}));
      csv.count(row.now.work_groups).bytes(row.now.slm).end_row();
    });
  };
  std::optional<SimTime> time;
  for (const CorePoint& point : report.cores->points()) {
    if (time && *time != point.time) write_at(*time);
    time = point.time;
    groups.change(point);
  }
  if (time) write_at(*time);
  csv.finish();
}

}  // namespace gdsim
