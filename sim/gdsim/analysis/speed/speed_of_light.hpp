#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/device/clock_schedule.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// How much of a resource of the device was used in a time.
struct ResourceUse {
  std::string name;              ///< of a memory level, a kind of instruction, a direction of copies
  UInt128 amount = 0;            ///< bytes; operations of work-items, of `tensor_` kinds multiply-adds
  Ratio per_second;              ///< amount / the time
  std::optional<Ratio> percent;  ///< of the peak; nullopt: the model has no peak
};

/// How near a run, or a kernel of it, came to the peaks of its device. Without what was not used.
struct SpeedOfLight {
  std::vector<ResourceUse> memory;  ///< fastest level first
  std::vector<ResourceUse> pipes;   ///< by kind of instruction, in the device's order
  std::optional<Ratio> issue;       ///< percent of all issue slots
  std::optional<Ratio> l1;  ///< percent of the time of all cores' pipes to L1 and SLM; of the busier if they differ
  std::optional<Ratio> atomics;     ///< percent of the time in which global atomic accesses were served
  std::vector<ResourceUse> copies;  ///< to and from the device; the percentage is of the time of the copy engines
  std::optional<Ratio> links;       ///< percent of the run in which data go over links of this device
};

/// The resource that was nearest to its peak.
struct NearestPeak {
  std::string name;  ///< `HBM3`, `tensor_bf16`, `issue slots`, `L1`, `atomics`, `copy engines`, `links`
  Ratio percent;
};

/// Returns the use over the run's active time (RunRecord::active()), or for copies and links over its duration. Empty
/// unless the run has completed with a meaning of time.
SpeedOfLight speed_of_light(const RunReport& report);
/// Returns, by kernel, the use by its launches alone over the time in which one of them is active.
std::vector<SpeedOfLight> speed_of_kernels(const RunReport& report);
/// Returns, by launch, the resource nearest to its peak while the launch is active, others included. What a launch uses
/// is spread evenly over its time, and the launches of a kernel use equal parts of its memory traffic.
std::vector<std::optional<NearestPeak>> bounds_of_launches(const RunReport& report);

/// Returns the resource nearest to its peak, or nullopt if none has a peak.
std::optional<NearestPeak> nearest_to_peak(const SpeedOfLight& speed);

/// The use of a resource in words.
struct UseRow {
  std::string name;
  std::string rate;  ///< `2.90 TB/s`; of `tensor_` kinds two operations for each multiply-add; empty: only a percentage
  std::optional<Ratio> percent;  ///< of its peak; nullopt: the model has none
};
std::vector<UseRow> use_rows(const SpeedOfLight& speed);

/// `HBM3 2.90 TB/s (96 %), tensor_bf16 818 TFLOP/s (83 %), issue slots 12 %`; empty if nothing was used.
std::string achieved_words(const SpeedOfLight& speed);

/// The theoretical and the achieved occupancy of the kernel whose launch lasted longest.
struct OccupancyAnswer {
  Ratio theoretical;  ///< percent of a core's contexts that fit
  std::string limit;  ///< names of the resources that let no more fit: `registers`, `slm+registers`; `grid`: nothing
  Ratio achieved;     ///< percent, RunRecord::achieved_occupancy()
  Ratio waves;        ///< work-groups of a launch / those that fit on the device at once
  std::string kernel = {};  ///< empty if it is the only one
};
std::optional<OccupancyAnswer> occupancy_answer(const RunReport& report);

/// `theoretical 75.0 % (registers), achieved 70.6 %, 10.3 waves`; of several kernels: `achieved 70.6 % over the run;
/// theoretical 75.0 % (registers) and 10.3 waves are of gemm, which lasts longest`
std::string occupancy_words(const OccupancyAnswer& occupancy);

/// What each kernel of a completed run used of the resources of engines, cores and memory, and what these could serve.
class UseInLaunches {
 public:
  enum class Type : std::uint8_t { level, pipe, issue, l1, slm, atomics };

  struct Resource {
    Type kind{};
    std::string name;  ///< of a memory level, or of a kind of instruction
    UInt128 rate = 0;  ///< of the device: bytes per second, or millionths per clock cycle; 0: no peak is known
  };

  /// `report` must outlive this.
  explicit UseInLaunches(const RunReport& report);

  const std::vector<Resource>& resources() const { return resources_; }
  /// Returns, by resource, what all launches of the kernel used: bytes, operations, or cycles.
  const std::vector<UInt128>& of_kernel(std::size_t kernel) const { return used_[kernel]; }
  /// Returns, by resource, the most that can be served in this time.
  std::vector<UInt128> capacities(SimTime begin, SimTime end) const;
  /// Returns, by launch, then resource, what all kernels use while the launch is active. Each launch uses an equal part
  /// of what its kernel uses, evenly over its active time.
  std::vector<std::vector<UInt128>> while_launches_are_active() const;

 private:
  void add_resources();
  void add_use_of_kernels();
  /// Returns clock frequency x picoseconds.
  UInt128 hertz_picoseconds(SimTime begin, SimTime end) const;

  const RunReport& report_;
  ClockSchedule clocks_;
  std::vector<Resource> resources_;
  std::vector<std::uint64_t> launches_;     ///< by kernel, those of this device
  std::vector<std::vector<UInt128>> used_;  ///< by kernel, then resource
};

}  // namespace gdsim
