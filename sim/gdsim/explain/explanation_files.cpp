#include <gdsim/explain/explanation_files.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kSentences = 3;

/// Returns the percentage with its sign and four decimals.
std::string signed_percent(std::int64_t saves) {
  return (saves < 0 ? "-" : "") + to_fixed({static_cast<UInt128>(std::abs(saves)), 10'000}, 4);
}

/// Returns the family of a change. The best change of a family, such as sizes or placements, represents all of them.
std::string family_of(const std::string& what) {
  return what.starts_with("level_unlimited:") ? what : what.substr(0, what.find(':'));
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  std::string text =
      printable(explanation.title) + "\non " + explanation.device + ": " + to_rounded_text(explanation.baseline) + "\n";
  if (const std::string note = note_on_repetitions(explanation); !note.empty()) text += note + "\n";
  for (const std::string& note : explanation.notes) text += printable(note) + "\n";
  if (const std::string unused = unused_line(explanation.unused, explanation.terms); !unused.empty()) text += unused + "\n";
  text += "\n";
  std::size_t shown = 0;
  std::set<std::string> families;
  for (const ChangedRun& run : explanation.changed_runs)
    if (run.saves > 0 && families.insert(family_of(run.what)).second && shown++ < kSentences)
      text += printable(run.sentence) + "\n";
  if (shown == 0)
    text += explanation.not_tried.empty() ? "No change of one thing alone makes the run shorter.\n"
                                          : "No change that was tried makes the run shorter.\n";
  text += fmt::format("\n{:<24} {:>14} {:>9}\n", "with one thing changed", "duration", "saves");
  for (const ChangedRun& run : explanation.changed_runs)
    text += fmt::format("{:<24} {:>14} {:>9}\n", printable(run.what), to_rounded_text(run.duration),
                        (run.saves < 0 ? "-" : "") + saving_text(run.saves));
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
  json.key("findings").open_list();
  for (const ChangedRun& run : explanation.changed_runs) {
    json.open_object();
    json.key("what").text(run.what);
    json.key("duration_ns").time(run.duration);
    json.key("saves_percent").number(signed_percent(run.saves));
    json.key("sentence").text(run.sentence);
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
