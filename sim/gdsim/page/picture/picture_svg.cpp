#include <gdsim/page/picture/picture_svg.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

void write_comparison_svg(const RunView& view, const MeasuredOccupancy& measured, Sink& sink) {
  RunView both = view;
  both.record.end = std::max(view.record.end, measured.end());
  for (const MeasuredSpan& span : measured.spans)
    both.axis_at_least =
        std::max(both.axis_at_least, static_cast<std::uint64_t>((UInt128{view.record.contexts_total} * span.occupancy +
                                                                 MeasuredOccupancy::kFull - 1) /
                                                                MeasuredOccupancy::kFull));
  if (both.record.first_dispatch >= both.record.end) return write_picture_svg(both, sink);
  const TimeScale time(both.record.first_dispatch, both.record.end);
  const std::uint64_t height = ThreadScale(view.record.contexts_total).height();
  PathData line;
  SimTime drawn_until{-1};
  for (const MeasuredSpan& span : measured.spans) {
    const auto up = static_cast<std::uint64_t>(UInt128{height} * span.occupancy / MeasuredOccupancy::kFull);
    if (span.begin == drawn_until) {
      line.down(height - up);
    } else {
      line.move(time.x(span.begin), height - up);
    }
    line.across(time.x(span.end));
    drawn_until = span.end;
  }
  write_picture_svg(both, sink, {path_element("measured", line), "measured"});
}

namespace {

constexpr std::size_t kLongestText = 100;

void write_title(const std::string& title, PictureFrame& frame) {
  frame.raw(fmt::format("<text class=\"title\" x=\"{}\" y=\"{}\">{}</text>\n", PictureFrame::kLeft, frame.y() + 18,
                        markup_text(shortened(title, kLongestText))));
  frame.move_down(18);
}

/// Draws one run below the present content of the frame.
class PictureSvg {
 public:
  PictureSvg(const RunView& view, const PictureOverlay& overlay, PictureFrame& frame)
      : view_(view), overlay_(overlay), time_(view.record.first_dispatch, view.record.end), frame_(frame) {}

  /// Draws the run below the heading `words`. Returns the description for screen readers.
  std::string draw(const std::string& words) {
    frame_.text(PictureFrame::kLeft, frame_.y() + 18, "start", shortened(words, kLongestText));
    frame_.move_down(28);
    const HtmlPlot device = device_plot(view_);
    phases(device);
    const std::uint64_t top = frame_.y();
    frame_.text(PictureFrame::kLeft - 6, top - 10, "end", shortened(view_.terms.thread + "s", 14));
    frame_.plot(device.shapes + overlay_.shapes, device.height, 170, device.cut);
    labels(device.left, device, top, 170, PictureFrame::kLeft - 6, "end");
    labels(device.right, device, top, 170, PictureFrame::kLeft + PictureFrame::kPlotPixels + 6, "start");
    frame_.move_down(10);
    if (draws_time(view_)) where_time_goes();
    if (view_.cores <= kMaxCoreLanes) {
      lanes();
    } else {
      heat();
    }
    ticks(device);
    legend();
    return device.description;
  }

