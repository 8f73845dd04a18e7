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
  /// By loop of PTX, or nothing for what is in none: the cycles that a warp takes at least for one iteration, with all
  /// loops in it, which have 0.
  std::map<std::optional<std::uint32_t>, double> stalls;
  bool is_complete = false;     ///< nothing keeps the counts of PTX
  bool joins_accesses = false;  ///< it has fewer accesses than PTX: their lines and bank cycles are not known
  bool counts_pairs = false;    ///< it has packed instructions of fp32, which count twice
};

/// Gives the instructions of a loop of PTX, with all loops in it, the counts by kind of the machine code that does the
/// same: its costs and its instructions per request are scaled, so that an iteration has the machine code's.
///
/// Candidates are the loops of the machine code without another one in them, and without a call, that move as many
/// bytes to and from global and shared memory, with as many barriers and atomic accesses, and as many products and sums
/// of fp32 within 2 %, as a whole number of iterations of PTX, as they were executed, or as a loop that was not says:
/// the compiler has unrolled so many. Of several, the one with the most iterations is meant, for the others do the
/// rest; two with as many leave it open. A candidate of several loops of PTX leaves it open too, unless these have as
/// many candidates as they are, all with as many iterations: they follow each other in one order. What changes the
/// order of the loops is no match. So are counts given to what is outside of loops, and to a kernel whose machine code
/// has none.
///
/// Branches and all that devices have no kind for count as `int32`.
MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel);

}  // namespace gdsim
