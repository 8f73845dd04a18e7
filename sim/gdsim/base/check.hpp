#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {

[[noreturn, gnu::cold]] void raise_defect(const char* condition, const char* file, int line, const std::string& detail);
/// As above, for a literal: the caller constructs no string.
[[noreturn, gnu::cold]] void raise_defect(const char* condition, const char* file, int line, const char* detail);

/// Defects that tests inject into a run, to verify that its checks find them. None by default.
struct FaultInjection {
  /// The number, from 0, of a release that is not booked on its core.
  std::optional<std::uint64_t> lost_release;
};

}  // namespace gdsim

/// Throws DefectError (base/diagnostic) when `condition` is false. Always on: a wrong result is worse than a branch.
#define GDSIM_CHECK(condition, detail)                               \
  do {                                                               \
    if (!(condition)) [[unlikely]]                                   \
      ::gdsim::raise_defect(#condition, __FILE__, __LINE__, detail); \
  } while (false)
