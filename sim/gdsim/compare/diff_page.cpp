#include <gdsim/compare/diff_files.hpp>

#include <gdsim/report/html/html_figures.hpp>
#include <gdsim/report/html/html_legends.hpp>
#include <gdsim/report/html/page_head.hpp>
#include <gdsim/report/markup.hpp>
#include <gdsim/report/picture/picture_frame.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns the run on the axis that both runs share.
RunView on_common_axis(const RunView& view, const RunView& other) {
  RunView moved = view;
  moved.scale = FigureScale::device;  // the same for both runs
  moved.record.first_dispatch = std::min(view.record.first_dispatch, other.record.first_dispatch);
  moved.record.end = std::max(view.record.end, other.record.end);
  return moved;
}

/// Returns true if the legend of `a` has at least as many entries as that of `b`, so that it serves both.
bool has_more_detail(const RunView& a, const RunView& b) {
  return thread_legend_entries(a).size() >= thread_legend_entries(b).size();
}

bool has_timelines(const NamedRuns& runs) {
  return runs.a.record.first_dispatch < runs.a.record.end && runs.b.record.first_dispatch < runs.b.record.end;
}

HtmlPlot plot_of(const RunView& view, const RunView& other, const std::string& id, const std::string& name) {
  HtmlPlot plot = device_plot(on_common_axis(view, other));
  plot.id = id;
  plot.caption = id + ": " + name;
  return plot;
}

/// Words may wrap, so that long ones leave room for the other columns; numbers may not.
std::string value_cell(const DiffValue& value) {
  return fmt::format("<td{}>{}</td>", value.kind == DiffValue::Kind::words ? " class=\"words\"" : "",
                     markup_text(diff_value_text(value)));
}

std::string duration_sentence(const NamedRuns& runs) {
  const DiffRow duration{"run",
                         "duration",
                         {DiffValue::Kind::time, runs.a.record.duration().count, {}},
                         {DiffValue::Kind::time, runs.b.record.duration().count, {}}};
  const std::string change = diff_change_text(duration);
  return fmt::format("b takes {}, a {}{}", diff_value_text(duration.b), diff_value_text(duration.a),
                     change.empty() || change == "=" ? "." : ": " + change + ".");
}

}  // namespace

void write_diff_svg(const NamedRuns& runs, Sink& sink) {
  constexpr std::uint64_t height = 150;
  PictureFrame frame;
  frame.text(PictureFrame::kLeft, 18, "start", duration_sentence(runs));
  frame.move_down(28);
  if (has_timelines(runs))
    for (const HtmlPlot& plot :
         {plot_of(runs.a, runs.b, "a", runs.name_a), plot_of(runs.b, runs.a, "b", runs.name_b)}) {
      frame.text(PictureFrame::kLeft, frame.y() + 12, "start", shortened(plot.caption, 100));
      frame.move_down(18);
      const std::uint64_t top = frame.y();
      frame.plot(plot.shapes, plot.height, height);
      for (const Tick& tick : plot.left)
        frame.text(PictureFrame::kLeft - 6, top + tick.at * height / plot.height + 4, "end", shortened(tick.label, 14));
      for (const Tick& tick : plot.time)
        frame.text(PictureFrame::pixel_of(tick.at), frame.y() + 14, "middle", tick.label);
      frame.move_down(26);
    }
  sink.write(frame.finish("Two runs", duration_sentence(runs)));
}

void write_diff_page(const NamedRuns& runs, Sink& sink) {
  std::string text = page_head("Two runs", {page_assets().page_css}) +
                     "<body>\n<header>\n<h1>Two runs</h1>\n<p class=\"device\">a: <bdi>" + markup_text(runs.name_a) +
                     "</bdi></p>\n<p class=\"device\">b: <bdi>" + markup_text(runs.name_b) + "</bdi></p>\n<p>" +
                     markup_text(duration_sentence(runs)) + "</p>\n</header>\n<main>\n";
  if (has_timelines(runs))
    text += "<section>\n<h2>Over time</h2>\n" + thread_legend(has_more_detail(runs.a, runs.b) ? runs.a : runs.b) +
            html_figure(plot_of(runs.a, runs.b, "a", runs.name_a)) +
            html_figure(plot_of(runs.b, runs.a, "b", runs.name_b)) + "</section>\n";
  text +=
      "<section>\n<h2>In numbers</h2>\n<div class=\"wide\" role=\"group\" aria-label=\"Every figure\" "
      "tabindex=\"0\"><table><caption>Every figure; what differs is bold"
      "</caption><thead><tr><th scope=\"col\" class=\"name\">of</th><th scope=\"col\" class=\"name\">figure</th>"
      "<th scope=\"col\">a</th><th scope=\"col\">b</th><th scope=\"col\">change</th></tr></thead><tbody>\n";
  for (const DiffRow& row : diff_runs(runs.a, runs.b, runs.of))
    text += fmt::format(
        "<tr{}><th scope=\"row\" class=\"name\">{}</th><td class=\"name\">{}</td>{}{}<td>{}</td></tr>\n",
        row.is_equal() ? "" : " class=\"least\"", markup_text(diff_word_text(row.section, runs)),
        markup_text(diff_word_text(row.name, runs)), value_cell(row.a), value_cell(row.b), diff_change_text(row));
  sink.write(text + "</tbody></table></div>\n</section>\n</main>\n</body>\n</html>\n");
}

}  // namespace gdsim
