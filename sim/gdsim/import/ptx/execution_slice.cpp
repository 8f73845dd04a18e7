#include <gdsim/import/ptx/execution_slice.hpp>

#include <algorithm>

namespace gdsim {
namespace {

bool is_access(PtxRole role) {
  return role == PtxRole::load || role == PtxRole::store || role == PtxRole::atomic || role == PtxRole::copy;
}

bool follows(Followed followed, const PtxClass& traits) {
  if (followed == Followed::all && traits.role == PtxRole::await) return true;
  if (!is_access(traits.role) || followed == Followed::control) return false;
  return followed == Followed::all || (traits.space != PtxSpace::shared && traits.space != PtxSpace::local);
}

/// Returns true if the instruction matters whatever becomes of its result.
bool is_root(const PreparedInstruction& instruction, bool is_followed) {
  const PtxRole role = instruction.traits.role;
  return is_followed || instruction.leaves_flow || role == PtxRole::end || role == PtxRole::barrier ||
         role == PtxRole::branch;
}

/// One call of slice_of().
class SliceSearch {
 public:
  SliceSearch(const PreparedKernel& kernel, Followed followed)
      : kernel_(kernel), needed_(kernel.kernel->registers.size()), is_taken_(kernel.instructions.size()) {
    for (const PreparedInstruction& instruction : kernel.instructions)
      slice_.is_followed.push_back(follows(followed, instruction.traits));
  }

  ExecutionSlice found() {
    while (take_more()) {
    }
    number_registers();
    for (const BasicBlock& block : kernel_.flow.blocks) {
      slice_.by_block.emplace_back();
      for (std::uint32_t i = block.begin; i < block.end; ++i)
        if (is_taken_[i] && kernel_.instructions[i].traits.role != PtxRole::branch) slice_.by_block.back().push_back(i);
    }
    return std::move(slice_);
  }

 private:
  /// Takes instructions whose results are needed, from the last to the first. Returns true if there were any.
  bool take_more() {
    bool has_taken = false;
    for (std::size_t i = kernel_.instructions.size(); i-- > 0;) {
      const PreparedInstruction& instruction = kernel_.instructions[i];
      if (is_taken_[i] || !(is_root(instruction, slice_.is_followed[i]) || writes_needed(instruction))) continue;
      is_taken_[i] = has_taken = true;
      if (is_access(instruction.traits.role) && !slice_.is_followed[i]) {
        if (instruction.predicate) needed_[*instruction.predicate] = true;
      } else {
        for_each_source(instruction, [&](std::uint32_t reg) { needed_[reg] = true; });
      }
    }
    return has_taken;
  }

  bool writes_needed(const PreparedInstruction& instruction) const {
    return std::any_of(instruction.destinations.begin(), instruction.destinations.end(),
                       [&](std::uint32_t reg) { return needed_[reg]; });
  }

  void number_registers() {
    for (const bool is_needed : needed_) slice_.slot.push_back(is_needed ? slice_.slots++ : ExecutionSlice::kNoSlot);
  }

  const PreparedKernel& kernel_;
  std::vector<bool> needed_;  ///< by register
  std::vector<bool> is_taken_;
  ExecutionSlice slice_;
};

}  // namespace

ExecutionSlice slice_of(const PreparedKernel& kernel, Followed followed) {
  return SliceSearch(kernel, followed).found();
}

}  // namespace gdsim
