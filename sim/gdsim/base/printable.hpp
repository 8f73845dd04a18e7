#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// `text` as a terminal may show it, on one line: the one door through which names and files reach a terminal.
/// Well-formed UTF-8 stays as it is. Whatever a terminal could obey is shown escaped: control characters (`\n`, `\t`,
/// `\x1b`), C1 controls and controls of the writing direction (`\u009b`, `\u202e`), bytes that are not UTF-8 (`\x9b`).
/// A text that is printable already is returned unchanged.
std::string printable(std::string_view text);

/// The same for text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

/// What a user gave, as messages quote it: printable, in quotes, and cut to its beginning if it is long: `'9x'`,
/// `'aaa...'`.
std::string in_quotes(std::string_view text);

/// A spreadsheet that opens a table takes such a cell for a formula: it begins with = + - @, a tab or a carriage
/// return.
bool begins_as_formula(std::string_view text);

/// A message without what no person reads: words of more than 400 characters, and the middle of more than 8,000. What
/// is left out is counted.
std::string readable(std::string message);

}  // namespace gdsim
