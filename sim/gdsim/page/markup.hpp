#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim {

/// Escapes `text` for HTML and XML, in content and in quoted attributes. Markup becomes references, and control
/// characters become blanks. What is not well-formed UTF-8 or not allowed in XML becomes U+FFFD.
std::string markup_text(std::string_view text);

/// Returns at most `max` bytes of a text, with an ellipsis for the omitted rest.
std::string shortened(std::string_view text, std::size_t max);

/// `<div class="wide" ...>`: begins a box for a table, which scrolls, and can be scrolled by keyboard.
std::string table_box(std::string_view caption);

/// Returns `text` with a capital if it begins with an ASCII letter. For words, not for names.
std::string capitalized(std::string text);

}  // namespace gdsim
