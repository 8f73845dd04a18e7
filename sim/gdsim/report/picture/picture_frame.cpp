#include <gdsim/report/picture/picture_frame.hpp>

#include <gdsim/report/markup.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// The colours of the page, for a picture that stands alone; those for light pages once more for viewers that do not
/// know variables.
constexpr std::string_view kStyle =
    "<style>"
    "svg{--page:#ffffff;--measured:#a0148c;--ink:#1b1f24;--soft:#59636e;--panel:#f6f8fa;--line:#d1d9e0;--run:#0072b2;--"
    "wait:#d55e00;"
    "--gap:#f9d9c2;--band:#0072b255;--h1:#dbe9f6;--h2:#c3dbee;--h3:#a3cbe3;--h4:#7fb8da;--h5:#5ba3cf;--h6:#3b8bc2;"
    "--h7:#2171b5;--h8:#0d529b;--h9:#08306b}"
    "@media(prefers-color-scheme:dark){svg{--page:#0d1117;--measured:#f08bd8;--ink:#e6edf3;--soft:#9da7b1;--panel:#"
    "161b22;--line:#3d444d;--run:#2f86bd;"
    "--wait:#f08c3a;--gap:#4a2a10;--band:#2f86bd66;--h1:#122c46;--h2:#143c60;--h3:#184e7c;--h4:#1f6299;--h5:#2c79b5;"
    "--h6:#4793cc;--h7:#6bafdf;--h8:#9accee;--h9:#d6eefc}}"
    "text{font:12px system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#59636e;fill:var(--soft);"
    "unicode-bidi:isolate}"
    "text.title{font-size:15px;font-weight:600;fill:#1b1f24;fill:var(--ink)}text.phase{fill:#1b1f24;fill:var(--ink)}"
    "path{vector-effect:non-scaling-stroke;fill:none}"
    ".running{fill:#0072b2;fill:var(--run)}.stripes{fill:#d55e00;fill:var(--wait)}.gaps{fill:#f9d9c2;fill:var(--gap)}."
    "band{fill:#0072b255;fill:var(--band)}"
    ".resident{stroke:#1b1f24;stroke:var(--ink);stroke-width:1.4}"
    ".measured{stroke:#a0148c;stroke:var(--measured);stroke-width:2.2;stroke-dasharray:5 3}"
    ".capacity{stroke:#1b1f24;stroke:var(--ink);stroke-width:2;stroke-dasharray:7 4}"
    ".heat0{fill:#dbe9f6;fill:var(--h1)}.heat1{fill:#5ba3cf;fill:var(--h5)}.heat2{fill:#08306b;fill:var(--h9)}"
    ".page{fill:#ffffff;fill:var(--page)}.frame{fill:#f6f8fa;fill:var(--panel);stroke:#d1d9e0;stroke:var(--line)}.grid{"
    "stroke:#d1d9e0;stroke:var(--line)}."
    "bracket{stroke:#59636e;stroke:var(--soft)}"
    ".h1{stroke:#dbe9f6;stroke:var(--h1)}.h2{stroke:#c3dbee;stroke:var(--h2)}.h3{stroke:#a3cbe3;stroke:var(--h3)}.h4{"
    "stroke:#7fb8da;stroke:var(--h4)}.h5{stroke:#5ba3cf;stroke:var(--h5)}"
    ".h6{stroke:#3b8bc2;stroke:var(--h6)}.h7{stroke:#2171b5;stroke:var(--h7)}.h8{stroke:#0d529b;stroke:var(--h8)}.h9{"
    "stroke:#08306b;stroke:var(--h9)}"
    ".t-run{fill:#0072b2}.t-issue{fill:#56b4e9}.t-mem0{fill:#cab2d6}.t-mem1{fill:#b39ddb}.t-mem2{fill:#8e6bbf}.t-mem3{"
    "fill:#6a3d9a}.t-mem4{fill:#3f1f6b}.t-slm{fill:#e69f00}.t-barrier{fill:#d55e00}.t-child{fill:#cc79a7}.t-held{fill:#"
    "8c959f}"
    ".copy{fill:#009e73}.dispatch{fill:#b8860b}"
    "</style>\n";

}  // namespace

void PictureFrame::plot(std::string_view shapes, std::uint64_t height, std::uint64_t pixels) {
  const std::uint64_t period = std::max<std::uint64_t>(6 * height / pixels, 2);
  body_ += fmt::format(
      "<rect class=\"frame\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/>\n"
      "<svg x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" viewBox=\"0 0 {4} {5}\" preserveAspectRatio=\"none\">"
      "<defs><pattern id=\"s{6}\" patternUnits=\"userSpaceOnUse\" width=\"{10}\" height=\"{7}\">"
      "<path class=\"gaps\" d=\"M0 0H{10}V{7}H0Z\"/><path class=\"stripes\" d=\"M0 0H{10}V{8}H0Z\"/></pattern></defs>"
      "<g style=\"--s:url(#s{6})\">{9}</g></svg>\n",
      kLeft, y_, kPlotPixels, pixels, kPlotWidth, height, plots_, period, (period + 1) / 2, shapes, kPlotWidth / 100);
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
  const bool is_line = name == "capacity" || name == "measured" || name == "resident";
  if (is_line) {
    raw(fmt::format("<path class=\"{}\" d=\"M{} {}h{}\"/>", name, legend_x_, y_ + height / 2, width));
  } else if (name == "stalled") {
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
         std::string(kStyle) + "<style>.stalled{fill:var(--s)}</style>\n" +
         fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", kWidth, y_) + body_ + "</svg>\n";
}

}  // namespace gdsim
