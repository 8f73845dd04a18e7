#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gdsim {
namespace {

/// Builds `<p class="legend">...</p>` from entries.
class Legend {
 public:
  void add_if(bool occurs, std::string_view name, std::string_view words, std::string_view sign = {}) {
    if (occurs) entries_ += fmt::format("<span><i class=\"{}\">{}</i>{}</span>", name, sign, words);
  }
  void add_hidden_if(bool occurs, std::string_view name, std::string_view words) {
    if (occurs) entries_ += fmt::format("<span hidden><i class=\"{}\"></i>{}</span>", name, words);
  }
  void add_open_if(bool occurs) { add_if(occurs, "open", "had not ended", "⋛"); }
  std::string finish() const { return entries_.empty() ? "" : "<p class=\"legend\">" + entries_ + "</p>\n"; }

 private:
  std::string entries_;
};

constexpr const char* kOftenWords = "from the least to the mean of a bin";
constexpr const char* kMostWords = "from the mean to the most of a bin";

/// Explains that a running thread executes, or waits for a shared resource.
std::string running_words(const RunView& view) {
  const TimeSeries& series = view.time_series;
  for (std::size_t i = 1; i < series.columns.size(); ++i)
    if (series.columns[i].name.starts_with("waiting_for_") && series.columns[i].name != "waiting_for_child" &&
        series.occurs(i))
      return "running: executing, or waiting for what it shares";
  return "running";
}

}  // namespace

bool draws_time(const RunView& view) {
  return view.record.first_dispatch < view.record.end && !view.time_series.empty() &&
         (view.time_series.has_waits() || view.time_series.has_dispatch());
}

std::vector<LegendEntry> time_legend_entries(const RunView& view) {
  std::vector<LegendEntry> entries;
  const TimeSeries& series = view.time_series;
  for (std::size_t i = 0; i < series.columns.size(); ++i)
    if (series.occurs(i)) entries.push_back({series.columns[i].style, series.columns[i].words});
  if (std::any_of(series.rows.begin(), series.rows.end(), [](const TimeSeries::Row& row) { return row.copies > 0; }))
    entries.push_back({"copy", "a copy passes"});
  if (series.has_dispatch()) entries.push_back({"dispatch", "a launch waits for dispatch"});
  return entries;
}

namespace {

/// Hatching of an area, as a tile in pixels: areas differ also in print and without colors. All tiles differ.
struct Hatch {
  std::string_view style;
  std::uint64_t width;
  std::uint64_t height;
  std::string_view lines;  ///< the `d` of a path
};
constexpr std::array<Hatch, 10> kHatches{{
    {"t-access", 6, 6, "M0 0H6V1H0Z"},
    {"t-issue", 5, 5, "M1 1H3V3H1Z"},
    {"t-mem0", 4, 4, "M0 0H1V4H0Z"},
    {"t-mem1", 8, 8, "M0 0H8V1H0ZM0 0H1V8H0Z"},
    {"t-mem2", 8, 8, "M0 0H4V4H0ZM4 4H8V8H4Z"},
    {"t-mem3", 12, 6, "M0 2H7V4H0Z"},
    {"t-mem4", 8, 8, "M0 0H2V2H0ZM2 2H4V4H2ZM4 4H6V6H4ZM6 6H8V8H6Z"},
    {"t-slm", 8, 8, "M6 0H8V2H6ZM4 2H6V4H4ZM2 4H4V6H2ZM0 6H2V8H0Z"},
    {"t-child", 9, 9, "M0 0H9V4H0Z"},
    {"t-held", 9, 9, "M0 0H4V9H0Z"},
}};

/// A sample with the pattern that the areas of this style have, in the page's pixels.
std::string hatched_sample(const LegendEntry& entry) {
  const auto hatch =
      std::find_if(kHatches.begin(), kHatches.end(), [&](const Hatch& one) { return one.style == entry.name; });
  if (hatch == kHatches.end()) return fmt::format("<i class=\"{}\"></i>", entry.name);
  return fmt::format(
      "<svg class=\"sample\" aria-hidden=\"true\"><defs><pattern id=\"hatch-{0}\" patternUnits=\"userSpaceOnUse\" "
      "width=\"{1}\" height=\"{2}\"><path class=\"{0}\" d=\"M0 0H{1}V{2}H0Z\"/><path class=\"hatch\" d=\"{3}\"/>"
      "</pattern></defs><path fill=\"url(#hatch-{0})\" d=\"M0 0H24V13H0Z\"/></svg>",
      hatch->style, hatch->width, hatch->height, hatch->lines);
}

}  // namespace

