#include "commands/explain_command.hpp"

#include "options/run_bounds.hpp"
#include "options/scenario_arguments.hpp"
#include "output/suffix_outputs.hpp"
#include "terminal/log.hpp"

#include <gdsim/analysis/notes.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/explain/explanation_files.hpp>
#include <gdsim/scenario/read_scenario.hpp>

namespace gdsim::cli {
namespace {

ExitStatus run_explain(CommandContext& context) {
  const Options& options = context.options;
  if (options.arguments().size() != 1)
    throw UsageError("explain needs one scenario file, " + std::to_string(options.arguments().size()) + " were given");
  const SuffixOutputs outputs(options, {".csv", ".json", ".html", ".svg"});
  SourceFiles sources(context.inputs);
  const auto cases = read_cases(options.arguments().front(), scenario_options(options), sources);
  outputs.require_free(context.inputs);
  require_one_case(cases, "explain");
  if (is_without_duration(cases.front().scenario.workload))
    throw InputError(cases.front().scenario.title +
                     ": the program of a kernel is a placeholder, so that no time can be explained; write its steps");
  RunOptions run_options = context.run_options;
  run_options.bounds = read_run_bounds(options);
  const Explanation explanation = explain(cases.front().scenario, run_options, jobs_of(options));
  if (explanation.outcome == Outcome::interrupted) {
    log_warning(explanation.title + " was interrupted; nothing is explained");
    return ExitStatus::interrupted;
  }
  if (explanation.outcome == Outcome::bounded)
    throw UsageError(explanation.title +
                     " came to the bound of --max-time or --max-events before its end; only a run that ends can be "
                     "explained: raise the bound or leave it out");
  if (explanation.outcome == Outcome::deadlock) {
    log_warning(explanation.title + " stalled: nothing can happen any more. `gdsim run` says why");
    return ExitStatus::stalled;
  }
  outputs.write(
      {{".csv", [&](Sink& sink) { write_explanation_csv(explanation, sink); }},
       {".json", [&](Sink& sink) { write_explanation_json(explanation, sink); }},
       {".html", [&](Sink& sink) { write_explanation_page(explanation, sink); }},
       {".svg", [&](Sink& sink) { write_explanation_svg(explanation, sink); }}},
      [&] { return explanation_text(explanation); }, context.inputs, context.out);
  return ExitStatus::done;
}

}  // namespace

Command explain_command() {
  CommandSpec spec{
      "explain",
      "SCENARIO.yaml",
      "why does it take so long, and what would help?",
      "Runs the scenario as it is, and then again with one thing changed each: without its tail, without\n"
      "barriers, with unlimited memory, registers, slots, ports, and so on. What the changes save is listed, the\n"
      "greatest first; the three greatest as sentences. Every number is that of a run.\n"
      "Exit status: 0 done, 2 bad input, 3 the simulation stalled, 130 interrupted.",
      "  gdsim explain scenarios/vector_add4.yaml\n"
      "  gdsim explain scenarios/studies/gemm_tile.yaml --format json\n"
      "  gdsim explain scenarios/vector_add4.yaml -o why.html",
      {{"output", 'o', "FILE", "write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)",
        Times::any},
       SuffixOutputs::format_spec()}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  spec.options.push_back(jobs_option_spec());
  for (const OptionSpec& option : run_bounds_option_specs()) spec.options.push_back(option);
  return {spec, run_explain};
}

}  // namespace gdsim::cli
