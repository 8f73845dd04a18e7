#include <gdsim/report/csv/csv_tables.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/report/csv/csv_writer.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kPicosecondsInSecond = 1'000'000'000'000;

/// The metrics of Nsight Compute that say how many blocks each resource allows.
constexpr std::array<std::pair<Resource, std::string_view>, 5> kBlockLimits{
    {{Resource::work_group_slots, "launch__occupancy_limit_blocks"},
     {Resource::registers, "launch__occupancy_limit_registers"},
     {Resource::slm, "launch__occupancy_limit_shared_mem"},
     {Resource::threads, "launch__occupancy_limit_warps"},
     {Resource::barriers, "launch__occupancy_limit_barriers"}}};

/// `(8, 32, 1)`: x first.
std::string dimensions_text(const Extent& sizes) { return fmt::format("({}, {}, {})", sizes[2], sizes[1], sizes[0]); }

/// Returns, by kernel, how many launches of it are the device's own, or 0 unless all of them have ended.
std::vector<std::uint64_t> ended_launches(const RunReport& report) {
  std::vector<std::uint64_t> counts(report.workload.kernels.size(), 0);
  std::vector<bool> have_all_ended(counts.size(), true);
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    if (!launch.is_kernel() || launch.is_remote()) continue;
    ++counts[index_of(launch.as_kernel().kernel)];
    if (!report.record.launches[i].ended) have_all_ended[index_of(launch.as_kernel().kernel)] = false;
  }
  for (std::size_t kernel = 0; kernel < counts.size(); ++kernel)
    if (!have_all_ended[kernel]) counts[kernel] = 0;
  return counts;
}

class NcuMetricsWriter {
 public:
  NcuMetricsWriter(const RunReport& report, Sink& sink)
      : report_(report),
        csv_(sink, {"ID", "Kernel Name", "Stream", "Block Size", "Grid Size", "Device", "Metric Name", "Metric Unit",
                    "Metric Value"}),
        has_times_(!is_without_duration(report.workload)),
        ended_launches_(ended_launches(report)) {}

  void write() {
    for (std::size_t i = 0; i < report_.workload.launches.size(); ++i) {
      const Launch& launch = report_.workload.launches[i];
      if (launch.is_kernel() && !launch.is_remote()) write_launch(i, launch);
    }
    csv_.finish();
  }

 private:
  void write_launch(std::size_t number, const Launch& launch) {
    const Kernel& kernel = report_.workload.kernel_of(launch);
    const LaunchRecord& life = report_.record.launches[number];
    launch_cells_ = csv_cells({std::to_string(number), kernel.name,
                               launch.queue ? report_.workload.queues[index_of(*launch.queue)].name : "",
                               dimensions_text(kernel.range.local), dimensions_text(kernel.range.groups()),
                               std::to_string(report_.device_number)});
    row("device__attribute_display_name", "", report_.device.name);
    if (has_times_ && life.ended) {
      times(life);
      traffic(index_of(launch.as_kernel().kernel), life);
    }
    shape(kernel);
    limits(kernel);
    if (life.core_time > 0) activity(life);
  }

  void times(const LaunchRecord& life) {
    row("gpu__time_duration.sum", "ns", to_fixed({picoseconds_of(*life.duration()), 1000}, 3));
    const ClockSchedule clocks(report_.device);
    if (!report_.device.clock || clocks.changes()) return;
    const auto hertz = static_cast<UInt128>(clocks.clock(0).count);
    row("sm__cycles_elapsed.max", "cycle",
        to_fixed({picoseconds_of(*life.duration()) * hertz, kPicosecondsInSecond}, 2));
    row("sm__cycles_active.avg", "cycle",
        to_fixed({static_cast<UInt128>(life.core_time) * hertz / report_.device.cores, kPicosecondsInSecond}, 2));
  }

