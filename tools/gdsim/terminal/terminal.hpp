#pragma once

#include <gdsim/report/text/run_text.hpp>

#include <cstddef>

namespace gdsim::cli {

/// Returns true if this file descriptor is a terminal that can place its cursor.
bool is_terminal(int descriptor);

/// Returns how many characters fit side by side on this terminal; 80 if it is none, or does not say.
std::size_t terminal_width(int descriptor);

/// Returns the glyphs that a terminal can show under the locale of the environment (LC_ALL, LC_CTYPE, LANG).
Glyphs terminal_glyphs();

}  // namespace gdsim::cli
