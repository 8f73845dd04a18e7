#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// Returns `text` as one line that is safe to print on a terminal. All names and texts of files are printed through it.
/// Well-formed UTF-8 is unchanged, except for characters that a terminal could interpret. These are escaped: control
/// characters (`\n`, `\t`, `\x1b`), C1 controls and controls of the writing direction (`\u009b`, `\u202e`), and bytes
/// that are not UTF-8 (`\x9b`).
std::string printable(std::string_view text);

/// As printable(), for text of several lines: line feeds are kept.
std::string printable_lines(std::string_view text);

/// Returns a user's text as messages quote it: printable, in quotes, and truncated if it is long: `'9x'`, `'aaa...'`.
std::string in_quotes(std::string_view text);

/// Returns true if a spreadsheet would read this text as a formula: it begins with = + - @, a tab or a carriage return.
bool begins_as_formula(std::string_view text);

/// Returns a message shortened for people: words of more than 400 characters and messages of more than 8,000 lose their
/// middle, which is replaced by the number of omitted bytes.
std::string readable(std::string message);

}  // namespace gdsim
