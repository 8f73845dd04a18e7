#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// The steps of an imported kernel in a scenario, with comments on them.
struct ImportedProgram {
  std::vector<std::string> comments;  ///< above the kernel: bounds, accesses, what was assumed
  std::vector<std::pair<std::string, std::uint64_t>> parameters;
  std::optional<std::uint64_t> in_flight{};           ///< bytes of a thread
  std::optional<std::uint64_t> shared_working_set{};  ///< bytes
  std::string working_set_reason{};
  std::string partial_stores{};  ///< lines whose stores write parts of sectors, as in `57, 61`
  std::vector<std::string> steps;    ///< lines below `program:`, indented from there; empty: a placeholder
  std::vector<std::string> reasons;  ///< why it is a placeholder
};

}  // namespace gdsim
