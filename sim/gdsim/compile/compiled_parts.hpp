#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/program/program_plan.hpp>
#include <gdsim/workload/launch_graph.hpp>
#include <gdsim/workload/workload.hpp>

#include <memory>
#include <utility>

namespace gdsim {

/// Everything that a run needs before it begins: made once, never changed.
struct CompiledParts {
  static const CompiledParts& parts_of(const Compiled& compiled) { return *compiled.parts_; }
  /// Returns a Compilation of these parts, which last as long as the last copy of the Compiled.
  static Compilation share(CompiledParts parts) {
    return Compilation(Compiled(std::make_shared<const CompiledParts>(std::move(parts))));
  }
  /// Returns a Compilation without a Compiled. There must be at least one issue.
  static Compilation refuse(Issues issues) { return Compilation(std::move(issues)); }

  DeviceSpec device;
  DispatchRules rules;
  std::shared_ptr<const Workload> workload;  ///< children included; never null
  ProgramPlans plans;                        ///< of the kernels of the workload
  LaunchGraph graph;                         ///< without a cycle
  FootprintTable footprints;
  PlacementCatalog policies;
};

/// Returns the dependencies between launches of a compiled workload: one graph for all its readers.
inline const LaunchGraph& graph_of(const Compiled& compiled) { return CompiledParts::parts_of(compiled).graph; }

/// compile() with the placements of another catalog. Not installed: for programs that are built together with gdsim.
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload, const PlacementCatalog& policies);

}  // namespace gdsim
