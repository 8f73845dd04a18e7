#pragma once

#include <gdsim/report/html/page_assets.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The content that a page's content security policy allows; the browser rejects anything else.
struct PageContent {
  PageAsset style;                                 ///< goes into the head
  std::vector<PageAsset> styles_of_pictures = {};  ///< inside the page's pictures
  std::vector<PageAsset> scripts = {};             ///< follow in the body
  bool connects_to_server = false;                 ///< scripts may send requests to the page's server only
};

/// `<!DOCTYPE html>` to `</head>` of a self-contained page: its title, its style, and a content security policy that
/// names each style element and each script by its hash. Attributes may hold styles, as figures need them for
/// positions, but no event handlers.
std::string page_head(std::string_view title, const PageContent& content);

/// `<script>...</script>`
std::string script_element(const PageAsset& script);

}  // namespace gdsim
