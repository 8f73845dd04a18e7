#include <gdsim/infer/inference.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr auto kLeftOut = ResultColumns<RuleCandidate>::Missing::left_out;

/// The rules themselves stand before them: as one text, or as an object.
const ResultColumns<RuleCandidate>& candidate_columns() {
  using Row = RuleCandidate;
  static const ResultColumns<Row> columns{
      {"core_groups", "", [](const Row& row) { return row.groups > 0 ? std::optional(row.groups) : std::nullopt; }},
      {"fits", "fits", [](const Row& row) { return row.fits; }},
      {"launches_exact", "", [](const Row& row) { return row.launches_exact; }},
      {"launches", "", [](const Row& row) { return row.launches; }},
      {"share", "share", [](const Row& row) { return row.share; }},
      {"chance", "chance", [](const Row& row) { return row.chance; }},
      {"alike", "", [](const Row& row) { return row.like; }}};
  return columns;
}

const ResultColumns<TimeEstimate>& time_columns() {
  using Row = TimeEstimate;
  static const ResultColumns<Row> columns{{"name", "", [](const Row& row) { return row.name; }},
                                          {"value", "", [](const Row& row) { return row.value; }},
                                          {"low", "", [](const Row& row) { return row.low; }},
                                          {"high", "", [](const Row& row) { return row.high; }},
                                          {"samples", "", [](const Row& row) { return row.samples; }},
                                          {"how", "", [](const Row& row) { return row.how; }}};
  return columns;
}

void write_wrong(const std::optional<WrongDecision>& wrong, JsonWriter& json) {
  if (!wrong) {
    json.none();
    return;
  }
  json.open_object();
  json.key("launch").text(wrong->launch);
  json.key("work_group").count(wrong->work_group);
  json.key("line").count(wrong->line);
  json.key("expected_core");
  if (wrong->expected) json.count(*wrong->expected);
  if (!wrong->expected) json.none();
  json.key("seen_core").count(wrong->seen);
  json.key("seen_core_has_room").truth(wrong->has_room);
  json.close_object();
}

/// Explains, in a line below a row, the differences of the row from the log.
std::string why_not(const RuleCandidate& candidate) {
  if (!candidate.first_wrong) return "";
  constexpr std::size_t max_named = 3;
  std::string text = "\n                                    first wrong: " + printable(to_text(*candidate.first_wrong));
  if (candidate.launches < 2) return text;
  text += "; not exact: ";
  for (std::size_t i = 0; i < std::min(candidate.inexact.size(), max_named); ++i)
    text += (i > 0 ? ", " : "") + printable(candidate.inexact[i]);
  if (candidate.inexact.size() > max_named) text += fmt::format(" and {} more", candidate.inexact.size() - max_named);
  return text;
}

void write_candidates(const Inference& inference, JsonWriter& json) {
  json.key("candidates").open_list();
  for (const RuleCandidate& candidate : inference.candidates) {
    json.open_object();
    json.key("rules");
    write_json(candidate.rules, json);
    candidate_columns().write_members(candidate, kLeftOut, json);
    json.key("inexact_launches").open_list();
    for (const std::string& launch : candidate.inexact) json.text(launch);
    json.close_list();
    json.key("first_wrong");
    write_wrong(candidate.first_wrong, json);
    json.close_object();
  }
  json.close_list();
}

void write_parts(const Inference& inference, JsonWriter& json) {
  json.key("parts").open_list();
  for (const PartVerdict& part : inference.parts) {
    json.open_object();
    json.key("part").text(part.part);
    if (!part.launches.empty()) json.key("launch").text(part.launches);
    json.key("verdict").text(name_of(part.verdict));
    json.key("decisions").count(part.decisions);
    json.key("share").fraction(part.share);
    json.key("chance").fraction(part.chance);
    json.key("rules").open_list();
    for (const RuleKeys& rules : part.rules) write_json(rules, json);
    json.close_list();
    json.key("sentence").text(part.sentence);
    json.close_object();
  }
  json.close_list();
}

}  // namespace

std::string to_text(const WrongDecision& wrong) {
  std::string text = fmt::format("{}, work-group {} (line {}): ", wrong.launch, wrong.work_group, wrong.line);
  text += wrong.expected ? fmt::format("core {} expected, {} seen", *wrong.expected, wrong.seen)
                         : fmt::format("no core expected yet, {} seen", wrong.seen);
  if (!wrong.has_room) text += ", which had no room";
  return text;
}

std::string to_yaml(const RuleCandidate& candidate) {
  std::string text = to_yaml(candidate.rules);
  if (candidate.groups > 0) text += fmt::format(" with core_groups: [{{name: group, count: {}}}]", candidate.groups);
  return text;
}

