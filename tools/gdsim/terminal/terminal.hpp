#pragma once

#include <gdsim/report/text/chart_text.hpp>

namespace gdsim::cli {

/// True if this file descriptor is a terminal that can place its cursor.
bool is_terminal(int descriptor);

/// What the locale of the environment (LC_ALL, LC_CTYPE, LANG) lets a terminal show.
Glyphs terminal_glyphs();

}  // namespace gdsim::cli
