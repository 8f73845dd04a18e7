#pragma once

#include <string>
#include <string_view>

namespace gdsim::cli {

/// Text that roff shows as it is: nothing in it is a request or an escape. Dashes stay what one can type.
std::string roff_escaped(std::string_view text);

/// The head and the name of a manual page, `gdsim-run` in section 1.
std::string roff_head(std::string_view name, int section, std::string_view summary);

}  // namespace gdsim::cli
