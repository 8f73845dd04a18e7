#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim {

/// Returns the times in which each device transferred data over links, by device, then by begin: copies that it sends
/// or receives, and collectives from the instant at which the last of their devices joined. `all` must have each launch
/// of the host.
std::vector<std::vector<LinkSpan>> link_spans(const Scenario& scenario, const RunRecord& all);

/// A finished run of a scenario of several devices, with all data kept of each. Any number of threads may read one.
class KeptDevices {
 public:
  /// Adds observers for the device of this number to its options.
  using Attach = std::function<void(std::size_t device, const Compiled& compiled, RunOptions& options)>;

  /// Options of the run, besides those of each device.
  struct How {
    std::optional<Duration> sample{};  ///< the length of samples that will be written
    Attach attach{};
    Jobs jobs{};
    Pace pace = Pace::apart;  ///< `together` if observers of different devices share data
  };

  /// The scenario must have `devices` and outlive this. Throws InputError as KeptRun does.
  KeptDevices(const Scenario& scenario, const std::set<Keeps>& keeps, const InternalRunOptions& options,
              const How& how);

  /// Returns the record of all devices together, see common_record().
  const RunRecord& record() const { return all_; }
  const std::vector<std::unique_ptr<KeptRun>>& devices() const { return devices_; }
  /// Returns the reports by device, with the changes made to the scenario before the run.
  std::vector<DeviceReport> reports(const std::vector<std::string>& changes = {}) const;

 private:
  const Scenario& scenario_;
  std::vector<std::unique_ptr<KeptRun>> devices_;
  RunRecord all_;
};

}  // namespace gdsim