  /// The traffic of the last level of memory, unless the device has none or the kernel's launches have not all ended.
  void traffic(std::size_t kernel, const LaunchRecord& life) {
    const auto& by_kernel = report_.record.traffic;
    const std::uint64_t launches = ended_launches_[kernel];
    if (launches == 0 || kernel >= by_kernel.size() || by_kernel[kernel].empty() || !report_.device.memory) return;
    const auto bytes = static_cast<UInt128>(by_kernel[kernel].back());
    const MemoryLevel& level = report_.device.memory->levels.back();
    row("dram__bytes.sum", "byte", to_fixed({bytes, launches}, 0));
    const auto time = picoseconds_of(*life.duration());
    if (time == 0) return;
    row("dram__bytes.sum.per_second", "byte/second", to_fixed({bytes * kPicosecondsInSecond, time * launches}, 0));
    const auto blocks = core_blocks(report_.device, level.scope);
    const auto peak = static_cast<UInt128>(level.bandwidth.value_or(BytesPerSecond{}).count) *
                      (blocks ? blocks->size() : 1) * time / kPicosecondsInSecond * launches;
    if (peak > 0) row("dram__throughput.avg.pct_of_peak_sustained_elapsed", "%", to_fixed({bytes * 100, peak}, 2));
  }

  void shape(const Kernel& kernel) {
    count("launch__grid_size", "", kernel.range.group_count());
    count("launch__block_size", "", kernel.range.group_size());
    count("launch__thread_count", "thread", kernel.range.group_count() * kernel.range.group_size());
    if (kernel.needs.registers > 0) count("launch__registers_per_thread", "register/thread", kernel.needs.registers);
    const SlmRequest& slm = kernel.needs.slm;
    count("launch__shared_mem_per_block_static", "byte/block",
          static_cast<std::uint64_t>(slm.total.count - slm.dynamic.count));
    count("launch__shared_mem_per_block_dynamic", "byte/block", static_cast<std::uint64_t>(slm.dynamic.count));
    if (kernel.cluster_size() > 1) count("launch__cluster_size", "", kernel.cluster_size());
    count("launch__sm_count", "SM", report_.device.cores);
  }

  void limits(const Kernel& kernel) {
    const ResourceLimits limits = limits_of(kernel, report_.device);
    for (const auto& [resource, metric] : kBlockLimits)
      if (const auto blocks = limits.limit_of(resource)) count(metric, "block", *blocks);
    if (const std::uint64_t per_wave = work_groups_per_wave(kernel, report_.device))
      row("launch__waves_per_multiprocessor", "", to_fixed({kernel.range.group_count(), per_wave}, 2));
    row("sm__maximum_warps_per_active_cycle_pct", "%",
        to_fixed({UInt128{100} * limits.work_groups_per_core() * kernel.threads_per_work_group(),
                  report_.device.contexts_per_core()},
                 2));
  }

  void activity(const LaunchRecord& life) {
    row("sm__warps_active.avg.pct_of_peak_sustained_active", "%", to_fixed(report_.record.achieved_occupancy(life), 2));
    row("sm__warps_active.avg.per_cycle_active", "warp",
        to_fixed({static_cast<UInt128>(life.resident_time), static_cast<UInt128>(life.core_time)}, 2));
  }

  static UInt128 picoseconds_of(Duration time) { return static_cast<UInt128>(time.count); }

  void count(std::string_view metric, std::string_view unit, std::uint64_t value) {
    row(metric, unit, std::to_string(value));
  }
  void row(std::string_view metric, std::string_view unit, std::string_view value) {
    csv_.cells(launch_cells_);
    csv_.text(metric).text(unit).text(value);
    csv_.end_row();
  }

  const RunReport& report_;
  CsvWriter csv_;
  bool has_times_;
  std::vector<std::uint64_t> ended_launches_;
  std::string launch_cells_;
};

}  // namespace

void write_ncu_metrics_csv(const RunReport& report, Sink& sink) { NcuMetricsWriter(report, sink).write(); }

}  // namespace gdsim
