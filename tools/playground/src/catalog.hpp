#pragma once

#include <string>

namespace gdsim::playground {

/// What is built in, as JSON: `version`, `devices` (`id`, `name`, `vendor`), and `examples` (`file`, `title`, `text`,
/// `worksheet`: the lesson beside it, or empty).
std::string catalog_json();

}  // namespace gdsim::playground
