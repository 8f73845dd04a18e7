#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/device/clock_schedule.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

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
