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

}  // namespace gdsim
