#pragma once

#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <array>
#include <cstdint>

namespace gdsim {

/// The warps of a work-group that are executed.
enum class RunWarps : std::uint8_t { all, first_and_last };

/// The part of a work-group that is executed.
struct RunExtent {
  RunWarps warps{};
  std::uint64_t max_instructions = ~std::uint64_t{0};  ///< of all warps; the rest is left out
};

/// Executes a work-group: in each round, every warp executes one basic block; warps wait for each other at barriers.
void run_group(const PreparedKernel& kernel, const PtxLaunch& launch, const std::array<std::uint64_t, 3>& group,
               BlockLog& log, UnresolvedInputs& unresolved, const RunExtent& extent = {});

/// The position of a work-group with this number; x runs fastest.
std::array<std::uint64_t, 3> position_of(const PtxLaunch& launch, std::uint64_t group);

}  // namespace gdsim
