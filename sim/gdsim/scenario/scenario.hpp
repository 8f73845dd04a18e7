#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/scenario/expectation.hpp>
#include <gdsim/workload/workload.hpp>

#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// What a scenario file says, read and checked: who runs what, and what should come out.
struct Scenario {
  std::string file;  ///< as it was named by who had it read
  std::string title;
  DeviceSpec device;
  DispatchRules dispatch;  ///< the device's, overridden key by key
  Workload workload;
  MinPhase min_phase;
  std::uint64_t repeat = 1;  ///< runs, with seeds one higher each
  std::vector<Expectation> expectations;
  /// Why the device refuses to run this, with the places. Empty if it can run. Kept only if an `expect: error` asks for
  /// it, or if this is one of several cases; else they are problems of the file.
  std::vector<Diagnostic> refusals;

  /// An item of `expect:` says that the device refuses it.
  bool expects_refusal() const;
};

/// One case of a scenario file; a file without `cases:` has one, without a name.
struct ScenarioCase {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values_set;  ///< path, value as written
  Scenario scenario;
  std::string
      effective;  ///< the scenario as it is run: the text of the file, or what the case and overrides make of it
};

}  // namespace gdsim
