#include <gdsim/page/picture/picture_frame.hpp>

#include <gdsim/page/markup.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

void PictureFrame::plot(std::string_view shapes, std::uint64_t height, std::uint64_t pixels, std::uint64_t cut) {
  height -= cut;
  const std::uint64_t period = std::max<std::uint64_t>(6 * height / pixels, 2);
  body_ += fmt::format(
      "<rect class=\"frame\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/>\n"
      "<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"0 {11} {4} {5}\" preserveAspectRatio=\"none\">"
      "<defs><pattern id=\"s{6}\" patternUnits=\"userSpaceOnUse\" width=\"{10}\" height=\"{7}\">"
      "<path class=\"gaps\" d=\"M0 0H{10}V{7}H0Z\"/><path class=\"stripes\" d=\"M0 0H{10}V{8}H0Z\"/></pattern></defs>"
      "<g style=\"--s:url(#s{6})\">{9}</g></svg>\n",
      kLeft, y_, kPlotPixels, pixels, kPlotWidth, height, plots_, period, (period + 1) / 2, shapes, kPlotWidth / 100,
      cut);
  ++plots_;
  y_ += pixels;
}

void PictureFrame::text(std::uint64_t x, std::uint64_t y, std::string_view anchor, std::string_view words) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, markup_text(words));
}

void PictureFrame::legend_entry(std::string_view name, std::string_view words) {
  constexpr std::uint64_t width = 22, height = 10, of_letter = 7;
  const std::uint64_t whole = width + 5 + words.size() * of_letter;
  if (legend_x_ + whole > kWidth) {
    legend_x_ = kLeft;
    y_ += 18;
  }
  const bool is_line = name == "capacity" || name == "measured" || name == "resident" || name == "clock";
  if (is_line) {
    raw(fmt::format("<path class=\"{}\" d=\"M{} {}h{}\"/>", name, legend_x_, y_ + height / 2, width));
  } else if (name == "stalled" || name == "t-barrier") {
    raw(
        fmt::format("<rect class=\"gaps\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"9\"/><path class=\"stripes\" "
                    "d=\"M{0} {1}h{2}v3h-{2}zm0 6h{2}v3h-{2}z\"/>",
                    legend_x_, y_, width));
  } else {
    raw(fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", name, legend_x_, y_, width,
                    height));
  }
  text(legend_x_ + width + 5, y_ + height, "start", words);
  legend_x_ += whole + 14;
}

std::string PictureFrame::finish(std::string_view title, std::string_view description, std::string_view role) const {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "role=\"{4}\" aria-labelledby=\"title desc\">\n<title id=\"title\">{2}</title>\n<desc "
             "id=\"desc\">{3}</desc>\n",
             kWidth, y_, markup_text(title), markup_text(description), role) +
         style_element(page_assets().picture_css) + style_element(page_assets().stripes_css) +
         fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", kWidth, y_) + body_ + "</svg>\n";
}

std::string style_element(const PageAsset& style) { return "<style>" + std::string(style.text) + "</style>\n"; }

}  // namespace gdsim
