#pragma once

#include <gdsim/analysis/device_report.hpp>
#include <gdsim/points/kept_run.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim {

/// A scenario of several devices, run, with everything that was to be kept of each. Any number of threads may read one.
class KeptDevices {
 public:
  /// Adds observers for the device of this number to its options.
  using Attach = std::function<void(std::size_t device, const Compiled& compiled, RunOptions& options)>;

  /// The scenario must outlive this, and has `devices`. Throws InputError as KeptRun does.
  KeptDevices(const Scenario& scenario, const std::set<Keeps>& keeps, const SwitchedRunOptions& options,
              std::optional<Duration> sample = std::nullopt, const Attach& attach = {});

  /// Of all devices together, see common_record().
  const RunRecord& record() const { return all_; }
  const std::vector<std::unique_ptr<KeptRun>>& devices() const { return devices_; }
  /// By device, with what was changed in the scenario before it ran.
  std::vector<DeviceReport> reports(const std::vector<std::string>& changes = {}) const;

 private:
  const Scenario& scenario_;
  std::vector<std::unique_ptr<KeptRun>> devices_;
  RunRecord all_;
};

}  // namespace gdsim