 private:
  /// Draws brackets over the plot, with a name if there is room for it.
  void phases(const HtmlPlot& device) {
    for (const PlotMark& mark : device.marks) {
      const std::uint64_t from = PictureFrame::pixel_of(mark.from);
      const std::uint64_t to = PictureFrame::pixel_of(mark.to);
      if (to < from + 5) continue;
      frame_.raw(fmt::format("<path class=\"bracket\" d=\"M{} {}v-6H{}v6\"/>", from + 1, frame_.y() + 22, to - 1));
      const std::string number = mark.label.substr(0, mark.label.find(' '));
      for (const std::string& label : {mark.label, number}) {
        if (label.size() * 7 > to - from) continue;
        frame_.raw(fmt::format("<text class=\"phase\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                               (from + to) / 2, frame_.y() + 11, markup_text(label)));
        break;
      }
    }
    frame_.move_down(24);
  }

  void labels(const std::vector<Tick>& ticks, const HtmlPlot& plot, std::uint64_t top, std::uint64_t pixels,
              std::uint64_t x, std::string_view anchor) {
    for (const Tick& tick : ticks)
      frame_.text(x, top + (tick.at - plot.cut) * pixels / (plot.height - plot.cut) + 4, anchor,
                  shortened(tick.label, 14));
  }

  void where_time_goes() {
    const ThreadScale threads(view_.record.contexts_total, thread_axis(view_).top);
    frame_.text(PictureFrame::kLeft, frame_.y() + 8, "start",
                "Where the time of " + shortened(view_.terms.thread, 40) + "s goes");
    frame_.move_down(14);
    frame_.plot(time_plot(view_.time_series, time_, threads) + clock_lines(view_.clocks, time_, threads),
                threads.height(), 110, threads.top());
    frame_.move_down(10);
  }

  void lanes() {
    const auto cores = core_levels(view_.core_points, view_.cores);
    const ThreadScale threads(view_.record.contexts_per_core);
    for (std::size_t core = 0; core < cores.size(); ++core) {
      frame_.text(PictureFrame::kLeft - 6, frame_.y() + 19, "end",
                  shortened(fmt::format("{} {}", view_.terms.core, core), 14));
      if (core == 0) {
        const std::uint64_t right = PictureFrame::kLeft + PictureFrame::kPlotPixels + 6;
        frame_.text(right, frame_.y() + 10, "start", std::to_string(threads.capacity()));
        frame_.text(right, frame_.y() + 28, "start", "0");
      }
      frame_.plot(thread_plot(cores[core], time_, threads), threads.height(), 28);
    }
  }

  /// Adds a legend of what occurs in the run.
  void legend() {
    frame_.move_down(4);
    frame_.begin_legend();
    for (const LegendEntry& entry : thread_legend_entries(view_)) frame_.legend_entry(entry.name, entry.words);
    if (draws_time(view_))
      for (const LegendEntry& entry : time_legend_entries(view_))
        frame_.legend_entry(entry.name, shortened(entry.words, 60));
    if (!overlay_.legend.empty()) frame_.legend_entry("measured", overlay_.legend);
    if (view_.cores > kMaxCoreLanes) {
      frame_.legend_entry("heat0", "few");
      frame_.legend_entry("heat1", "half");
      frame_.legend_entry("heat2", "all contexts held");
    }
    frame_.move_down(20);
  }

  void heat() {
    const RowPlot heat = heat_plot(view_);
    const std::uint64_t row = std::clamp<std::uint64_t>(260 / heat.rows, 2, 12);
    const std::uint64_t pixels = row * heat.rows;
    const std::uint64_t top = frame_.y();
    // Disables anti-aliasing: seams would show between cells of one shade.
    frame_.raw(fmt::format("<g stroke-width=\"{}\" shape-rendering=\"crispEdges\">", row));
    frame_.plot(heat.shapes, heat.height, pixels);
    frame_.raw("</g>");
    frame_.text(PictureFrame::kLeft - 6, top + 10, "end", shortened(view_.terms.core + " 0", 14));
    frame_.text(PictureFrame::kLeft - 6, top + pixels, "end", std::to_string(view_.cores - 1));
  }

  void ticks(const HtmlPlot& device) {
    for (const Tick& tick : device.time)
      frame_.text(PictureFrame::pixel_of(tick.at), frame_.y() + 16, "middle", tick.label);
    frame_.move_down(24);
  }

  const RunView& view_;
  const PictureOverlay& overlay_;
  TimeScale time_;
  PictureFrame& frame_;
};

void write_empty_picture(const std::string& title, Sink& sink) {
  PictureFrame frame;
  frame.text(PictureFrame::kLeft, 20, "start", "There is nothing to draw: the run took no time.");
  frame.move_down(30);
  sink.write(frame.finish(title, "An empty run."));
}

}  // namespace

void write_picture_svg(const RunView& view, Sink& sink, const PictureOverlay& overlay) {
  if (view.record.first_dispatch >= view.record.end) return write_empty_picture(view.title, sink);
  PictureFrame frame;
  write_title(view.title, frame);
  const std::string description = PictureSvg(view, overlay, frame).draw(view.device);
  sink.write(frame.finish(shortened(view.title, kLongestText), description));
}

void write_panels_svg(const std::string& title, std::vector<PicturePanel> panels, Sink& sink) {
  SimTime start = panels.front().view.record.first_dispatch;
  SimTime end = panels.front().view.record.end;
  for (const PicturePanel& panel : panels) {
    start = std::min(start, panel.view.record.first_dispatch);
    end = std::max(end, panel.view.record.end);
  }
  if (start >= end) return write_empty_picture(title, sink);
  PictureFrame frame;
  write_title(title, frame);
  std::string description;
  for (PicturePanel& panel : panels) {
    panel.view.record.first_dispatch = start;
    panel.view.record.end = end;
    description += (description.empty() ? "" : " ") + panel.name + ": " +
                   PictureSvg(panel.view, {}, frame).draw(panel.name + ": " + panel.view.device);
  }
  sink.write(frame.finish(shortened(title, kLongestText), description));
}

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
