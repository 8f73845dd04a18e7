#include <gdsim/page/html/html_parts.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace gdsim;

namespace {

HtmlPlot plot_of(const std::string& series = "device") {
  HtmlPlot plot;
  plot.id = "p";
  plot.caption = "A & b";
  plot.description = "c < d";
  plot.shapes = "<path/>";
  plot.height = 2'000;
  plot.pixels = 240;
  plot.series = series;
  return plot;
}

bool has(const HtmlPlot& plot, const std::string& part) { return html_figure(plot).find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a part of a whole is percent with three decimals") {
  CHECK(css_percent(0, 7) == "0.000%");
  CHECK(css_percent(7, 7) == "100.000%");
  CHECK(css_percent(1, 3) == "33.333%");
  CHECK(css_percent(2, 3) == "66.667%");
}

TEST_CASE("a figure has its caption, what it describes, its shapes and its height") {
  const HtmlPlot plot = plot_of();
  CHECK(has(plot, "<figure id=\"p\" style=\"--stripes:url(#p-stripes)\"><figcaption>A &amp; b</figcaption>"));
  CHECK(has(plot, "<div class=\"plot\" style=\"--height:240px\">"));
  CHECK(has(plot, "viewBox=\"0 0 10000000 2000\""));
  CHECK(has(plot, "<title id=\"p-title\">A &amp; b</title><desc id=\"p-desc\">c &lt; d</desc>"));
  CHECK(has(plot, "<path/></svg></div>"));
  CHECK_FALSE(has(plot, "class=\"marks\""));
}

TEST_CASE("stripes are six pixels apart, but at least two units, and half of that wide") {
  HtmlPlot plot = plot_of();
  CHECK(has(plot,
            "height=\"50\"><path class=\"gaps\" d=\"M0 0H10000V50H0Z\"/><path class=\"stripes\" d=\"M0 "
            "0H10000V25H0Z\"/>"));
  plot.pixels = 4'000;
  CHECK(has(plot, "d=\"M0 0H10000V3H0Z\"/><path class=\"stripes\" d=\"M0 0H10000V2H0Z\"/>"));
  plot.pixels = 40'000;
  CHECK(has(plot, "d=\"M0 0H10000V2H0Z\"/><path class=\"stripes\" d=\"M0 0H10000V1H0Z\"/>"));
}

TEST_CASE("labels stand at their places, those on the left that may be cut have a title") {
  HtmlPlot plot = plot_of();
  plot.left = {{500, "twelve chars"}, {1'000, "thirteen char"}};
  plot.right = {{0, "thirteen char"}};
  plot.time = {{2'500'000, "a time that is long"}};
  CHECK(has(plot,
            "<div class=\"left\" aria-hidden=\"true\"><span style=\"top:25.000%\">twelve chars</span>"
            "<span style=\"top:50.000%\" title=\"thirteen char\">thirteen char</span></div>"));
  CHECK(has(plot, "<div class=\"right\" aria-hidden=\"true\"><span style=\"top:0.000%\">thirteen char</span></div>"));
  CHECK(has(plot, "<div class=\"time\" aria-hidden=\"true\"><span style=\"left:25.000%\">a time that is long</span>"));
}

TEST_CASE("the plot of the device has lines at its labels, but not at its borders, others have none") {
  HtmlPlot plot = plot_of();
  plot.left = {{0, "16"}, {1, "15"}, {1'000, "8"}, {1'999, "1"}, {2'000, "0"}};
  CHECK(has(plot, "<path class=\"grid\" d=\"M0 1H10000000M0 1000H10000000M0 1999H10000000\"/>"));
  CHECK_FALSE(has(
      [&] {
        HtmlPlot other = plot;
        other.series = "core-0";
        return other;
      }(),
      "class=\"grid\""));
}

TEST_CASE("a phase has its number, what it counts and its share, each of which may be left out") {
  HtmlPlot plot = plot_of();
  const auto mark = [&](const std::string& label) {
    plot.marks = {{1'000'000, 3'500'000, label}};
    return html_figure(plot);
  };
  CHECK_THAT(mark("8 threads · 50.0 %"),
             Catch::Contains("<div class=\"marks\"><span data-from=\"1000000\" data-to=\"3500000\" "
                             "style=\"left:10.000%;width:25.000%\" title=\"8 threads · 50.0 %\"><span>"
                             "<b>8<i> threads</i></b><i> · </i><b>50.0 %</b></span></span></div>"));
  CHECK_THAT(mark("tail <8>"), Catch::Contains("<span>tail &lt;8&gt;</span>"));
  CHECK_THAT(mark("tail · 8"), Catch::Contains("<span>tail · 8</span>"));  // no blank before the dot's own
}
