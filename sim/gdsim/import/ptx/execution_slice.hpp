#pragma once

#include <gdsim/import/ptx/prepared_kernel.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

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
    if (source.kind == ValueSource::Kind::reg) use(source.index);
  for (const ValueSource* source : {&instruction.address, &instruction.amount})
    if (source->kind == ValueSource::Kind::reg) use(source->index);
}

}  // namespace gdsim
