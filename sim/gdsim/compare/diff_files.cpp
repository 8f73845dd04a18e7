#include <gdsim/compare/run_diff.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace gdsim {
namespace {

using Measure = DiffValue::Measure;

std::string_view unit_of(const DiffRow& row) {
  switch (row.a.kind == Measure::none ? row.b.kind : row.a.kind) {
    case Measure::time: return "ns";
    case Measure::percent: return "percent";
    case Measure::count: return "count";
    default: return "";
  }
}

Ratio of_percent(std::int64_t ten_thousandths) { return {static_cast<UInt128>(std::abs(ten_thousandths)), 10'000}; }

ResultValue result_of(const DiffValue& value) {
  switch (value.kind) {
    case Measure::none: break;
    case Measure::time: return Duration{value.number};
    case Measure::percent: return of_percent(value.number);
    case Measure::count: return static_cast<std::uint64_t>(value.number);
    case Measure::words: return value.words;
  }
  return {};
}

const ResultColumns<DiffRow>& diff_columns() {
  using Row = DiffRow;
  static const ResultColumns<Row> columns{
      {"section", "of", [](const Row& row) { return ResultValue(row.section); }},
      {"name", "figure", [](const Row& row) { return ResultValue(row.name); }},
      {"unit", "", [](const Row& row) { return ResultValue(std::string(unit_of(row))); }},
      {"a", "a", [](const Row& row) { return result_of(row.a); }},
      {"b", "b", [](const Row& row) { return result_of(row.b); }},
      {"change_percent", "change", [](const Row& row) {
         const auto change = row.change();
         return change ? std::optional(Percent{*change}) : std::nullopt;
       }}};
  return columns;
}

}  // namespace

std::string diff_value_text(const DiffValue& value) {
  switch (value.kind) {
    case Measure::none: return "-";
    case Measure::time: return to_rounded_text(Duration{value.number});
    case Measure::percent: return to_fixed(of_percent(value.number), 1) + " %";
    case Measure::count: return std::to_string(value.number);
    case Measure::words: return value.words;
  }
  return {};
}

std::string diff_word_text(const std::string& word, const NamedRuns& runs) {
  const std::string threads = thread_word(runs.a, runs.b) + "s";
  if (word == "threads") return threads;
  return word == "time of threads" ? "time of " + threads : word;
}

std::string diff_change_text(const DiffRow& row) {
  if (row.is_equal()) return "=";
  const auto change = row.change();
  if (!change) return {};
  const char* unit = row.a.kind == Measure::percent ? " % of a" : " %";
  return (*change < 0 ? "-" : "+") + to_fixed(of_percent(*change), 1) + unit;
}

void write_diff_csv(const NamedRuns& runs, Sink& sink) {
  diff_columns().write_csv(diff_runs(runs.a, runs.b, runs.of), sink);
}

void write_diff_json(const NamedRuns& runs, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("a").text(runs.name_a);
  json.key("b").text(runs.name_b);
  json.key("rows");
  diff_columns().write_list(diff_runs(runs.a, runs.b, runs.of), ResultColumns<DiffRow>::Missing::null, json);
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

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
  return fmt::format("<td{}>{}</td>", value.kind == DiffValue::Measure::words ? " class=\"words\"" : "",
                     markup_text(diff_value_text(value)));
}

std::string duration_sentence(const NamedRuns& runs) {
  const DiffRow duration{"run",
                         "duration",
                         {DiffValue::Measure::time, runs.a.record.duration().count, {}},
                         {DiffValue::Measure::time, runs.b.record.duration().count, {}}};
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

namespace {

/// The maximum number of lines of a difference that are printed.
constexpr std::size_t kMaxDiffLines = 200;
/// The maximum length of a value in a column; longer values have lines of their own.
constexpr std::size_t kLongestInColumn = 24;

/// Returns the width in UTF-8 characters.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string blanks(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ');
}

/// A row as it is printed.
struct Line {
  std::string section;
  std::string name;
  std::string a;
  std::string b;
  std::string change;

  bool is_wide() const { return std::max(width_of(a), width_of(b)) > kLongestInColumn; }
};

/// Lines with columns as wide as their widest cell.
class DiffLines {
 public:
  void add(Line line) {
    name_width_ = std::max(name_width_, width_of(line.name));
    if (!line.is_wide()) value_width_ = std::max({value_width_, width_of(line.a), width_of(line.b)});
    lines_.push_back(std::move(line));
  }

  std::string text() const {
    std::string text, section;
    for (const Line& line : lines_) {
      if (line.section != section) text += line.section + "\n";
      section = line.section;
      text += line.is_wide() ? "  " + line.name + "\n    a: " + line.a + "\n    b: " + line.b + "\n" : in_columns(line);
    }
    return text;
  }

 private:
  std::string in_columns(const Line& line) const {
    std::string text = "  " + line.name + blanks(line.name, name_width_);
    for (const std::string& value : {line.a, line.b}) text += " " + blanks(value, value_width_) + value;
    return text + (line.change.empty() ? "" : "  " + line.change) + "\n";
  }

  std::vector<Line> lines_;
  std::size_t name_width_ = 22;
  std::size_t value_width_ = 14;
};

}  // namespace

std::string diff_text(const NamedRuns& runs) {
  DiffLines lines;
  std::size_t equal = 0, count = 0;
  for (const DiffRow& row : diff_runs(runs.a, runs.b, runs.of)) {
    const bool is_headline = row.section == "run" && row.name == "duration";
    if (row.is_equal() && !is_headline) {
      ++equal;
      continue;
    }
    if (++count > kMaxDiffLines) continue;
    lines.add({printable(diff_word_text(row.section, runs) + (row.about.empty() ? "" : ": " + row.about)),
               printable(diff_word_text(row.name, runs)), printable(diff_value_text(row.a)),
               printable(diff_value_text(row.b)), diff_change_text(row)});
  }
  std::string text = fmt::format("a: {}\nb: {}\n\n", printable(runs.name_a), printable(runs.name_b)) + lines.text();
  if (count > kMaxDiffLines) text += fmt::format("... and {} more; --format csv has all\n", count - kMaxDiffLines);
  return text + fmt::format("{} more figures are equal\n", equal);
}

}  // namespace gdsim