std::string time_legend(const RunView& view) {
  std::string entries;
  for (const LegendEntry& entry : time_legend_entries(view))
    entries += "<span>" + hatched_sample(entry) + markup_text(entry.words) + "</span>";
  return entries.empty() ? "" : "<p class=\"legend\">" + entries + "</p>\n";
}

std::string hatches(const RunView& view, const HtmlPlot& plot) {
  // The area is about 1,000 pixels wide.
  const std::uint64_t across = kPlotWidth / 1'000;
  const Ratio down{plot.height - plot.cut, plot.pixels};
  std::string patterns;
  for (const LegendEntry& entry : time_legend_entries(view))
    if (std::any_of(kHatches.begin(), kHatches.end(), [&](const Hatch& one) { return one.style == entry.name; }))
      patterns += fmt::format("<pattern id=\"{0}-{1}\" href=\"#hatch-{1}\" patternTransform=\"scale({2} {3})\"/>",
                              plot.id, entry.name, across, to_fixed(down, 3));
  return patterns.empty() ? "" : "<defs>" + patterns + "</defs>";
}

std::string run_bands_legend() {
  Legend legend;
  legend.add_if(true, "resident", "median");
  legend.add_if(true, "most-runs", "5 % to 95 % of the runs");
  legend.add_if(true, "all-runs", "min to max");
  legend.add_if(true, "capacity", "capacity");
  return legend.finish();
}

bool is_binned(const RunView& view) {
  if (view.timeline.size() > kMaxSteps) return true;
  if (view.cores > kMaxCoreLanes || view.core_points.size() <= kMaxSteps) return false;
  const auto cores = core_levels(view.core_points, view.cores);
  return std::any_of(cores.begin(), cores.end(),
                     [](const ThreadLevels& levels) { return levels.resident.size() > kMaxSteps; });
}

std::vector<LegendEntry> thread_legend_entries(const RunView& view) {
  const TimeAccount account = time_account(view);
  std::vector<LegendEntry> entries;
  if (account.running > 0) entries.push_back({"running", running_words(view)});
  if (account.stalled > 0) entries.push_back({"stalled", "stalled: at a barrier, or ended and held"});
  if (is_binned(view)) entries.insert(entries.end(), {{"often", kOftenWords}, {"most", kMostWords}});
  entries.push_back({"capacity", "capacity"});
  if (!view.clocks.empty()) entries.push_back({"clock", "the clock changes"});
  return entries;
}

std::string thread_legend(const RunView& view) {
  Legend legend;
  for (const LegendEntry& entry : thread_legend_entries(view)) legend.add_if(true, entry.name, entry.words);
  const bool is_exact = !is_binned(view);
  // The page's script shows these where several steps share a column of pixels.
  legend.add_hidden_if(is_exact, "often", "from the least to the mean of a column of pixels");
  legend.add_hidden_if(is_exact, "most", "from the mean to the most of a column of pixels");
  const std::string note =
      "<p class=\"note\" id=\"bins\">There are too many steps to draw each: what a bin holds at least is in full "
      "colour, "
      "its mean and its most are in paler ones. Bins are as narrow as the zoom makes room for.</p>\n";
  return legend.finish() + (is_exact ? "" : note);
}

std::string group_legend(const RunView& view) {
  if (!draws_groups(view)) return {};
  bool is_running = false, is_waiting = false, is_exchanging = false, is_held = false, is_partial = false,
       is_saved = false;
  for (const GroupPoint& point : view.group_points) {
    const GroupState& state = point.change.state;
    if (point.change.kind == GroupChange::Event::leaves || state.threads == 0) continue;
    is_saved = is_saved || state.placement == GroupPlacement::saved;
    if (state.placement == GroupPlacement::saved) continue;
    const bool is_part = state.placement == GroupPlacement::partial;
    is_running = is_running || (state.running() > 0 && !is_part);
    const bool exchanges = view.launches[index_of(point.change.launch)].exchanges;
    is_waiting = is_waiting || (state.waiting > 0 && !exchanges);
    is_exchanging = is_exchanging || (state.waiting > 0 && exchanges);
    is_held = is_held || (state.running() == 0 && state.waiting == 0);
    is_partial = is_partial || is_part;
  }
  Legend legend;
  legend.add_if(is_running, "busy", "running");
  legend.add_if(is_waiting, "wait", "stalled at a barrier");
  legend.add_if(is_exchanging, "wait", "waiting for other devices and for links");
  legend.add_if(is_held, "wait", "ended, contexts held");
  legend.add_if(is_partial, "part", "placed in part");
  legend.add_if(is_saved, "wait", "saved: another process has the device");
  legend.add_open_if(view.record.work_groups_ended() != view.record.work_groups_total);
  return legend.finish();
}

