#include <gdsim/base/utf8.hpp>

#include <algorithm>
#include <cstdint>

namespace gdsim {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool is_continuation(std::uint32_t byte) { return (byte & 0xC0U) == 0x80U; }

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t first = byte_at(text, 0);
  const std::size_t length = first < 0x80    ? 1
                             : first >= 0xF5 ? 0  // no first byte of a character
                             : first >= 0xF0 ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC2 ? 2
                                             : 0;
  if (length <= 1) return length;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return 0;
    code = code << 6 | (byte_at(text, i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_no_character = (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return is_overlong || is_no_character ? 0 : length;
}

std::string well_formed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length);
    const bool is_allowed = length > 0 && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
    result += is_allowed ? character : std::string_view("\xEF\xBF\xBD");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && is_continuation(byte_at(text, end))) --end;
  return text.substr(0, end);
}

}  // namespace gdsim
