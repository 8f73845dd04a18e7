#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// `<!DOCTYPE html>` to `</head>` of a page that needs no network: its title, the style of all pages and
/// `more_style`.
std::string page_head(std::string_view title, std::string_view more_style);

}  // namespace gdsim
