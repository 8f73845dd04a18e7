#include "options/command.hpp"
#include "options/options.hpp"
#include "options/shared_options.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/infer/infer_rules.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/store/point_store.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// The scenarios of `gdsim infer` and the series that each must reproduce.
class PhaseArguments {
 public:
  /// Throws UsageError or InputError with all problems. `sources` must outlive this.
  PhaseArguments(const Options& options, SourceFiles& sources);

  const std::vector<PhaseTarget>& targets() const { return targets_; }

 private:
  std::deque<ScenarioCase> cases_;
  std::vector<PhaseTarget> targets_;
};

/// Reads --phases like `expect: [{phases: [...], within: ...}]`. Returns nullopt without --phases.
std::optional<Expectation> phases_of(const Options& options) {
  const auto list = options.value("phases");
  if (!list && options.has("within")) throw UsageError("--within says how far --phases may be off; name both");
  if (!list) return std::nullopt;
  ExpectedPhases phases;
  for (std::size_t begin = 0; begin <= list->size();) {
    const std::size_t end = std::min(list->find(',', begin), list->size());
    const std::string cell = list->substr(begin, end - begin);
    begin = end + 1;
    const Parsed<Decimal> number = parse_decimal(cell);
    if (!number.value || compare(*number.value, Decimal::whole(100)) > 0)
      throw UsageError("--phases: " + in_quotes(cell) + " is no percentage from 0 to 100; write it as in 45.3,39.3");
    phases.percent.push_back(*number.value);
  }
  Expectation expectation;
  expectation.key = "phases";
  expectation.item = std::move(phases);
  if (const auto within = options.value("within")) {
    const Parsed<Decimal> points = parse_decimal(*within);
    if (!points.value) throw UsageError("--within: " + in_quotes(*within) + " " + points.problem);
    expectation.within.points = *points.value;
  }
  return expectation;
}

std::vector<Expectation> own_phases(const Scenario& scenario) {
  std::vector<Expectation> phases;
  for (const Expectation& expectation : scenario.expectations)
    if (std::holds_alternative<ExpectedPhases>(expectation.item) && expectation.status == ExpectationStatus::must_hold)
      phases.push_back(expectation);
  return phases;
}

PhaseArguments::PhaseArguments(const Options& options, SourceFiles& sources) {
  const std::optional<Expectation> given = phases_of(options);
  const ReadOptions read_options = scenario_options(options);
  Diagnostics problems;
  for (const std::string& file : options.arguments()) {
    bool has_phases = false;
    for (ScenarioCase& scenario_case : read_cases(file, read_options, sources)) {
      const ScenarioCase& kept = cases_.emplace_back(std::move(scenario_case));
      std::vector<Expectation> phases = given ? std::vector{*given} : own_phases(kept.scenario);
      if (phases.empty() || !kept.scenario.refusals.empty()) continue;
      has_phases = true;
      targets_.push_back({kept.scenario.title + (kept.name.empty() ? "" : " " + kept.name), &kept.scenario, phases});
    }
    if (!has_phases)
      problems.add({}, printable(file) +
                           ": expects no series; write `expect: [{phases: [45.3, 39.3], within: 0.1}]`, or name one "
                           "with --phases 45.3,39.3");
  }
  problems.throw_if_any();
  if (given && targets_.size() > 1)
    throw UsageError("--phases is the series of one scenario and case; name one with --case");
}

/// Reads the model of --device, in its WGP mode if it has one and the log is of work-group processors.
DeviceSpec read_model(const std::string& name, const std::string& core_column, ModelLibrary& models) {
  Diagnostics problems;
  YamlNode reference;
  reference.text = name;
  const bool names_wgp = core_column.find("wgp") != std::string::npos;
  YamlNode mode;
  mode.text = "wgp";
  if (names_wgp) {
    Diagnostics ignored;
    if (auto device = read_device(reference, ".", models, ValueReader(ignored), &mode); device && ignored.empty())
      return *std::move(device);
  }
  auto device = read_device(reference, ".", models, ValueReader(problems));
  problems.throw_if_any();
  return *std::move(device);
}

/// Returns the identity of all inputs of the answer: the log and all models that were read for it.
InferenceIdentity identity_of(const SourceFiles& sources) {
  std::vector<std::string> texts;
  for (const SourceText& text : sources.all())
    texts.push_back(std::filesystem::path(text.name()).filename().string() + "\n" + text.text());
  std::sort(texts.begin(), texts.end());
  const std::string program = std::string("gdsim ") + version_number();
  ContentHash hash;
  hash.add(program);
  for (const std::string& text : texts) hash.add(text);
  return {program, hash.finish()};
}

