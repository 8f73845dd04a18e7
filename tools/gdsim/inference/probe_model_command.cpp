#include <gdsim/base/text.hpp>
#include <gdsim/probe_model/probe_model_files.hpp>
#include "options/command.hpp"
#include "options/options.hpp"
#include "options/shared_options.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace gdsim::cli {
namespace {

/// Returns the name of the device: --name, or the name of the output file.
std::string device_name(const Options& options) {
  if (const auto name = options.value("name")) {
    if (name->empty() || name->find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") != std::string::npos)
      throw UsageError("--name is " + in_quotes(*name) +
                       "; the name of a device has lower-case letters, digits, `.`, `_` and `-`: --name my-gpu");
    return *name;
  }
  for (const std::string& output : options.values("output"))
    if (const std::filesystem::path path = output; path.extension() == ".yaml") return path.stem().string();
  return "my-gpu";
}

/// Logs each problem of the tables that were left out, with its place.
void warn_of(const std::vector<Diagnostic>& left_out) {
  for (std::size_t i = 0; i < left_out.size() && i < kMaxProblemsShown; ++i) {
    const Diagnostic& problem = left_out[i];
    const std::string position = problem.line > 0 ? fmt::format(":{}:{}", problem.line, problem.column) : "";
    log_warning(fmt::format("{}{}: left out: {}", printable(problem.file), position, readable(problem.message)));
  }
  if (left_out.size() > kMaxProblemsShown)
    log_warning(fmt::format("and {} more problems", left_out.size() - kMaxProblemsShown));
}

ExitStatus run_probe_model(CommandContext& context) {
  const Options& options = context.options;
  if (options.arguments().empty())
    throw UsageError(
        "probe-model needs the folder that tools/probe wrote, as in gdsim probe-model my-gpu -o my-gpu.yaml");
  const OutputsBySuffix outputs(options, {".yaml", ".html", ".csv", ".json"});
  const ProbeModelRequest request{device_name(options), options.value("family").value_or("")};
  SourceFiles sources(context.inputs);
  ProbeLogs logs = read_probe_logs(options.arguments(), sources);
  outputs.require_free(context.inputs);
  ReadOptions read;
  read.models = model_folders(options);
  const ProbedModel model =
      make_probed_model(std::move(logs), request, read, context.run_options, jobs_of(options), sources);
  warn_of(model.left_out);
  outputs.write(
      {{".yaml", [&](Sink& sink) { sink.write(model.yaml); }},
       {".html", [&](Sink& sink) { write_probe_model_page(model, sink); }},
       {".csv", [&](Sink& sink) { write_probe_model_csv(model, sink); }},
       {".json", [&](Sink& sink) { write_probe_model_json(model, sink); }}},
      [&] { return probe_model_text(model); }, context.inputs, context.out);
  if (context.run_options.stop.stop_requested()) {
    log_warning("probe-model was interrupted: unmeasured values are marked");
    return ExitStatus::interrupted;
  }
  return model.left_out.empty() ? ExitStatus::done : ExitStatus::expectation_missed;
}

}  // namespace

Command probe_model_command() {
  CommandSpec spec{
      "probe-model",
      "LOGS...",
      "a device model of what tools/probe measured on your GPU",
      "Makes a device file of the tables that tools/probe wrote: LOGS is their folder, or single tables. Each value "
      "has\n"
      "its source: the number of samples, the range of their middle half, and the method. Limits are compared with\n"
      "`gdsim occupancy`; placement is explained as by `gdsim infer`, and memory bandwidth is fitted as by\n"
      "`gdsim calibrate`. Values that the tables do not show come from the family and are marked. The last\n"
      "repetition of each run is held out and simulated beside what was measured: FILE.html shows both.\n"
      "A table that is damaged, contradicts itself, or is of another device is left out, with its problems.\n"
      "Exit status: 0 done, 1 something was left out, 2 bad input, 130 interrupted.",
      "  ./probe --output my-gpu && gdsim probe-model my-gpu -o my-gpu.yaml -o my-gpu.html\n"
      "  gdsim probe-model my-gpu --family cc-9.0 --format json\n"
      "  gdsim run scenario.yaml --set device=./my-gpu.yaml",
      {{"output", 'o', "FILE", "write FILE.yaml (the device), .html, .csv or .json (repeatable)", Times::any},
       OutputsBySuffix::format_spec(),
       {"family", 0, "NAME", "the family that supplies unmeasured values (default: by the tables' architecture)"},
       {"name", 0, "NAME", "the device's name in scenarios (default: that of FILE.yaml, or my-gpu)"}}};
  spec.options.push_back(jobs_option_spec());
  return {spec, run_probe_model};
}

}  // namespace gdsim::cli
