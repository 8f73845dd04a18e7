#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim {

/// Iterates over the lines of a tool's output.
class TextLines {
 public:
  explicit TextLines(const SourceText& source) : source_(source), rest_(source.text()) {}

  /// Returns the next line without its end, or nullopt after the last one.
  std::optional<std::string_view> next() {
    if (is_done_) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    is_done_ = end == std::string_view::npos;
    if (!is_done_) rest_.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return line;
  }

  /// The number of the last returned line, from 1.
  std::uint32_t number() const { return number_; }

  /// Throws InputError at the last returned line.
  [[noreturn]] void fail(const std::string& message) const {
    Diagnostics problems;
    problems.add({&source_, number_, 1}, message);
    throw InputError(problems.problems());
  }

 private:
  const SourceText& source_;
  std::string_view rest_;
  std::uint32_t number_ = 0;
  bool is_done_ = false;
};

/// Returns the whole number directly before `unit` in `line`: 256 in `12 registers, 256 bytes smem` for ` bytes smem`.
/// Returns nullopt if the unit is missing, or no number precedes it.
inline std::optional<std::uint64_t> number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(line.data() + begin, line.data() + end, value);
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  return begin < end && error == std::errc{} && rest == line.data() + end && value <= most ? std::optional(value)
                                                                                           : std::nullopt;
}

/// Returns the whole number after `key`, or nullopt: 12 in `REG:12 STACK:0` for `REG:`.
inline std::optional<std::uint64_t> number_behind(std::string_view line, std::string_view key) {
  const std::size_t begin = line.find(key);
  if (begin == std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  const char* first = line.data() + begin + key.size();
  const auto [rest, error] = std::from_chars(first, line.data() + line.size(), value);
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  return rest != first && error == std::errc{} && value <= most ? std::optional(value) : std::nullopt;
}

}  // namespace gdsim
