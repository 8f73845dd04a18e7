#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A page that a server sends, and replaces when its scenario changes. Its script requests `changes`. It reloads the
/// page once there is a page with another number. Meanwhile it shows what is wrong with the scenario.
struct ServedPage {
  std::uint64_t number = 0;  ///< counts the pages of one server from 1; 0: no page yet
};

/// The beginning of such a page's body: `<body>` and the element for a notice, empty. Of what users wrote, only the
/// title may stand before it.
std::string served_body(const ServedPage& page);

/// Puts a notice, escaped, into a page that begins with served_body(): what is wrong with the scenario.
std::string with_notice(std::string page, std::string_view notice);

/// The page before the first run has ended. It begins with served_body(), too.
std::string page_before_first_run(std::string_view title);

/// Writes a run as one self-contained HTML page: pictures as SVG, tables, the scenario; with JavaScript, zoom and exact
/// values under the pointer. The page makes no network requests and forbids them. A `served` page may send requests to
/// its server only.
void write_html_report(const RunView& view, Sink& sink, const ServedPage* served = nullptr);

/// A built-in style or script.
struct PageAsset {
  std::string_view text;  ///< the content of its element
  std::string_view hash;  ///< `sha256-...` of it, as content security policies write it
};

/// The styles and scripts of `page/html` and `page/picture`.
struct PageAssets {
  PageAsset page_css;           ///< the style of all pages
  PageAsset picture_css;        ///< the style inside every picture
  PageAsset stripes_css;        ///< stripes of pictures, for viewers that support variables
  PageAsset study_picture_css;  ///< the style of pictures of studies
  PageAsset bars_css;           ///< the style of pictures of explanations
  PageAsset live_js;            ///< figures of a page of a run, drawn on canvases
  PageAsset beside_js;          ///< dispatch step by step, and another run beside this one; needs live_js
  PageAsset run_js;             ///< the script of a page of a run; needs live_js and beside_js
  PageAsset study_js;           ///< the script of a page of a study
  PageAsset served_js;          ///< the script of a served page: it follows the scenario
  PageAsset cases_js;           ///< the script of a page of several cases: selects the case
};

PageAssets page_assets();

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
