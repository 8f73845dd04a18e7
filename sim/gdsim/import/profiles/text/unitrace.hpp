#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <optional>
#include <string_view>

namespace gdsim {

/// A device activity's name in unitrace: `GEMM[SIMD32 {1; 1024; 1} {1024; 1; 1}]` is a kernel with its work-groups and
/// their size, `zeCommandListAppendMemoryCopy(M2D)[4194304]` a copy with its bytes.
struct UnitraceName {
  std::string_view name;  ///< without the text in brackets
  ProfiledWork work = ProfiledWork::kernel;
  std::optional<std::uint32_t> simd{};
  Extent groups{};
  Extent group_size{};
  std::optional<std::uint64_t> bytes{};
  bool is_event = false;  ///< a barrier or the reset of an event: no work
};

/// Returns nullopt if the text is no such name: it has neither sizes nor bytes in brackets.
std::optional<UnitraceName> unitrace_name(std::string_view text);

/// Returns true if the text is output of unitrace (or onetrace): a timeline of the device (-t), or summaries (-d).
bool is_unitrace_text(std::string_view text);

/// Reads the launches of a timeline or, if there is none, those in the table of times, and the table of kernel
/// properties. Throws InputError with the line at fault.
void read_unitrace_text(const SourceText& source, Profile& profile);

}  // namespace gdsim
