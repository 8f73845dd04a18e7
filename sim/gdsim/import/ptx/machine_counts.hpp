#pragma once

#include <gdsim/import/nvidia/machine_code.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// What the counts of a kernel's machine code are used for.
struct MachineCodeUse {
  std::vector<std::string> notes;  ///< for people: where counts are from
  /// By loop of PTX, or nothing for what is in none: cycles for which the compiler holds a warp back in one iteration,
  /// with all loops in it, which have 0.
  std::map<std::optional<std::uint32_t>, double> stalls;
  bool is_complete = false;  ///< no loop keeps the counts of PTX
};

/// Gives the instructions of a loop of PTX, with all loops in it, the counts by kind of the machine code that does the
/// same: its costs and its instructions per request are scaled, so that an iteration has the machine code's. That is
/// certain if a loop of the machine code without another one in it, and without a call, moves as many bytes to and from
/// global and to shared memory, has as many barriers, and as many products and sums of fp32 within 2 %, as a whole
/// number of iterations of PTX, as they were executed: the compiler has unrolled so many. Of several, that with the
/// most iterations is meant, for the others do the rest. Likewise for what is outside of loops, and for a kernel whose
/// machine code has none. Branches and all that devices have no kind for count as `int32`.
MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel);

}  // namespace gdsim
