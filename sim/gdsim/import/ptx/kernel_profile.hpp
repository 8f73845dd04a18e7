#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/trips/trip_expressions.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Iterations of a loop as an expression of the work-group's place in the grid.
struct TripsByGroup {
  std::string name;     ///< `group`, `group_x`, ...
  TripExpression line;  ///< its argument means nothing
  std::int64_t at = 0;  ///< the value of the name for the busiest work-group
};

/// How the work-groups of a launch differ in control flow, as far as some of them show.
struct WorkGroupSamples {
  std::uint64_t busiest =
      0;  ///< the work-group that executes most, neither the first nor the last one if there are others
  std::map<std::uint32_t, TripsByGroup> trips;  ///< by loop: those that differ
  std::string note;                             ///< unless empty, how some differ
  std::string reason;  ///< unless empty, why no program stands for all: they differ, and not by trip counts alone
};

inline constexpr std::uint64_t kSampledGroups = 17;

/// Follows the control flow of the first and the last warp of kSampledGroups work-groups, evenly over the grid, the
/// first, the middle and the last one among them. Work-groups at the ends may do less: guards. If others differ by more
/// than 2 %, the trips of their loops must be expressions of their place, or all together differ by no more.
WorkGroupSamples sample_groups(const PreparedKernel& kernel, const PtxLaunch& launch, UnresolvedInputs& unresolved,
                               std::uint64_t max_instructions);

/// What the counts of a kernel's machine code are used for.
struct MachineCodeUse {
  std::vector<std::string> notes;  ///< for people: where counts are from
  /// By loop of PTX, or nothing for what is in none: the cycles that a warp takes at least for one iteration, with all
  /// loops in it, which have 0.
  std::map<std::optional<std::uint32_t>, double> stalls;
  bool is_complete = false;     ///< nothing keeps the counts of PTX
  bool joins_accesses = false;  ///< it has fewer accesses than PTX: their lines and bank cycles are not known
};

/// Gives the instructions of a loop of PTX, with all loops in it, the counts by kind of the machine code that does the
/// same: its costs and its instructions per request are scaled, so that an iteration has the machine code's.
///
/// Candidates are the loops of the machine code without another one in them, and without doubts, in as many others as
/// the loop of PTX, that do as much as a whole number of its iterations: they move as many bytes to and from global and
/// shared memory, with as many barriers and atomic accesses, and as many products and sums of fp32 within 2 %. The
/// compiler has unrolled it so many times, and its trips are a multiple of them. A loop behind `.pragma "nounroll"`, as
/// nvcc makes for what is left of an unrolled one, is not unrolled. A loop that was not executed does what each of its
/// instructions does once. The candidate with the most iterations is meant, for the others do the rest. Another one
/// with as many leaves it open, and so does another loop of PTX whose candidate it is.
///
/// So are counts given to what is outside of loops, if every warp executes all of it, for no branch skips some, and
/// each loop of PTX has a candidate; and to all of a kernel whose machine code has no loop.
///
/// Branches and all that devices have no kind for count as `int32`.
MachineCodeUse use_machine_code(const MachineCode& code, const ExecutionCounts& counts, PreparedKernel& kernel);

/// The conditions under which a kernel's work-groups are executed.
struct ProfileRequest {
  PtxLaunch launch;
  std::size_t l1_sectors = 0;         ///< capacity of L1 for one work-group
  std::uint64_t resident_groups = 1;  ///< at once on the device
  const MachineCode* code = nullptr;  ///< null: only PTX is known
};

/// The execution of a kernel's work-groups: of the one that executes most among some, and of the beginning of a wave of
/// work-groups.
struct KernelProfile {
  std::shared_ptr<const PreparedKernel> kernel;
  AccessWidths widths;
  std::shared_ptr<BlockLog> log;  ///< of that work-group
  std::uint64_t warps = 0;        ///< of a work-group
  std::uint64_t groups = 0;
  std::uint64_t followed_groups = 0;  ///< those whose beginning was executed, to find common accesses
  double distinct_loads = 1;          ///< distinct sectors that the wave's loads request from L2 / all of them
  double distinct_stores = 1;         ///< the same for its stores
  double loaded_footprint = 0;        ///< bytes that the whole launch loads, if later waves load others
  bool has_warm_l2 = false;           ///< L2 holds it before the launch, as far as it fits
  std::map<PtxArgument, std::uint64_t> arguments;
  LoopTrips trips;
  WorkGroupSamples samples;
  std::map<std::uint32_t, AtomicAddresses> atomics;  ///< by instruction
  MachineCodeUse machine_code;
  std::vector<std::string> notes;
};

/// Maximum of warp instructions that are executed for one kernel.
inline constexpr std::uint64_t kMaxPtxInstructions = 100'000'000;

/// Throws InputError with everything that the kernel's PTX and the launch leave open.
KernelProfile profile_of(const PtxKernel& kernel, const ProfileRequest& request, const SourceText& source);

}  // namespace gdsim
