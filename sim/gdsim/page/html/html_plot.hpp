#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gdsim {

/// A span of time with a label in a plot.
struct PlotMark {
  std::uint64_t from = 0;  ///< on the time axis
  std::uint64_t to = 0;
  std::string label;
};

/// One figure of a page: SVG that stretches with the page, and text labels around it that do not.
struct HtmlPlot {
  std::string id;  ///< unique on the page
  std::string caption;
  std::string fits_note = {};  ///< after the caption while only a part of the device is visible; empty: all is
  std::string description;     ///< alternative text
  std::string shapes;          ///< SVG; kPlotWidth wide
  std::uint64_t height = 0;    ///< of the shapes, in their units
  std::uint64_t cut = 0;       ///< units at the top that are hidden
  std::uint64_t pixels = 0;    ///< of the plot on the page
  std::string series;          ///< name of its data, for the script; may be empty
  std::vector<Tick> left;      ///< from the top, in units of the shapes
  std::vector<Tick> right;
  std::vector<Tick> time;
  /// The other scale that a page may show: the whole, or, if that is shown at first, a part of it; empty: there is none.
  std::vector<Tick> other_left;
  std::vector<Tick> other_right;
  std::uint64_t other_cut = 0;
  std::vector<PlotMark> marks;
};

/// `<figure>...</figure>`, escaped.
std::string html_figure(const HtmlPlot& plot);

/// `part / whole` as `12.345%`, for styles.
std::string css_percent(std::uint64_t part, std::uint64_t whole);

}  // namespace gdsim
