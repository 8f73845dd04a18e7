#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// `text` as a terminal may show it, on one line: the only path by which names and files reach a terminal. Well-formed
/// UTF-8 stays as it is. Whatever a terminal could interpret is shown escaped: control characters (`\n`, `\t`, `\x1b`),
/// C1 controls and controls of the writing direction (`\u009b`, `\u202e`), bytes that are not UTF-8 (`\x9b`). A text
/// that is printable already is returned unchanged.
std::string printable(std::string_view text);

/// The same for text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

/// A user's text as messages quote it: printable, in quotes, and cut to its beginning if it is long: `'9x'`,
/// `'aaa...'`.
std::string in_quotes(std::string_view text);

/// True if a spreadsheet would take a cell with this text for a formula: it begins with = + - @, a tab or a carriage
/// return.
bool begins_as_formula(std::string_view text);

/// A message shortened for people: words of more than 400 characters are cut, as is the middle of more than 8,000. The
/// omitted bytes are counted.
std::string readable(std::string message);

}  // namespace gdsim
