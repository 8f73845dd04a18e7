#pragma once

#include <gdsim/import/amd/gcn/gcn_class.hpp>
#include <gdsim/import/amd/gcn/gcn_kernel.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

inline constexpr std::size_t kMaxGcnLoops = 1'000;

/// Code from a branch's target to the last branch back to it.
struct GcnLoop {
  std::uint32_t begin = 0;  ///< instruction
  std::uint32_t end = 0;    ///< the first one behind it
  std::optional<std::uint32_t> parent{};

  bool holds(std::uint32_t instruction) const { return instruction >= begin && instruction < end; }
};

/// A kernel that can be executed.
struct GcnProgram {
  const GcnKernel* kernel = nullptr;
  std::vector<GcnClass> classes;       ///< by instruction
  std::vector<bool> is_needed;         ///< by instruction: addresses or branches depend on its result
  std::vector<std::uint32_t> targets;  ///< by instruction, of branches
  std::vector<GcnLoop> loops;          ///< outer ones first; one more than kMaxGcnLoops if there are too many
  std::vector<std::uint32_t> around;   ///< by instruction: the innermost loop, plus 1; 0: none

  /// Returns the innermost loop with this instruction.
  std::optional<std::uint32_t> loop_around(std::uint32_t instruction) const {
    const std::uint32_t loop = instruction < around.size() ? around[instruction] : 0;
    return loop == 0 ? std::nullopt : std::optional(loop - 1);
  }
  /// Returns the loop that begins with this instruction; no two do.
  std::optional<std::uint32_t> loop_at(std::uint32_t instruction) const {
    const auto loop = loop_around(instruction);
    return loop && loops[*loop].begin == instruction ? loop : std::nullopt;
  }
};

/// Finds classes, loops, and the instructions whose results matter. `kernel` must outlive the program. A branch without
/// a label as its target becomes unsupported.
GcnProgram gcn_program_of(const GcnKernel& kernel);

}  // namespace gdsim
