#pragma once

#include <string>

namespace gdsim::testing {

/// Returns the fault of the markup of an HTML page or an SVG: tags that are not balanced, attributes without quotes, a
/// bare `<` or `&`. Empty if there is none. The contents of scripts and styles are not checked.
std::string fault_of_markup(const std::string& text);

}  // namespace gdsim::testing
