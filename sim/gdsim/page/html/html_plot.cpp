#include <gdsim/page/html/html_plot.hpp>

#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Stripes that look the same at every stretch of the picture. The tile is narrow, because browsers draw a tile that is
/// far wider than the window coarsely.
std::string stripes(const HtmlPlot& plot) {
  constexpr std::uint64_t width = kPlotWidth / 1'000;
  const std::uint64_t period = std::max<std::uint64_t>(6 * (plot.height - plot.cut) / plot.pixels, 2);
  return fmt::format(
      "<defs><pattern id=\"{0}-stripes\" patternUnits=\"userSpaceOnUse\" width=\"{1}\" height=\"{2}\">"
      "<path class=\"gaps\" d=\"M0 0H{1}V{2}H0Z\"/><path class=\"stripes\" d=\"M0 0H{1}V{3}H0Z\"/></pattern></defs>",
      plot.id, width, period, (period + 1) / 2);
}

/// Labels along an axis. The first `cut` of its `whole` units are hidden.
std::string axis(std::string_view side, const std::vector<Tick>& ticks, std::uint64_t whole, std::uint64_t cut = 0,
                 std::string_view attributes = "") {
  std::string text = fmt::format("<div class=\"{}\"{} aria-hidden=\"true\">", side, attributes);
  constexpr std::size_t may_be_cut = 12;
  for (const Tick& tick : ticks) {
    const std::string label = markup_text(tick.label);
    const std::string title =
        side == "left" && tick.label.size() > may_be_cut ? " title=\"" + label + "\"" : std::string();
    text += fmt::format("<span style=\"{}:{}\"{}>{}</span>", side == "time" ? "left" : "top",
                        css_percent(tick.at - cut, whole - cut), title, label);
  }
  return text + "</div>";
}

/// The axis at a side, and a hidden one for the other scale, if there is one.
std::string sides(std::string_view side, const HtmlPlot& plot, const std::vector<Tick>& ticks,
                  const std::vector<Tick>& other) {
  if (plot.other_left.empty()) return axis(side, ticks, plot.height);
  const bool is_cut = plot.cut > 0;
  return axis(side, ticks, plot.height, plot.cut, fmt::format(" data-scale=\"{}\"", is_cut ? "fits" : "device")) +
         axis(side, other, plot.height, plot.other_cut,
              fmt::format(" data-scale=\"{}\" hidden", is_cut ? "device" : "fits"));
}

std::string grid_lines(const HtmlPlot& plot, const std::vector<Tick>& ticks, std::string_view style) {
  PathData lines;
  for (const Tick& tick : ticks)
    if (plot.series == "device" && tick.at > 0 && tick.at < plot.height) lines.move(0, tick.at).across(kPlotWidth);
  return path_element(style, lines);
}

/// The kind (if it is named), the number, its unit, and the share. If there is little room, the page hides the kind and
/// the unit.
std::string mark_label(const std::string& label) {
  constexpr std::string_view dot = " · ";
  const auto number = label.find_first_of("0123456789");
  const auto at = label.find(dot);
  const auto space = label.find(' ', number);
  if (at == std::string::npos || space >= at) return markup_text(label);
  const std::string kind = number == 0 ? "" : "<i>" + markup_text(label.substr(0, number)) + "</i>";
  return kind + "<b>" + markup_text(label.substr(number, space - number)) + "<i>" +
         markup_text(label.substr(space, at - space)) + "</i></b><i>" + std::string(dot) + "</i><b>" +
         markup_text(label.substr(at + dot.size())) + "</b>";
}

/// Returns true if the label begins with a kind; such labels are longer than others.
bool is_kind_named(const std::string& label) { return label.find_first_of("0123456789") != 0; }

std::string marks(const HtmlPlot& plot) {
  if (plot.marks.empty()) return {};
  std::string text = "<div class=\"marks\">";
  for (const PlotMark& mark : plot.marks)
    text += fmt::format(
        "<span{} data-from=\"{}\" data-to=\"{}\" style=\"left:{};width:{}\" title=\"{}\"><span>{}</span></span>",
        is_kind_named(mark.label) ? " class=\"kind\"" : "", mark.from, mark.to, css_percent(mark.from, kPlotWidth),
        css_percent(mark.to - mark.from, kPlotWidth), markup_text(mark.label), mark_label(mark.label));
  return text + "</div>";
}

}  // namespace

std::string css_percent(std::uint64_t part, std::uint64_t whole) {
  return to_fixed({UInt128{part} * 100, whole}, 3) + "%";
}

std::string html_figure(const HtmlPlot& plot) {
  const std::string grid = grid_lines(plot, plot.left, "grid") + grid_lines(plot, plot.other_left, "other-grid");
  const std::string fits_note = plot.fits_note.empty()
                                    ? ""
                                    : fmt::format("<span data-scale=\"fits\"{}>{}</span>",
                                                  plot.cut > 0 ? "" : " hidden", markup_text(plot.fits_note));
  const std::uint64_t cut_of_part = std::max(plot.cut, plot.other_cut);
  return fmt::format("<figure id=\"{}\" style=\"--stripes:url(#{}-stripes)\"><figcaption>{}{}</figcaption>", plot.id,
                     plot.id, markup_text(plot.caption), fits_note) +
         fmt::format("<div class=\"plot\" style=\"--height:{}px\">", plot.pixels) + marks(plot) +
         sides("left", plot, plot.left, plot.other_left) +
         fmt::format(
             "<div class=\"area\" data-series=\"{0}\"{7}><svg viewBox=\"0 {6} {1} {2}\" preserveAspectRatio=\"none\" "
             "role=\"img\" aria-labelledby=\"{3}-title {3}-desc\"><title id=\"{3}-title\">{4}</title>"
             "<desc id=\"{3}-desc\">{5}</desc>",
             plot.series, kPlotWidth, plot.height - plot.cut, plot.id, markup_text(plot.caption),
             markup_text(plot.description), plot.cut,
             cut_of_part > 0 ? fmt::format(" data-cut=\"{}\"", cut_of_part) : "") +
         stripes(plot) + grid + plot.shapes + "</svg></div>" + sides("right", plot, plot.right, plot.other_right) +
         axis("time", plot.time, kPlotWidth) + "</div></figure>\n";
}

}  // namespace gdsim
