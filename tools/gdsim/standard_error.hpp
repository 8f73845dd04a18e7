#pragma once

#include <string_view>

namespace gdsim::cli {

/// A line, or several, for a person on standard error: whatever a terminal could obey is shown escaped.
void print_error(std::string_view message);

}  // namespace gdsim::cli
