#include <gdsim/explain/explain.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kSentences = 3;
/// A saving that is not rounded to 0.0 %, in ten-thousandths of a percent.
constexpr std::int64_t kLeastSaving = 500;

/// The runs with one thing changed.
const ResultColumns<ChangedRun>& run_columns() {
  using Row = ChangedRun;
  static const ResultColumns<Row> columns{
      {"what", "what", [](const Row& run) { return run.what; }},
      {"duration_ns", "duration", [](const Row& run) { return run.duration; }},
      {"saves_percent", "saves", [](const Row& run) { return Percent{run.saves}; }},
      {"sentence", "in words", [](const Row& run) { return run.sentence; }},
      {"declared", "", [](const Row& run) { return run.is_declared; }},
      {"list", "", [](const Row& run) { return run.list == ChangeList::change ? "change" : "bound"; }},
      {"may_be_chance", "", [](const Row& run) { return run.may_be_chance ? std::optional(true) : std::nullopt; }},
      {"artefact", "", [](const Row& run) { return run.artefact; }}};
  return columns;
}

/// Returns the family of a change. The best change of a family, such as sizes or placements, represents all of them.
std::string family_of(const std::string& what) {
  return what.starts_with("level_unlimited:") ? what : what.substr(0, what.find(':'));
}

/// Appends the sentences of a list, the best change of each family, and a table of all its changes.
void append_list(const Explanation& explanation, ChangeList list, std::string_view title, std::string& text) {
  std::set<std::string> families;
  std::string sentences;
  TextTable rows({{"with one thing changed", TextTable::Align::left, 28},
                  {"duration", TextTable::Align::right, 13},
                  {"saves", TextTable::Align::right, 8},
                  {""}});
  bool is_empty = true;
  for (const ChangedRun& run : explanation.changed_runs) {
    if (run.list != list) continue;
    if (run.saves >= kLeastSaving && !run.may_be_chance && families.size() < kSentences &&
        families.insert(family_of(run.what)).second)
      sentences += printable(run.sentence) + "\n";
    is_empty = false;
    rows.add({printable(run.what), to_rounded_text(run.duration), (run.saves < 0 ? "-" : "") + saving_text(run.saves),
              run.may_be_chance ? "chance" : ""});
  }
  if (is_empty) return;
  if (!explanation.not_tried.empty())
    sentences.clear();  // the best may not have been tried
  else if (sentences.empty())
    sentences = "No single change below clearly shortens the run.\n";
  text += fmt::format("\n{}\n{}\n{}", title, sentences, rows.text());
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  const std::string of = explanation.of ? words_for(explanation.of) + " " : std::string();
  std::string text = printable(explanation.title) + "\non " + explanation.device + ": " + of +
                     to_rounded_text(explanation.baseline) + "\n";
  if (const std::string note = note_on_repetitions(explanation); !note.empty()) text += note + "\n";
  for (const std::string& note : explanation.notes) text += printable(note) + "\n";
  if (const std::string unused = unused_line(explanation.unused, explanation.terms); !unused.empty())
    text += unused + "\n";
  if (explanation.changed_runs.empty() && explanation.not_tried.empty())
    text += "\nNothing in this scenario can be changed alone.\n";
  append_list(explanation, ChangeList::change, "What you can change", text);
  append_list(explanation, ChangeList::bound, "Bounds: what another GPU, or less of this work, saves at most", text);
  for (const ChangedRun& run : explanation.changed_runs)
    if (!run.artefact.empty()) text += printable(run.what + ": " + run.artefact) + "\n";
  for (const std::string& reason : explanation.not_possible) text += "not possible: " + printable(reason) + "\n";
  if (const std::string note = note_on_interruption(explanation); !note.empty()) text += printable(note) + "\n";
  return text;
}

