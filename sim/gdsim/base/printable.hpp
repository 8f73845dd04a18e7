#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// `text` with blanks for control characters: terminals must not obey what a scenario contains.
std::string printable(std::string_view text);

}  // namespace gdsim
