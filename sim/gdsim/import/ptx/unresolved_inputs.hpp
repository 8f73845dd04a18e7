#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What the code and the launch of a kernel leave open, each once, with its line and the option that resolves it; and
/// those of these options that were needed. Of PTX and AMDGPU assembly.
class OpenInputs {
 public:
  /// Refuses the instruction; no option resolves it.
  void refuse(std::uint32_t instruction, const std::string& why);

  bool empty() const { return problems_.empty(); }
  /// Throws InputError with everything that is unresolved, and all options that were not needed.
  void throw_if_any();

 protected:
  /// A branch back to a loop's head, or out of it.
  struct LoopBranch {
    std::string name;             ///< of the loop
    bool taken_stays = false;     ///< in the loop
    bool is_at_end = false;       ///< it leads to the head
    std::uint64_t iteration = 0;  ///< from 1
  };

  explicit OpenInputs(const PtxLaunch& launch) : launch_(launch) {}
  ~OpenInputs() = default;

  virtual SourceMark mark_of(std::uint32_t instruction) const = 0;
  /// A reason that --arg resolves needs no other option.
  static bool is_answered_by_argument(const std::string& why) { return why.find("--arg") != std::string::npos; }
  /// Sectors of a request whose address is not known for this reason; `how` describes the option. Nothing without it.
  std::optional<std::uint32_t> gathered(std::uint32_t instruction, const std::string& why, std::string_view how);
  /// Return whether a branch is taken that is not known for this reason.
  bool is_repeated(std::uint32_t instruction, const std::string& why, const LoopBranch& branch);
  bool is_taken(std::uint32_t instruction, const std::string& why);

  const PtxLaunch& launch_;
  std::set<std::uint32_t> used_branches_;  ///< lines

 private:
  Diagnostics problems_;
  std::set<std::uint32_t> refused_;   ///< instructions
  std::set<std::string> used_trips_;  ///< names of loops
  bool is_gather_used_ = false;
};

/// The inputs that a kernel's PTX and arguments leave open.
class UnresolvedInputs final : public OpenInputs {
 public:
  UnresolvedInputs(const PreparedKernel& kernel, const PtxLaunch& launch, const SourceText& source)
      : OpenInputs(launch), kernel_(kernel), source_(source) {}

  /// Sectors of a request whose address is not known; nothing if no option gives them: then that is unresolved.
  std::optional<std::uint32_t> sectors_of(std::uint32_t instruction, const LaneValues& address);
  /// Returns whether all lanes take a branch with a predicate that is unknown in some lanes. `iterations` are those of
  /// each loop, from 1. If no option resolves the branch, adds it.
  bool resolve_branch(std::uint32_t instruction, const LaneValues& predicate,
                      const std::vector<std::uint64_t>& iterations);
  /// Adds an unknown predicate of an instruction other than a branch.
  void add_predicate(std::uint32_t instruction, const LaneValues& predicate);

 private:
  SourceMark mark_of(std::uint32_t instruction) const override;
  std::string reason(const LaneValues& unknown) const;
  std::string loop_name(std::uint32_t loop) const;
  std::optional<std::uint32_t> loop_left_by(std::uint32_t block, std::uint32_t target) const;

  const PreparedKernel& kernel_;
  const SourceText& source_;
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
