#pragma once

#include <gdsim/import/ptx/prepared_kernel.hpp>
#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A loop in no other one, each of whose iterations does the same as the one before: what it adds to a register is
/// always the same, and only the branch that leaves it looks at what changes. So some iterations stand for all.
struct RegularLoop {
  struct Register {
    std::uint32_t index = 0;
    unsigned bits = 64;  ///< of its value
    bool grows = false;  ///< by the same amount in each iteration; else it keeps its value
  };
  std::uint32_t compare = 0;      ///< the instruction that decides whether it goes on
  std::vector<Register> written;  ///< the needed registers that it writes, without predicates
};

/// By loop; nothing: it is not regular. `slice` is that of the execution.
std::vector<std::optional<RegularLoop>> regular_loops(const PreparedKernel& kernel, const ExecutionSlice& slice);

}  // namespace gdsim
