#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/int128.hpp>
#include <gdsim/record/launch_record.hpp>

#include <optional>

namespace gdsim {

/// Contexts of one core that nobody held, over the time in which a kernel's next work-group could not come there for
/// this reason; without kernel and reason: nothing waited to be dispatched.
struct IdleUse {
  CoreId core{};
  std::optional<KernelId> kernel;
  std::optional<WaitReason> reason;
  Int128 context_time = 0;  ///< context-picoseconds
};

}  // namespace gdsim
