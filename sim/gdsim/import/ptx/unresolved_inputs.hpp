#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gdsim {

/// The options for what depends on data that have resolved something.
struct UsedOptions {
  std::set<std::string> trips;       ///< names of loops
  std::set<std::uint32_t> branches;  ///< lines
  bool is_gather = false;
};

/// Adds a problem for each of these options that has resolved nothing. Of PTX and AMDGPU assembly.
void add_problems_of_unused(const PtxLaunch& launch, const UsedOptions& used, Diagnostics& problems);

/// The inputs that a kernel's PTX and arguments leave open, each once, with its line and the option that resolves it;
/// and those of these options that were needed.
class UnresolvedInputs {
 public:
  UnresolvedInputs(const PreparedKernel& kernel, const PtxLaunch& launch, const SourceText& source)
      : kernel_(kernel), launch_(launch), source_(source) {}

  /// Sectors of a request whose address is not known; nothing if no option gives them: then that is unresolved.
  std::optional<std::uint32_t> sectors_of(std::uint32_t instruction, const LaneValues& address);
  /// Returns whether all lanes take a branch with a predicate that is unknown in some lanes. `iterations` are those of
  /// each loop, from 1. If no option resolves the branch, adds it.
  bool resolve_branch(std::uint32_t instruction, const LaneValues& predicate,
                      const std::vector<std::uint64_t>& iterations);
  /// Adds an unknown predicate of an instruction other than a branch.
  void add_predicate(std::uint32_t instruction, const LaneValues& predicate);

  /// Refuses the instruction; no option resolves it.
  void refuse(std::uint32_t instruction, const std::string& why) { add(instruction, why); }

  bool empty() const { return problems_.empty(); }
  /// Throws InputError with everything that is unresolved, and all options that were not needed.
  void throw_if_any();

 private:
  void add(std::uint32_t instruction, const std::string& what);
  std::string reason(const LaneValues& unknown) const;
  std::string loop_name(std::uint32_t loop) const;
  std::optional<std::uint64_t> trips_of(std::uint32_t loop, std::uint32_t branch);
  std::optional<std::uint32_t> loop_left_by(std::uint32_t block, std::uint32_t target) const;

  const PreparedKernel& kernel_;
  const PtxLaunch& launch_;
  const SourceText& source_;
  Diagnostics problems_;
  std::set<std::uint32_t> added_;  ///< instructions
  UsedOptions used_;
};

/// The accesses that an execution follows.
enum class Followed : std::uint8_t {
  control,  ///< none: only branches, barriers and ends
  global,   ///< all but those in shared memory
  all
};

/// The instructions on which control flow and the followed accesses depend. Nothing else is executed.
struct ExecutionSlice {
  std::vector<std::vector<std::uint32_t>> by_block;  ///< instructions, in order, without branches
  std::vector<bool> is_followed;                     ///< by instruction: an access that is logged
  std::vector<std::uint32_t> slot;                   ///< by register: its place in a warp; kNoSlot: it is not needed
  std::uint32_t slots = 0;

  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  bool needs(std::uint32_t reg) const { return slot[reg] != kNoSlot; }
};

ExecutionSlice slice_of(const PreparedKernel& kernel, Followed followed);

/// Calls `use` with each register that the instruction reads, its predicate included.
template <class Use>
void for_each_source(const PreparedInstruction& instruction, Use&& use) {
  if (instruction.predicate) use(*instruction.predicate);
  for (const ValueSource& source : instruction.sources)
    if (source.kind == ValueSource::Form::reg) use(source.index);
  for (const ValueSource* source : {&instruction.address, &instruction.amount})
    if (source->kind == ValueSource::Form::reg) use(source->index);
}

}  // namespace gdsim
