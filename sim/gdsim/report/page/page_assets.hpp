#pragma once

#include <string_view>

namespace gdsim {

/// The files of `report/page`, built in.
struct PageAssets {
  std::string_view css;
  std::string_view js;
  std::string_view uplot_css;
  std::string_view uplot_js;
  std::string_view uplot_licence;  ///< must go where uPlot goes
};

PageAssets page_assets();

}  // namespace gdsim
