#include <gdsim/probe_model/probe_model_files.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/probe_model/model_yaml.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::string value_lines(const ProbedModel& model) {
  std::size_t width = 4;
  for (const ProbedValue& value : model.values) width = std::max(width, value.path.size());
  std::string text = fmt::format("{:<{}}  {:<9}  {:>8}  value\n", "key", width, "origin", "samples");
  for (const ProbedValue& value : model.values) {
    const std::string shown = value.value.size() > 60 ? value.value.substr(0, 57) + "..." : value.value;
    std::string what = value.value.empty() ? value.how : shown;
    if (!value.low.empty()) what += fmt::format(" (half from {} to {})", value.low, value.high);
    text += fmt::format("{:<{}}  {:<9}  {:>8}  {}\n", value.path, width, name_of(value.origin),
                        value.samples > 0 ? std::to_string(value.samples) : "-", printable(what));
  }
  return text;
}

std::string residency_lines(const ProbedModel& model) {
  if (model.residencies.empty()) return "";
  std::string text = fmt::format("\n{:>7}  {:>9}  {:>12}  {:>6}  {:>8}  {:>5}\n", "threads", "registers",
                                 "shared bytes", "seen", "reported", "gdsim");
  for (const ResidencyCheck& one : model.residencies)
    text += fmt::format("{:>7}  {:>9}  {:>12}  {:>6}  {:>8}  {:>5}{}\n", one.threads,
                        one.registers ? std::to_string(*one.registers) : "-", one.shared_bytes, one.seen, one.reported,
                        one.simulated, one.agrees() ? "" : "  do not agree");
  return text;
}

std::string run_lines(const ProbedModel& model) {
  if (model.runs.empty()) return "";
  std::size_t width = 3;
  for (const RunComparison& run : model.runs) width = std::max(width, printable(run.run).size());
  std::string text = fmt::format("\n{:<{}}  {:>8}  {:>14}  {:>14}  {:>9}  {:>8}\n", "run", width, "blocks", "measured",
                                 "simulated", "off", "on core");
  for (const RunComparison& run : model.runs) {
    if (!run.problem.empty()) {
      text += fmt::format("{:<{}}  not simulated: {}\n", printable(run.run), width, printable(run.problem));
      continue;
    }
    text += fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {:>9}  {:>8}{}\n", printable(run.run), width, run.blocks,
                        to_rounded_text(Duration{run.measured_ps}), to_rounded_text(Duration{run.simulated_ps}),
                        hundredths_text(run.error()), hundredths_text(run.on_core_share()),
                        run.is_held_out ? "  held out" : "");
  }
  return text;
}

void write_values(const ProbedModel& model, JsonWriter& json) {
  json.key("values").open_list();
  for (const ProbedValue& value : model.values) {
    json.open_object();
    json.key("path").text(value.path);
    json.key("value");
    if (value.value.empty()) json.none();
    if (!value.value.empty()) json.text(value.value);
    json.key("origin").text(name_of(value.origin));
    json.key("samples").count(value.samples);
    json.key("low");
    if (value.low.empty()) json.none();
    if (!value.low.empty()) json.text(value.low);
    json.key("high");
    if (value.high.empty()) json.none();
    if (!value.high.empty()) json.text(value.high);
    json.key("source").text(source_of(value, model.facts));
    json.close_object();
  }
  json.close_list();
}

void write_runs(const ProbedModel& model, JsonWriter& json) {
  json.key("residency").open_list();
  for (const ResidencyCheck& one : model.residencies) {
    json.open_object();
    json.key("run").text(one.run);
    json.key("threads").count(one.threads);
    json.key("shared_bytes").count(static_cast<std::uint64_t>(one.shared_bytes));
    json.key("seen").count(one.seen);
    json.key("reported").count(one.reported);
    json.key("simulated").count(one.simulated);
    json.key("agrees").truth(one.agrees());
    json.close_object();
  }
  json.close_list();
  json.key("runs").open_list();
  for (const RunComparison& run : model.runs) {
    json.open_object();
    json.key("experiment").text(run.experiment);
    json.key("run").text(run.run);
    json.key("held_out").truth(run.is_held_out);
    json.key("blocks").count(run.blocks);
    json.key("measured_ns").time(Duration{run.measured_ps});
    json.key("simulated_ns");
    if (run.problem.empty()) json.time(Duration{run.simulated_ps});
    if (!run.problem.empty()) json.none();
    json.key("on_core").count(run.on_core);
    json.key("problem");
    if (run.problem.empty()) json.none();
    if (!run.problem.empty()) json.text(run.problem);
    json.close_object();
  }
  json.close_list();
}

}  // namespace

std::string hundredths_text(std::uint64_t hundredths) {
  return fmt::format("{}.{:02} %", hundredths / 100, hundredths % 100);
}

std::string comparison_sentence(const ProbedModel& model) {
  std::uint64_t runs = 0;
  std::uint64_t near = 0;
  std::uint64_t held_out = 0;
  std::uint64_t worst = 0;
  std::uint64_t blocks = 0;
  std::uint64_t on_core = 0;
  for (const RunComparison& run : model.runs) {
    if (!run.problem.empty()) continue;
    ++runs;
    near += run.error() <= 100 ? 1U : 0U;
    held_out += run.is_held_out ? 1U : 0U;
    worst = std::max(worst, run.error());
    blocks += run.blocks;
    on_core += run.on_core;
  }
  if (runs == 0) return "No run of the probe could be simulated.";
  return fmt::format(
      "{} of {} runs take as long as simulated within 1 % ({} at most), {} of their blocks are on the core "
      "where they were measured; {} of the runs were held out.",
      near, runs, hundredths_text(worst), hundredths_text(RunComparison::share_of(on_core, blocks)), held_out);
}

std::string probe_model_text(const ProbedModel& model) {
  std::string text = fmt::format("{}: {}, measured on {}, of the family {}\n\n", printable(model.id),
                                 printable(model.facts.device), printable(model.facts.date), printable(model.family));
  text += value_lines(model) + residency_lines(model) + run_lines(model) + "\n" + comparison_sentence(model) + "\n";
  if (model.inference) text += "infer: " + printable(model.inference->sentence) + "\n";
  for (const std::string& note : model.notes) text += "note: " + printable(note) + "\n";
  return text;
}

void write_probe_model_json(const ProbedModel& model, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("device").text(model.id);
  json.key("name").text(model.facts.device);
  json.key("date").text(model.facts.date);
  json.key("family").text(model.family);
  write_values(model, json);
  write_runs(model, json);
  json.key("sentence").text(comparison_sentence(model));
  json.key("infer");
  if (model.inference) json.text(model.inference->sentence);
  if (!model.inference) json.none();
  json.key("notes").open_list();
  for (const std::string& note : model.notes) json.text(note);
  json.close_list();
  json.key("left_out").open_list();
  for (const Diagnostic& problem : model.left_out) json.text(to_text(problem));
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_probe_model_csv(const ProbedModel& model, Sink& sink) {
  CsvWriter csv(sink, {"path", "value", "origin", "samples", "low", "high", "source"});
  for (const ProbedValue& value : model.values) {
    csv.text(value.path).text(value.value).text(name_of(value.origin)).count(value.samples).text(value.low);
    csv.text(value.high).text(source_of(value, model.facts)).end_row();
  }
  csv.finish();
}

}  // namespace gdsim