void write_explanation_json(const Explanation& explanation, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(explanation.title);
  json.key("device").text(explanation.device);
  json.key("outcome").text(name_of(explanation.not_tried.empty() ? explanation.outcome : Outcome::interrupted));
  json.key("baseline_ns").time(explanation.baseline);
  if (explanation.of) json.key("of").text(words_for(explanation.of));
  json.key("findings");
  run_columns().write_list(explanation.changed_runs, ResultColumns<ChangedRun>::Missing::left_out, json);
  json.key("not_possible").open_list();
  for (const std::string& reason : explanation.not_possible) json.text(reason);
  json.close_list();
  if (!explanation.not_tried.empty()) {
    json.key("not_tried").open_list();
    for (const std::string& change : explanation.not_tried) json.text(change);
    json.close_list();
  }
  if (const std::string note = note_on_repetitions(explanation); !note.empty()) json.key("note").text(note);
  json.key("notes").open_list();
  for (const std::string& note : explanation.notes) json.text(note);
  json.close_list();
  if (explanation.unused) {
    json.key("unused_percent").fraction(explanation.unused->run.percent());
    json.key("unused_last_wave_percent").fraction(explanation.unused->last_wave.percent());
  }
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_explanation_csv(const Explanation& explanation, Sink& sink) {
  run_columns().write_csv(explanation.changed_runs, sink);
}

namespace {

constexpr std::uint64_t kBar = 16;
constexpr std::uint64_t kBarRow = 34;

class Bars {
 public:
  explicit Bars(const Explanation& explanation) : explanation_(explanation), longest_(explanation.baseline) {
    for (const ChangedRun& run : explanation.changed_runs) longest_ = std::max(longest_, run.duration);
  }

  std::string draw() {
    frame_.raw(style_element(page_assets().bars_css));
    frame_.raw(fmt::format("<text class=\"title\" x=\"{}\" y=\"18\">{}</text>\n", PictureFrame::kLeft,
                           markup_text(shortened(explanation_.title, 100))));
    frame_.text(PictureFrame::kLeft, 36, "start", shortened(explanation_.device, 100));
    frame_.move_down(50);
    bar("as it is", explanation_.baseline, "base", to_rounded_text(explanation_.baseline), "The run as it is.");
    for (const ChangedRun& run : explanation_.changed_runs)
      bar(run.what, run.duration, run.duration > explanation_.baseline ? "more" : "less",
          fmt::format("{} ({}{})", to_rounded_text(run.duration),
                      run.saves > 0   ? "-"
                      : run.saves < 0 ? "+"
                                      : "",
                      saving_text(run.saves)),
          run.sentence);
    frame_.move_down(6);
    return frame_.finish(shortened(explanation_.title, 100), "How long the run takes with one thing changed.", "group");
  }

 private:
  void bar(const std::string& name, Duration duration, std::string_view kind, const std::string& value,
           const std::string& said) {
    const std::uint64_t y = frame_.y();
    const auto whole = static_cast<UInt128>(std::max<std::int64_t>(longest_.count, 1));
    const auto width =
        static_cast<std::uint64_t>(UInt128{PictureFrame::kPlotPixels} * static_cast<UInt128>(duration.count) / whole);
    const std::string words = markup_text(name + ": " + value + ". " + said);
    frame_.raw(
        fmt::format("<g tabindex=\"0\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>"
                    "<rect class=\"bar {1}\" x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{5}\"/></g>\n",
                    words, kind, PictureFrame::kLeft, y + 14, std::max<std::uint64_t>(width, 1), kBar));
    frame_.text(PictureFrame::kLeft, y + 11, "start", name + "  " + value);
    frame_.move_down(kBarRow);
  }

  const Explanation& explanation_;
  Duration longest_;
  PictureFrame frame_;
};

PageContent content_of_explanation() {
  const PageAssets assets = page_assets();
  return {assets.page_css, {assets.bars_css, assets.picture_css, assets.stripes_css}};
}

/// Notes for a reader of the unchanged run.
std::string notes(const Explanation& explanation) {
  std::string text;
  for (const std::string& note : explanation.notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  const std::string unused = unused_line(explanation.unused, explanation.terms);
  return unused.empty() ? text : text + "<p class=\"note\">" + markup_text(unused) + "</p>\n";
}

/// The sentences of a list; empty if none of it makes the run shorter.
std::string list_section(const Explanation& explanation, ChangeList list, const std::string& title) {
  std::string items;
  for (const ChangedRun& run : explanation.changed_runs)
    if (run.list == list && run.saves > 0 && !run.may_be_chance)
      items += "<li>" + markup_text(run.sentence) + "</li>\n";
  return items.empty() ? items : "<section>\n<h2>" + title + "</h2>\n<ol>\n" + items + "</ol>\n</section>\n";
}

}  // namespace

void write_explanation_svg(const Explanation& explanation, Sink& sink) { sink.write(Bars(explanation).draw()); }

void write_explanation_page(const Explanation& explanation, Sink& sink) {
  std::string text =
      page_head(explanation.title, content_of_explanation()) + "<body>\n<header>\n<h1>" +
      markup_text(explanation.title) + "</h1>\n<p class=\"device\">on <bdi>" + markup_text(explanation.device) +
      "</bdi>: " + to_rounded_text(explanation.baseline) + "</p>\n" + notes(explanation) + "</header>\n<main>\n" +
      list_section(explanation, ChangeList::change, "What you can change") +
      list_section(explanation, ChangeList::bound, "Bounds: what another GPU, or less of this work, saves at most");
  text +=
      "<p class=\"note\">Each is a run of its own with one thing changed.</p>\n"
      "<section>\n<h2>With one thing changed</h2>\n<div class=\"study\">\n" +
      Bars(explanation).draw() + "</div>\n";
  HtmlTable runs("All runs", {"what", "in words", "duration", "saves"}, 2);
  for (const ChangedRun& run : explanation.changed_runs)
    runs.row({run.what, run.sentence, time_cell(run.duration), words_of(Percent{run.saves})});
  text += runs.finish();
  if (const std::string note = note_on_repetitions(explanation); !note.empty())
    text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  if (const std::string note = note_on_interruption(explanation); !note.empty())
    text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  for (const std::string& reason : explanation.not_possible)
    text += "<p class=\"note\">Not possible: " + markup_text(reason) + "</p>\n";
  sink.write(text + "</section>\n</main>\n</body>\n</html>\n");
}

}  // namespace gdsim
