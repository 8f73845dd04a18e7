#pragma once

#include <string_view>

namespace gdsim {

/// A style or a script that is built in.
struct PageAsset {
  std::string_view text;  ///< all that stands between the tags of its element
  std::string_view hash;  ///< `sha256-...` of it, as content security policies write it
};

/// The styles and scripts of `report/html` and `report/picture`.
struct PageAssets {
  PageAsset page_css;           ///< the style of all pages
  PageAsset run_css;            ///< that of a page of a run: uPlot's, and that of all pages
  PageAsset picture_css;        ///< what every picture has in itself
  PageAsset stripes_css;        ///< its stripes, for viewers that know variables
  PageAsset study_picture_css;  ///< of pictures of studies
  PageAsset bars_css;           ///< of pictures of explanations
  PageAsset uplot_js;           ///< uPlot, with its licence
  PageAsset live_js;            ///< figures of a page of a run that are drawn on canvases
  PageAsset run_js;             ///< the script of a page of a run, which needs both
  PageAsset study_js;           ///< of a page of a study
  PageAsset served_js;          ///< of a page that is served: it follows the scenario
  PageAsset cases_js;           ///< of a page of several cases: which of them is shown
};

PageAssets page_assets();

}  // namespace gdsim