std::string short_text(const RuleCandidate& candidate) {
  constexpr std::size_t longest = 250;
  const std::string text = to_yaml(candidate);
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

std::string inference_text(const Inference& inference) {
  std::string text =
      fmt::format("{}\non {}; launches: {}, work-groups: {}, judged: {}, with a choice of cores: {}\n\n{}\n",
                  printable(inference.log), inference.device, inference.launches, inference.work_groups,
                  inference.judged, inference.open, printable(inference.sentence));
  for (const PartVerdict& part : inference.parts) text += printable(part.sentence) + "\n";
  using Align = TextTable::Align;
  TextTable table(
      {{"fits"}, {"exact", Align::right, 9}, {"share", Align::right, 8}, {"chance", Align::right, 8}, {"rules"}});
  for (const RuleCandidate& candidate : inference.candidates)
    table.add({candidate.fits ? "yes" : "no", fmt::format("{}/{}", candidate.launches_exact, candidate.launches),
               percent_text(candidate.share), percent_text(candidate.chance),
               short_text(candidate) + why_not(candidate)});
  text += "\n" + table.text();
  if (!inference.times.empty()) text += "\n";
  for (const TimeEstimate& time : inference.times)
    text += fmt::format("{}: {}, from {} to {} in 19 of 20 cases, {} samples; {}\n", time.name, time.value, time.low,
                        time.high, time.samples, time.how);
  text += "\n";
  for (const std::string& note : inference.notes) text += "note: " + printable(note) + "\n";
  return text;
}

void write_inference_json(const Inference& inference, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("log").text(inference.log);
  json.key("device").text(inference.device);
  json.key("launches").count(inference.launches);
  json.key("work_groups").count(inference.work_groups);
  json.key("judged").count(inference.judged);
  json.key("open").count(inference.open);
  json.key("tried").count(inference.tried);
  write_candidates(inference, json);
  json.key("verdict").text(name_of(inference.verdict));
  json.key("sentence").text(inference.sentence);
  write_parts(inference, json);
  json.key("times");
  time_columns().write_list(inference.times, ResultColumns<TimeEstimate>::Missing::left_out, json);
  json.key("notes").open_list();
  for (const std::string& note : inference.notes) json.text(note);
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_inference_csv(const Inference& inference, Sink& sink) {
  ResultColumns<RuleCandidate> columns{{"rules", "rules", [](const RuleCandidate& row) { return to_yaml(row.rules); }}};
  for (const ResultColumn<RuleCandidate>& column : candidate_columns().all()) columns.add(column);
  columns.write_csv(inference.candidates, sink);
}

namespace {

/// `VectorAdd4: work-group 6 of k` for each scenario that needs an early one.
std::string early_text(const PhaseInference& inference, const PhasePolicy& policy) {
  std::string text;
  for (std::size_t i = 0; i < policy.early.size(); ++i)
    if (!policy.early[i].empty())
      text += (text.empty() ? "" : "; ") + printable(inference.scenarios[i]) + ": " + printable(policy.early[i]);
  return text;
}

}  // namespace

std::string phase_inference_text(const PhaseInference& inference) {
  std::string text = printable(inference.sentence) + "\n\n";
  for (const PhasePolicy& policy : inference.policies) {
    text += "dispatch: " + to_yaml(policy.rules) + "\n";
    if (const std::string early = early_text(inference, policy); !early.empty()) text += "  early: " + early + "\n";
  }
  if (!inference.policies.empty()) text += "\n";
  for (std::size_t i = 0; i < inference.scenarios.size(); ++i)
    text += fmt::format("{:>4} of {} give the series of {}\n", inference.fitting[i], inference.tried,
                        printable(inference.scenarios[i]));
  text += fmt::format("{} runs\n", inference.runs);
  std::string keys;
  for (const std::string& key : inference.not_told) keys += (keys.empty() ? "" : ", ") + key;
  if (!keys.empty()) text += "as the scenarios have them, and without influence on these series: " + keys + "\n";
  return text;
}

void write_phase_inference_json(const PhaseInference& inference, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenarios").open_list();
  for (std::size_t i = 0; i < inference.scenarios.size(); ++i) {
    json.open_object();
    json.key("scenario").text(inference.scenarios[i]);
    json.key("fitting").count(inference.fitting[i]);
    json.close_object();
  }
  json.close_list();
  json.key("tried").count(inference.tried);
  json.key("runs").count(inference.runs);
  json.key("candidates").open_list();
  for (const PhasePolicy& policy : inference.policies) {
    json.open_object();
    json.key("rules");
    write_json(policy.rules, json);
    json.key("early").open_list();
    for (std::size_t i = 0; i < policy.early.size(); ++i) {
      if (policy.early[i].empty()) continue;
      json.open_object();
      json.key("scenario").text(inference.scenarios[i]);
      json.key("work_group").text(policy.early[i]);
      json.close_object();
    }
    json.close_list();
    json.close_object();
  }
  json.close_list();
  json.key("verdict").text(name_of(inference.verdict));
  json.key("sentence").text(inference.sentence);
  json.key("without_influence").open_list();
  for (const std::string& key : inference.not_told) json.text(key);
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_phase_inference_csv(const PhaseInference& inference, Sink& sink) {
  const ResultColumns<PhasePolicy> columns{
      {"rules", "", [](const PhasePolicy& policy) { return to_yaml(policy.rules); }},
      {"early", "", [&](const PhasePolicy& policy) { return early_text(inference, policy); }}};
  columns.write_csv(inference.policies, sink);
}

}  // namespace gdsim
