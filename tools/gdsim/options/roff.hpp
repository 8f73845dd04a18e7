#pragma once

#include <string>
#include <string_view>

namespace gdsim::cli {

/// Escapes a text so that roff shows it as it is: without requests or escapes, and with dashes as ASCII hyphens.
std::string roff_escaped(std::string_view text);

/// Returns the head and the NAME section of a manual page, such as `gdsim-run` in section 1.
std::string roff_head(std::string_view name, int section, std::string_view summary);

}  // namespace gdsim::cli