bool is_store(const std::string& name) { return name.ends_with(".sqlite"); }

/// Returns the log and the files of shards after it.
std::pair<std::string, std::vector<std::filesystem::path>> log_and_shards(const Options& options) {
  std::vector<std::string> logs;
  std::vector<std::filesystem::path> shards;
  for (const std::string& name : options.arguments()) {
    if (is_store(name)) shards.emplace_back(name);
    if (!is_store(name)) logs.push_back(name);
  }
  if (logs.size() != 1) throw UsageError("infer takes one placement log, or any number of scenarios (*.yaml)");
  if (options.has("merge") && shards.empty())
    throw UsageError("--merge needs the files of all shards: gdsim infer LOG.csv --device NAME --merge shard-*.sqlite");
  if (!options.has("merge") && !shards.empty()) throw UsageError("files of shards are put together with --merge");
  return {logs.front(), shards};
}

ExitStatus infer_from_log(CommandContext& context, const OutputsBySuffix& outputs) {
  const Options& options = context.options;
  std::optional<Shard> shard;
  if (const auto text = options.value("shard")) shard = parse_shard(*text);
  const auto [log_name, shards] = log_and_shards(options);
  if (shard && (outputs.store().empty() || outputs.has_files() || options.has("format") || options.has("merge")))
    throw UsageError("--shard writes a store and nothing else: -o shard-" + std::to_string(shard->number) +
                     ".sqlite; `gdsim infer --merge` makes the table of all shards");
  if (!shard && !outputs.store().empty()) throw UsageError("-o FILE.sqlite is the store of a shard: --shard 3/8");
  const auto device_name = options.value("device");
  if (!device_name)
    throw UsageError("a placement log needs --device NAME, the model of the GPU that made it: --device v100-sxm2");
  SourceFiles sources(context.inputs);
  const SourceText& source = sources.read(log_name, "the placement log");
  outputs.require_free(context.inputs);
  ModelLibrary models(model_folders(options), sources);
  Diagnostics problems;
  PlacementLog log = read_placement_log(source, *device_name, problems, models.device_names());
  problems.put_in_order();
  problems.throw_if_any();
  const DeviceSpec model = read_model(*device_name, log.core_column, models);
  InferenceTask task{.source = source,
                     .log = std::move(log),
                     .model = model,
                     .policies = built_in_placements(),
                     .jobs = jobs_of(options)};
  if (shard) {
    outputs.require_free(context.inputs);
    const std::uint64_t choices = infer_shard(std::move(task), *shard, outputs.store(), identity_of(sources), problems);
    problems.throw_if_any();
    context.out.show(fmt::format("shard {}/{}: {} of {} choices of cores are decided in {}\n", shard->number,
                                 shard->count, points_of(*shard, choices), choices,
                                 printable(outputs.store().string())));
    context.out.flush();
    return ExitStatus::done;
  }
  for (const std::filesystem::path& file : shards) context.inputs.add(file, "one of the files of shards");
  const Inference inference = shards.empty()
                                  ? infer_rules(std::move(task), problems)
                                  : infer_from_shards(std::move(task), shards, identity_of(sources), problems);
  problems.throw_if_any();
  outputs.write(
      {{".csv", [&](Sink& sink) { write_inference_csv(inference, sink); }},
       {".json", [&](Sink& sink) { write_inference_json(inference, sink); }}},
      [&] { return inference_text(inference); }, context.inputs, context.out);
  return ExitStatus::done;
}

ExitStatus infer_from_phases(CommandContext& context, const OutputsBySuffix& outputs) {
  SourceFiles sources(context.inputs);
  const PhaseArguments arguments(context.options, sources);
  outputs.require_free(context.inputs);
  const OneEarly one_early = context.options.has("one-early") ? OneEarly::yes : OneEarly::no;
  const PhaseInference inference =
      infer_policies(arguments.targets(), one_early, context.run_options, jobs_of(context.options));
  if (inference.is_interrupted) {
    log_warning("infer was interrupted; nothing is inferred");
    return ExitStatus::interrupted;
  }
  outputs.write(
      {{".csv", [&](Sink& sink) { write_phase_inference_csv(inference, sink); }},
       {".json", [&](Sink& sink) { write_phase_inference_json(inference, sink); }}},
      [&] { return phase_inference_text(inference); }, context.inputs, context.out);
  return ExitStatus::done;
}

