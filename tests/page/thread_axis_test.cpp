#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <catch2/catch.hpp>

#include <string>

// How far axes of threads go.

using namespace gdsim;

namespace {

RunView view_with_peak(std::uint64_t peak, std::uint64_t contexts = 6'912) {
  RunView view;
  view.record.contexts_total = contexts;
  view.record.peak_resident = peak;
  view.scale = FigureScale::fits;
  return view;
}

std::string axis_of(const RunView& view) {
  const ThreadAxis axis = thread_axis(view);
  return std::to_string(axis.top) + ": " + to_text(axis.percent) + " %";
}

}  // namespace

TEST_CASE("an axis shows the whole device where more than a fifth of it is held") {
  CHECK(axis_of(view_with_peak(6'912)) == "6912: 100 %");
  CHECK(axis_of(view_with_peak(1'383)) == "6912: 100 %");
  CHECK(axis_of(view_with_peak(0)) == "6912: 100 %");
}

TEST_CASE("below a fifth, an axis ends at the next round share of the device") {
  CHECK(axis_of(view_with_peak(1'382)) == "1383: 20 %");
  CHECK(axis_of(view_with_peak(415)) == "692: 10 %");
  CHECK(axis_of(view_with_peak(256)) == "346: 5 %");
  CHECK(axis_of(view_with_peak(1)) == "2: 0.02 %");
  CHECK(axis_of(view_with_peak(1, 64)) == "2: 2 %");
}

TEST_CASE("what else is drawn has room on an axis") {
  RunView view = view_with_peak(256);
  view.axis_at_least = 600;
  CHECK(axis_of(view) == "692: 10 %");
  BandRow band{};
  band.percent[BandRow::max] = 15 * BandRow::kPerPercent;
  view.bands = {band};
  CHECK(axis_of(view) == "1383: 20 %");
}

TEST_CASE("the whole device is shown unless a part is asked for, which the page keeps beside it") {
  RunView view = view_with_peak(256);
  view.scale = FigureScale::device;
  CHECK(axis_of(view) == "6912: 100 %");
  CHECK(RunView{}.scale == FigureScale::device);
  CHECK(fitted_axis(view).top == 346);
}

TEST_CASE("labels of a part of the device stay percent of the device, at the heights of so many threads") {
  RunView view = view_with_peak(90, 10'000);
  view.terms.thread = "warp";
  view.cores = 100;
  view.record.contexts_per_core = 100;
  view.record.end = SimTime{1'000};
  Timeline points;
  view.timeline = points;
  const HtmlPlot plot = device_plot(view);
  CHECK(plot.height == 10'000);
  CHECK(plot.cut == 9'900);
  CHECK(plot.right.back().label == "1 %");
  CHECK(plot.right.back().at == plot.cut);
  CHECK(plot.right[1].label == "0.2 %");
  CHECK(plot.right[1].at == 9'980);
  CHECK(plot.left.back().label == "100");
  CHECK(plot.other_right.back().label == "100 %");
  CHECK(plot.caption == "Occupancy of the device");
  CHECK(plot.fits_note == ": axis up to 1 % of the device");
}
