#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Instructions that are executed one after the other: only the last one may be a branch, an end or a barrier.
struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;                  ///< after its last instruction
  std::vector<std::uint32_t> successors;  ///< blocks; the target of a taken branch first
  std::optional<std::uint32_t> loop{};    ///< the innermost loop that contains it
};

/// A natural loop.
struct FlowLoop {
  std::uint32_t head = 0;                 ///< the block through which it is entered
  std::vector<std::uint32_t> blocks;      ///< ascending, those of inner loops included
  std::optional<std::uint32_t> parent{};  ///< the innermost loop around it

  bool holds(std::uint32_t block) const;
};

/// Blocks in the order of the file, and loops, outer loops before inner ones.
struct FlowGraph {
  std::vector<BasicBlock> blocks;
  std::vector<FlowLoop> loops;
  std::vector<std::uint32_t> block_at;  ///< by instruction
};

/// Throws InputError if a loop can be entered in several places, since its repeated part is then unknown.
FlowGraph flow_of(const PtxKernel& kernel);

}  // namespace gdsim
