#include <gdsim/import/demangled.hpp>

#include <gdsim/base/text.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxLength = std::uint64_t{1} << 24;

/// Returns an upper bound of the demangled length, or more than kMaxLength: back references let a short name describe
/// one of any length. The part to which `S3_` refers was complete before the first reference to a higher number, so it
/// is no longer than all that had been described by then.
std::uint64_t length_bound(std::string_view symbol) {
  std::uint64_t length = 0;
  std::vector<std::uint64_t> parts;  // bounds of the parts that can be referred to, by number
  for (std::size_t i = 0; i < symbol.size() && length <= kMaxLength; ++i) {
    length += 16;  // no letter abbreviates a longer word
    if (symbol[i] != 'S' && symbol[i] != 'T' && symbol[i] != 'p') continue;
    const bool is_part = symbol[i] == 'S';
    std::size_t end = i + 1;
    std::uint64_t number = 0;
    while (end < symbol.size() && (is_digit(symbol[end]) || (symbol[end] >= 'A' && symbol[end] <= 'Z'))) {
      const char c = symbol[end++];
      number = std::min<std::uint64_t>(number * 36 + static_cast<std::uint64_t>(is_digit(c) ? c - '0' : c - 'A' + 10),
                                       symbol.size());
    }
    if (end >= symbol.size() || symbol[end] != '_') continue;
    if (end > i + 1) ++number;
    if (!is_part) {
      length *= 2;
      continue;
    }
    if (parts.size() <= number) parts.resize(number + 1, length);
    length += parts[number];
  }
  return length;
}

/// The nested names up to the first template argument, or the symbol itself if there is none.
std::string first_part(std::string_view symbol) {
  std::string name;
  std::size_t at = symbol.find_first_of("123456789");
  while (at < symbol.size() && is_digit(symbol[at])) {
    std::size_t length = 0;
    while (at < symbol.size() && is_digit(symbol[at]) && length <= symbol.size())
      length = length * 10 + static_cast<std::size_t>(symbol[at++] - '0');
    if (length == 0 || length > symbol.size() - at) break;
    name += (name.empty() ? "" : "::") + std::string(symbol.substr(at, length));
    at += length;
  }
  return name.empty() ? std::string(symbol) : name + "<...>";
}

}  // namespace

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  if (length_bound(symbol) > kMaxLength) return first_part(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  // The name of one kernel may be long, but those of all may not be many times as long as the file.
  constexpr std::size_t max_growth = 32;
  constexpr std::size_t slack = 1024;
  const std::string_view name = status == 0 && text ? text.get() : "";
  return name.empty() || name.size() > max_growth * symbol.size() + slack ? first_part(symbol) : std::string(name);
}

std::string without_signature(std::string_view name) {
  // The parameters begin at the first bracket outside of template arguments, except for `(anonymous namespace)`.
  constexpr std::string_view anonymous = "(anonymous namespace)";
  std::size_t depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with(anonymous)) {
      i += anonymous.size() - 1;
    } else if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>' && depth > 0) {
      --depth;
    } else if (depth == 0 && name[i] == ' ') {
      begin = i + 1;  // the text before it is the type of the result
    } else if (depth == 0 && name[i] == '(') {
      return std::string(begin < i ? name.substr(begin, i - begin) : name);
    } else if (depth > 0 && name[i] == '(') {
      ++depth;  // a `>` within brackets does not close
    } else if (depth > 0 && name[i] == ')') {
      --depth;
    }
  }
  return std::string(name);
}

}  // namespace gdsim
