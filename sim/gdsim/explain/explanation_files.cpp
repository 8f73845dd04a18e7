#include <gdsim/explain/explanation_files.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kSentences = 3;
/// A saving that is not rounded to 0.0 %, in ten-thousandths of a percent.
constexpr std::int64_t kLeastSaving = 500;

/// Returns the percentage with its sign and four decimals.
std::string signed_percent(std::int64_t saves) {
  return (saves < 0 ? "-" : "") + to_fixed({static_cast<UInt128>(std::abs(saves)), 10'000}, 4);
}

/// Returns the family of a change. The best change of a family, such as sizes or placements, represents all of them.
std::string family_of(const std::string& what) {
  return what.starts_with("level_unlimited:") ? what : what.substr(0, what.find(':'));
}

/// Appends the sentences of a list, the best change of each family, and a table of all its changes.
void append_list(const Explanation& explanation, ChangeList list, std::string_view title, std::string& text) {
  std::set<std::string> families;
  std::string sentences, rows;
  for (const ChangedRun& run : explanation.changed_runs) {
    if (run.list != list) continue;
    if (run.saves >= kLeastSaving && !run.may_be_chance && families.size() < kSentences &&
        families.insert(family_of(run.what)).second)
      sentences += printable(run.sentence) + "\n";
    rows += fmt::format("{:<28} {:>14} {:>9}{}\n", printable(run.what), to_rounded_text(run.duration),
                        (run.saves < 0 ? "-" : "") + saving_text(run.saves), run.may_be_chance ? "  chance" : "");
  }
  if (rows.empty()) return;
  if (!explanation.not_tried.empty())
    sentences.clear();  // the best may not have been tried
  else if (sentences.empty())
    sentences = "None of these alone makes it shorter by more than chance.\n";
  text += fmt::format("\n{}\n{}\n{:<28} {:>14} {:>9}\n{}", title, sentences, "with one thing changed", "duration",
                      "saves", rows);
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
  append_list(explanation, ChangeList::bound, "Bounds, which no one can change", text);
  for (const ChangedRun& run : explanation.changed_runs)
    if (!run.artefact.empty()) text += printable(run.what + ": " + run.artefact) + "\n";
  for (const std::string& one : explanation.not_possible) text += "not possible: " + printable(one) + "\n";
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
  json.key("findings").open_list();
  for (const ChangedRun& run : explanation.changed_runs) {
    json.open_object();
    json.key("what").text(run.what);
    json.key("duration_ns").time(run.duration);
    json.key("saves_percent").number(signed_percent(run.saves));
    json.key("sentence").text(run.sentence);
    json.key("list").text(run.list == ChangeList::change ? "change" : "bound");
    if (run.may_be_chance) json.key("may_be_chance").truth(true);
    json.key("declared").truth(run.is_declared);
    if (!run.artefact.empty()) json.key("artefact").text(run.artefact);
    json.close_object();
  }
  json.close_list();
  json.key("not_possible").open_list();
  for (const std::string& one : explanation.not_possible) json.text(one);
  json.close_list();
  if (!explanation.not_tried.empty()) {
    json.key("not_tried").open_list();
    for (const std::string& one : explanation.not_tried) json.text(one);
    json.close_list();
  }
  if (const std::string note = note_on_repetitions(explanation); !note.empty()) json.key("note").text(note);
  json.key("notes").open_list();
  for (const std::string& one : explanation.notes) json.text(one);
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
  CsvWriter csv(sink, {"what", "duration_ns", "saves_percent", "sentence", "declared"});
  for (const ChangedRun& run : explanation.changed_runs)
    csv.text(run.what)
        .time(run.duration)
        .text(signed_percent(run.saves))
        .text(run.sentence)
        .text(run.is_declared ? "true" : "false")
        .end_row();
  csv.finish();
}

}  // namespace gdsim
