#pragma once

#include <string>

namespace gdsim::playground {

/// Returns the built-in content as JSON: `version`, `devices` (`id`, `name`, `vendor`), and `examples` (`file`,
/// `title`, `text`, `worksheet`: the lesson beside it, or empty).
std::string catalog_json();

}  // namespace gdsim::playground