std::string launch_legend(const RunView& view, const LaunchSelection& selection) {
  const auto lasts = [&](const std::optional<SimTime>& from, const std::optional<SimTime>& to) {
    return from && std::max(*from, view.record.first_dispatch) < to.value_or(view.record.end);
  };
  bool is_queued = false, is_partial = false, is_busy = false, is_copy = false, is_critical = false, is_open = false;
  for (const std::size_t row : selection.rows) {
    const LaunchRecord& launch = view.record.launches[row];
    const bool copies = view.launches[row].is_copy;
    const bool is_full = lasts(launch.fully_dispatched, launch.ended);
    is_queued = is_queued || lasts(launch.ready, launch.first_dispatched);
    is_partial = is_partial || lasts(launch.first_dispatched, launch.fully_dispatched);
    is_busy = is_busy || (is_full && !copies);
    is_copy = is_copy || (is_full && copies);
    is_critical = is_critical || view.is_critical(row);
    is_open = is_open || (launch.first_dispatched && !launch.ended);
  }
  Legend legend;
  legend.add_if(is_queued, "wait", "ready, not begun");
  legend.add_if(is_partial, "part", "being dispatched");
  legend.add_if(is_busy, "busy", "all dispatched, until the last end");
  legend.add_if(is_copy, "copy", "a copy passes");
  legend.add_if(is_critical, "edge", "◆ critical: a later end ends the run later");
  legend.add_open_if(is_open);
  return legend.finish();
}

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

namespace {

/// Classes of shapes: running, draining, and lost time.
constexpr std::array<std::string_view, 3> kClasses{"busy", "part", "wait"};

std::size_t class_of(DeviceUse use) {
  if (use == DeviceUse::running) return 0;
  return use == DeviceUse::draining ? 1 : 2;
}

std::string shapes_of(const RunView& view, const PreemptionRecord& preemption) {
  const TimeScale time(view.record.first_dispatch, view.record.end);
  std::array<PathData, kClasses.size()> boxes;
  for (const DeviceSpan& span : preemption.spans) {
    if (span.end <= view.record.first_dispatch) continue;
    const std::uint64_t left = time.x(std::max(span.begin, view.record.first_dispatch));
    const std::uint64_t right = std::max(time.x(span.end), left + 1);
    const std::uint64_t top = span.process * kLaunchHeight;
    boxes[class_of(span.use)].box(left, top + 3, right, top + kLaunchHeight - 3);
  }
  std::string shapes;
  for (std::size_t i = 0; i < kClasses.size(); ++i) shapes += path_element(kClasses[i], boxes[i]);
  return shapes;
}

}  // namespace

std::string process_figure(const RunView& view) {
  if (!view.record.preemption || view.record.first_dispatch >= view.record.end) return {};
  const PreemptionRecord& preemption = *view.record.preemption;
  HtmlPlot plot;
  plot.id = "processes";
  plot.caption = "Processes over time";
  plot.description =
      "Processes as rows: filled while one runs on the device, dashed while it is drained for another, "
      "striped while its contexts are saved or restored.";
  plot.shapes = shapes_of(view, preemption);
  plot.height = plot.pixels = preemption.processes.size() * kLaunchHeight;
  for (std::size_t i = 0; i < preemption.processes.size(); ++i)
    plot.left.push_back({i * kLaunchHeight + kLaunchHeight / 2, preemption.processes[i].name});
  plot.time = time_ticks(view);
  return "<section>\n<h2>Processes</h2>\n" + html_figure(plot) + "</section>\n";
}

}  // namespace gdsim
