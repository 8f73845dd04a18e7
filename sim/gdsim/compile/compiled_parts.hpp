#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>
#include <gdsim/fit/footprint_table.hpp>
#include <gdsim/program/program_plans.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gdsim {

/// Everything that a run needs before it begins: made once, never changed.
struct CompiledParts {
  static const CompiledParts& of(const Compiled& compiled) { return *compiled.parts_; }
  /// Returns a Compilation of parts that were made with `new`. They are deleted with the last copy of the Compiled.
  static Compilation share(const CompiledParts* parts) { return Compilation(Compiled(parts)); }
  /// Returns a Compilation without a Compiled. There must be at least one issue.
  static Compilation refuse(Issues issues) { return Compilation(std::move(issues)); }

  DeviceSpec device;
  DispatchRules rules;
  std::shared_ptr<const Workload> workload;  ///< children included; never null
  ProgramPlans plans;                        ///< of the kernels of the workload
  LaunchGraph graph;                         ///< without a cycle
  FootprintTable footprints;
  PolicyCatalog policies;
  mutable std::atomic<std::size_t> owners = 0;  ///< number of Compiled that share it
};

/// Returns the dependencies between launches of a compiled workload: one graph for all its readers.
inline const LaunchGraph& graph_of(const Compiled& compiled) { return CompiledParts::of(compiled).graph; }

}  // namespace gdsim
