#include <gdsim/base/diagnostic.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include "options/command.hpp"
#include "options/shared_options.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"
#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <unistd.h>

#include <cstdint>
#include <optional>

namespace gdsim::cli {
namespace {

ExitStatus run_explain(CommandContext& context) {
  const Options& options = context.options;
  if (options.arguments().size() != 1)
    throw UsageError("explain needs one scenario file, " + std::to_string(options.arguments().size()) + " were given");
  const OutputsBySuffix outputs(options, {".csv", ".json", ".html", ".svg"});
  SourceFiles sources(context.inputs);
  const auto cases = read_cases(options.arguments().front(), scenario_options(options), sources);
  outputs.require_free(context.inputs);
  require_one_case(cases, "explain");
  require_durations(cases.front().scenario);
  RunOptions run_options = context.run_options;
  run_options.bounds = read_run_bounds(options);
  std::optional<CountProgress> progress;
  ExplainProgress show;
  if (is_terminal(STDERR_FILENO)) {
    progress.emplace("runs");
    show = [&](std::uint64_t done, std::uint64_t all) { progress->show(done, all); };
  }
  const Explanation explanation = explain(cases.front().scenario, run_options, jobs_of(options), show,
                                          OtherSeeds::tried, launch_figure_of(options));
  progress.reset();
  if (explanation.outcome == Outcome::interrupted) {
    log_warning(explanation.title + " was interrupted; nothing is explained");
    return ExitStatus::interrupted;
  }
  if (explanation.outcome == Outcome::bounded)
    throw UsageError(explanation.title +
                     " came to the bound of --max-time or --max-events before its end; only a run that ends can be "
                     "explained: raise the bound or leave it out");
  if (explanation.outcome == Outcome::deadlock) {
    log_warning(explanation.title + " deadlocked: nothing can happen any more. `gdsim run` says why");
    return ExitStatus::stalled;
  }
  outputs.write(
      {{".csv", [&](Sink& sink) { write_explanation_csv(explanation, sink); }},
       {".json", [&](Sink& sink) { write_explanation_json(explanation, sink); }},
       {".html", [&](Sink& sink) { write_explanation_page(explanation, sink); }},
       {".svg", [&](Sink& sink) { write_explanation_svg(explanation, sink); }}},
      [&] { return explanation_text(explanation); }, context.inputs, context.out);
  if (explanation.not_tried.empty()) return ExitStatus::done;
  log_warning(explanation.title + " was interrupted; what was tried until then is written");
  return ExitStatus::interrupted;
}

}  // namespace

Command explain_command() {
  CommandSpec spec{
      "explain",
      "SCENARIO.yaml",
      "why does it take so long, and what would help?",
      "Runs the scenario as it is, and then several times with one thing changed. Lists how much time each change\n"
      "saves, the greatest first, in two lists: what you can change, and bounds: what another GPU, or less of this\n"
      "work, saves at most. gdsim tries only changes that could matter:\n"
      "  no_tail                       no last, partial wave: its work is spread evenly over the others\n"
      "  barriers_free                 barriers, signals and waits cost nothing\n"
      "  memory_unlimited, level_unlimited:NAME\n"
      "                                memory has 100,000 times the bandwidth and bytes in flight\n"
      "  in_flight_unlimited           all loads of a step are requested at once\n"
      "  atomics_unlimited             atomics: 1,000 accesses of one address per cycle, no total rate\n"
      "  issue_unlimited               each thread has issue slots of its own\n"
      "  slm_conflict_free, slm_unlimited\n"
      "                                accesses of SLM have no bank conflicts; cost only their latency\n"
      "  coalesced, coalesced:LINE     all accesses to L1, or that of this line, are to adjacent addresses,\n"
      "                                without bank conflicts; traffic beyond L1 stays as it is\n"
      "  registers_unlimited, slm_allocation_zero, slots_unlimited\n"
      "                                this resource does not limit how many work-groups fit\n"
      "  no_recovery, ports_unlimited, whole_work_groups, placement:NAME, dispatch_instantaneous\n"
      "                                the dispatcher has other rules\n"
      "  free_preemption               contexts are saved and restored at no cost\n"
      "  initial_clock                 the clock keeps its initial value\n"
      "  launch_overheads_zero, as_graphs, any_start_order\n"
      "                                launches cost nothing; are submitted as graphs; start in any order\n"
      "  links_unlimited, collectives_free\n"
      "                                several devices have unlimited links; collectives exchange nothing\n"
      "  no_dependencies, no_start_times\n"
      "                                launches do not wait for others; do not wait for their `at:`\n"
      "  equal_work_groups, longest_first\n"
      "                                every work-group does the mean work; the longest is dispatched first\n"
      "  tiles_on_demand               tiles are taken one by one, not assigned by number\n"
      "  local:N, sub_group:N, large_grf, normal_grf\n"
      "                                work-groups, threads (with their work in proportion) or the\n"
      "                                register file have another size\n"
      "If work-groups vary at random, runs with four other seeds show which savings may be chance.\n"
      "Exit status: 0 done, 2 bad input, 3 the run deadlocked, 130 interrupted (what is done is kept).",
      "  gdsim explain scenarios/vector_add4.yaml\n"
      "  gdsim explain scenarios/studies/gemm_tile.yaml --format json\n"
      "  gdsim explain scenarios/vector_add4.yaml -o why.html",
      {{"output", 'o', "FILE", "write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)",
        Times::any},
       OutputsBySuffix::format_spec()}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  spec.options.push_back(of_option_spec());
  spec.options.push_back(jobs_option_spec());
  for (const OptionSpec& option : run_bounds_option_specs()) spec.options.push_back(option);
  put_in_group(spec, kWhatIsWritten, {"output", "format"});
  return {spec, run_explain};
}

}  // namespace gdsim::cli
