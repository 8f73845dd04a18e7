#pragma once

#include <string_view>

namespace gdsim {

/// A built-in style or script.
struct PageAsset {
  std::string_view text;  ///< the content of its element
  std::string_view hash;  ///< `sha256-...` of it, as content security policies write it
};

/// The styles and scripts of `report/html` and `report/picture`.
struct PageAssets {
  PageAsset page_css;           ///< the style of all pages
  PageAsset run_css;            ///< the style of a page of a run: uPlot's, and that of all pages
  PageAsset picture_css;        ///< the style inside every picture
  PageAsset stripes_css;        ///< stripes of pictures, for viewers that support variables
  PageAsset study_picture_css;  ///< the style of pictures of studies
  PageAsset bars_css;           ///< the style of pictures of explanations
  PageAsset uplot_js;           ///< uPlot, with its licence
  PageAsset live_js;            ///< figures of a page of a run, drawn on canvases
  PageAsset run_js;             ///< the script of a page of a run, needs uplot_js and live_js
  PageAsset study_js;           ///< the script of a page of a study
  PageAsset served_js;          ///< the script of a served page: it follows the scenario
  PageAsset cases_js;           ///< the script of a page of several cases: selects the case
};

PageAssets page_assets();

}  // namespace gdsim
