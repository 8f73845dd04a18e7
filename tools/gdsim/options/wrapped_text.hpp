#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// The columns of a line of help.
inline constexpr std::size_t kHelpWidth = 100;

/// Returns the words of `text` in lines of at most kHelpWidth columns. Each line but the first begins with `indent`
/// spaces; the first one continues at column `indent`. Line ends and runs of spaces count as one space. A longer word
/// has a line of its own.
std::string wrapped_text(std::string_view text, std::size_t indent);

/// Wraps each paragraph; empty lines separate paragraphs. Lines that begin with a space stay as they are.
std::string wrapped_paragraphs(std::string_view text);

}  // namespace gdsim::cli
