#pragma once

#include <gdsim/report/text/run_text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Returns true if this file descriptor is a terminal that can place its cursor.
bool is_terminal(int descriptor);

/// Returns how many characters fit side by side on this terminal; 80 if it is none, or does not say.
std::size_t terminal_width(int descriptor);

/// Returns the glyphs that a terminal can show under the locale of the environment (LC_ALL, LC_CTYPE, LANG).
Glyphs terminal_glyphs();

/// The columns of a line of help.
inline constexpr std::size_t kHelpWidth = 100;

/// Returns the words of `text` in lines of at most kHelpWidth columns. Each line but the first begins with `indent`
/// spaces; the first one continues at column `indent`. Line ends and runs of spaces count as one space. A longer word
/// has a line of its own.
std::string wrapped_text(std::string_view text, std::size_t indent);

/// Wraps each paragraph; empty lines separate paragraphs. Lines that begin with a space stay as they are.
std::string wrapped_paragraphs(std::string_view text);

/// Puts a text in single quotes so that a POSIX shell reads it back.
std::string single_quoted(std::string_view text);

/// Returns a text as a person would type it: in quotes only where a shell needs them.
std::string shell_word(const std::string& text);

}  // namespace gdsim::cli
