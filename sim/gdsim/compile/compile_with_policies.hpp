#pragma once

#include <gdsim/compile/compile.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>

namespace gdsim {

/// compile() with the placements of another catalog. Not installed: for programs that are built together with gdsim.
Compilation compile(DeviceSpec device, DispatchRules rules, Workload workload, const PolicyCatalog& policies);

}  // namespace gdsim
