#include <gdsim/import/profiles/text/unitrace_name.hpp>

#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/work_named.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Removes `{1; 1024; 1}` from the beginning of `text` and returns the three numbers, or nullopt.
std::optional<Extent> take_braces(std::string_view& text) {
  const std::size_t open = text.find('{');
  const std::size_t close = text.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  std::string_view inside = text.substr(open + 1, close - open - 1);
  text.remove_prefix(close + 1);
  Extent extent{};
  for (std::size_t d = 0; d < extent.size(); ++d) {
    const std::size_t end = std::min(inside.find(';'), inside.size());
    std::string_view number = inside.substr(0, end);
    while (number.starts_with(' ')) number.remove_prefix(1);
    const auto size = whole_number(number, kMaxProfiledSize);
    if (!size) return std::nullopt;
    extent[d] = *size;
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return extent;
}

}  // namespace

std::optional<UnitraceName> unitrace_name(std::string_view text) {
  UnitraceName named;
  named.is_event = text.find("AppendBarrier") != std::string_view::npos ||
                   text.find("AppendEventReset") != std::string_view::npos ||
                   text.find("AppendSignalEvent") != std::string_view::npos ||
                   text.find("AppendWaitOnEvents") != std::string_view::npos;
  named.name = text;
  named.work = text.find("AppendMemory") != std::string_view::npos || text.starts_with("clEnqueue")
                   ? work_named(text)
                   : ProfiledWork::kernel;
  if (named.is_event) return named;
  if (!text.ends_with(']')) return std::nullopt;
  const std::size_t simd = text.rfind("[SIMD");
  if (simd == std::string_view::npos) {
    const std::size_t open = text.rfind('[');
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    named.bytes = whole_number(text.substr(open + 1, text.size() - open - 2), std::uint64_t{1} << 50);
    named.name = text.substr(0, open);
    return named.bytes ? std::optional(named) : std::nullopt;
  }
  named.name = text.substr(0, simd);
  named.work = ProfiledWork::kernel;
  std::string_view inside = text.substr(simd + 5);
  const std::size_t end = std::min(inside.find_first_of(" ,"), inside.size());
  if (const auto width = whole_number(inside.substr(0, end), 128)) named.simd = static_cast<std::uint32_t>(*width);
  const auto groups = take_braces(inside);
  const auto size = take_braces(inside);
  if (!groups || !size) return std::nullopt;
  named.groups = *groups;
  named.group_size = *size;
  return named;
}

}  // namespace gdsim
