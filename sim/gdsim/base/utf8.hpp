#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim {

/// Returns the number of bytes of the well-formed UTF-8 character at the beginning of `text`, or 0 if there is none.
std::size_t utf8_length(std::string_view text);

/// Returns `text` with U+FFFD in place of every byte that belongs to no well-formed character, and in place of U+FFFE
/// and U+FFFF, which XML does not allow.
std::string well_formed(std::string_view text);

/// Returns the longest prefix of `text` of at most `max_bytes` bytes that ends between characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace gdsim
