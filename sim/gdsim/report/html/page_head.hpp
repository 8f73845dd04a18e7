#pragma once

#include <gdsim/report/html/page_assets.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What the browser may obey on a page: these, and nothing else.
struct PageContent {
  PageAsset style;                                 ///< goes into the head
  std::vector<PageAsset> styles_of_pictures = {};  ///< which pictures on the page have in themselves
  std::vector<PageAsset> scripts = {};             ///< which follow in the body
  bool connects_to_server = false;                 ///< its scripts may send requests to its server, and to no other
};

/// `<!DOCTYPE html>` to `</head>` of a page that needs no network: its title, its style, and a content security policy
/// that names each style element and each script by its hash. Attributes may have styles, which places of figures are,
/// but no handlers of events.
std::string page_head(std::string_view title, const PageContent& content);

/// `<script>...</script>`
std::string script_element(const PageAsset& script);

}  // namespace gdsim
