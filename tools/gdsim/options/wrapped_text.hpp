#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// The columns of a line of help.
inline constexpr std::size_t kHelpWidth = 100;

/// The words of `text` in lines of at most kHelpWidth columns, each line but the first behind `indent` spaces; the
/// first one begins at column `indent`. Line ends and runs of spaces count as one space. A longer word has a line of
/// its own.
std::string wrapped_text(std::string_view text, std::size_t indent);

/// Paragraphs, with an empty line between them, each wrapped. Lines that begin with a space stay as they are.
std::string wrapped_paragraphs(std::string_view text);

}  // namespace gdsim::cli
