#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim {

/// The number of bytes at the beginning of `text` that form one well-formed UTF-8 character; 0 if none do.
std::size_t utf8_length(std::string_view text);

/// `text` with U+FFFD for every byte that belongs to no well-formed character, and for U+FFFE and U+FFFF, which XML
/// does not allow.
std::string well_formed(std::string_view text);

/// The longest prefix of `text` of at most this many bytes that ends between characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

}  // namespace gdsim