bool is_scenario(const std::string& name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

/// Refuses options of scenarios for a log, and options of logs for scenarios.
void require_options_of(const Options& options, bool of_scenarios) {
  if (of_scenarios && options.has("device"))
    throw UsageError("--device is for placement logs; a scenario names its device, and --set device=NAME replaces it");
  for (const char* name : {"shard", "merge"})
    if (of_scenarios && options.has(name))
      throw UsageError(std::string("--") + name + " is for a placement log, not for scenarios");
  for (const char* name : {"phases", "within", "one-early", "case", "set"})
    if (!of_scenarios && options.has(name))
      throw UsageError(std::string("--") + name + " is for scenarios (*.yaml), not for a placement log");
}

ExitStatus run_infer(CommandContext& context) {
  const OutputsBySuffix outputs(context.options, {".csv", ".json", ".sqlite"});
  const std::vector<std::string>& arguments = context.options.arguments();
  if (arguments.empty())
    throw UsageError("infer needs a placement log, as in gdsim infer LOG.csv --device NAME, or scenarios");
  const auto scenarios = static_cast<std::size_t>(std::count_if(arguments.begin(), arguments.end(), is_scenario));
  require_options_of(context.options, scenarios > 0);
  if (scenarios > 0 && !outputs.store().empty()) throw UsageError("-o FILE.sqlite is the store of a shard of a log");
  if (scenarios == arguments.size()) return infer_from_phases(context, outputs);
  return infer_from_log(context, outputs);
}

}  // namespace

Command infer_command() {
  CommandSpec spec{
      "infer",
      "LOG.csv --device NAME | SCENARIO.yaml...",
      "which dispatch rules made this log, or give these phases?",
      "Finds dispatch rules that explain a log, or that give a series of phases.\n"
      "\n"
      "A log says which work-group ran on which core. gdsim tries every combination of placement, tie order,\n"
      "batches, dispatchers, partition and recovery, and lists the best: how many launches are exact, how many\n"
      "work-groups are on the right core, and how many would be by chance. If several combinations explain the\n"
      "log equally well, gdsim says so. If a rule does not explain the log, gdsim shows the first decision that\n"
      "it gets wrong. Columns of the log: work_group (block, wg), core (sm, smid, cu, wgp); optionally start\n"
      "and end; launch, test, kernel, gpu; threads, registers, shared_bytes, blocks. The table work_groups.csv\n"
      "of `gdsim run` is such a log.\n"
      "\n"
      "Scenarios: gdsim tries every combination of placement, admission, ports and handover, and lists those\n"
      "that give the phases of --phases, or the phases that each scenario and case expects by `expect: phases`.\n"
      "\n"
      "--shard and --merge spread the choices of cores over machines; any number of shards gives the same\n"
      "table.\n"
      "Exit status: 0 done, whatever the verdict; 2 bad input.",
      "  gdsim infer blocks.csv --device v100-sxm2\n"
      "  gdsim infer blocks.csv --device a100-40gb --format json\n"
      "  gdsim infer scenarios/vector_add1.yaml scenarios/vector_add2.yaml scenarios/vector_add3.yaml \\\n"
      "      scenarios/vector_add4.yaml\n"
      "  gdsim infer blocks.csv --device v100-sxm2 --shard 1/2 -o shard-1.sqlite\n"
      "  gdsim infer blocks.csv --device v100-sxm2 --merge shard-1.sqlite shard-2.sqlite\n"
      "  gdsim infer mine.yaml --phases 45.3,39.3,11.9 --within 0.1 --one-early",
      {{"output", 'o', "FILE", "write FILE.csv or FILE.json (repeatable)", Times::any},
       OutputsBySuffix::format_spec(),
       {"device", 0, "NAME", "the model of the GPU that made the log"},
       {"phases", 0, "LIST", "occupancy of each phase, percent of the device's contexts: 45.3,39.3,11.9"},
       {"within", 0, "POINTS", "how far each may be off, percentage points (default: exactly)"},
       {"one-early", 0, "", "also try one work-group that ends early, after 0.8 of its time"},
       {"shard", 0, "I/N",
        "of a log: try every N-th choice of cores from the I-th on, and keep the results in -o FILE.sqlite"},
       {"merge", 0, "",
        "put the files of all shards together: gdsim infer LOG.csv --device NAME --merge FILE.sqlite..."}}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  spec.options.push_back(jobs_option_spec());
  return {spec, run_infer};
}

}  // namespace gdsim::cli
