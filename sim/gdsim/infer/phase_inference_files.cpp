#include <gdsim/base/text.hpp>
#include <gdsim/infer/phase_policies.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

namespace gdsim {
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
  CsvWriter csv(sink, {"rules", "early"});
  for (const PhasePolicy& policy : inference.policies)
    csv.text(to_yaml(policy.rules)).text(early_text(inference, policy)).end_row();
  csv.finish();
}

}  // namespace gdsim
