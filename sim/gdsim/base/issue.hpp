#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// One reason for which something cannot run, and the field at fault.
struct Issue {
  /// From the arguments of compile() down: `launches[3].after[0]`, `kernels[1].local`, `device.slm.sizes`,
  /// `dispatch.placement`. Fields are called what a scenario file calls them; numbers are positions, from 0, except
  /// below `variation.work_groups`, where they are numbers of work-groups.
  std::string path;
  std::string message;  ///< what was found and what is allowed
  std::string code{};   ///< stable name if the device refuses the kernel, e.g. `slm_too_large`; else empty
  std::vector<std::string> others{};  ///< paths of all that take part, if it is about several
};

using Issues = std::vector<Issue>;

/// `launches[3].after[0]: there is no launch 9; the workload has 1, numbered from 0`.
std::string to_text(const Issue& issue);

/// `launches[3]`.
std::string item_path(std::string_view list, std::size_t index);

/// Appends `more` to `all`.
void append(Issues& all, Issues more);

}  // namespace gdsim
