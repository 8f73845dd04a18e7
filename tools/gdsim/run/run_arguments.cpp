#include "run/run_arguments.hpp"

#include "cases/cases_output.hpp"
#include "options/shared_options.hpp"
#include "output/named_outputs.hpp"
#include "run/run_outputs.hpp"

#include <gdsim/base/text.hpp>

namespace gdsim::cli {
namespace {

void require_one_file(const Options& options) {
  const std::size_t files = options.arguments().size();
  if (files != 1) throw UsageError("run needs one scenario file, " + std::to_string(files) + " were given");
}

void require_not_empty(const Options& options) {
  for (const char* name : {"output", "case"})
    if (options.value(name) == "") throw UsageError(std::string("--") + name + " is empty");
}

Duration parse_sample(const std::string& text) {
  const auto interval = parse_duration(text);
  if (!interval.value) throw UsageError("--sample is " + in_quotes(text) + ", which " + interval.problem);
  if (interval.value->count == 0) throw UsageError("--sample is " + in_quotes(text) + "; a time above 0 is needed");
  return *interval.value;
}

/// Reads where the output goes: into a folder, or one part of it to standard output.
void read_outputs(const Options& options, RunArguments& arguments) {
  auto& [print, folder, sample, is_output_taken, run_options, jobs, alternatives, timer] = arguments;
  if (const auto name = options.value("print")) print = printed_format(*name);
  if (const auto interval = options.value("sample")) sample = parse_sample(*interval);
  folder = options.value("output");
  if (print && sample && !folder) throw UsageError("--print and --sample exclude each other");
  if (folder == "-")
    throw UsageError(
        "-o needs a folder (one that is called so: -o ./-); --print NAME writes one table to standard output");
  is_output_taken = options.value("trace") == "-";
  if (is_output_taken && (print || options.has("chart") || (sample && !folder)))
    throw UsageError("--trace - writes to standard output, and so does --print, --chart or --sample; one of them can");
  if (folder) require_folder_name(*folder);
}

/// The option `--print`, with the names of all tables.
OptionSpec print_option_spec() {
  static const std::string help = "one of them to standard output: " + printed_format_list();
  static const std::string names = printed_format_names();
  return {"print", 0, "NAME", help, Times::once, names};
}

}  // namespace

RunArguments read_run_arguments(const CommandContext& context) {
  const Options& options = context.options;
  require_one_file(options);
  require_not_empty(options);
  RunArguments arguments;
  read_outputs(options, arguments);
  arguments.run_options = context.run_options;
  arguments.run_options.bounds = read_run_bounds(options);
  arguments.jobs = jobs_of(options);
  arguments.timer = timer_of(options);
  if (options.has("no-alternatives")) arguments.alternatives = Alternatives::not_tried;
  if (arguments.print && options.has("chart")) throw UsageError("--print and --chart exclude each other");
  return arguments;
}

std::vector<OptionSpec> run_option_specs() {
  std::vector<OptionSpec> options = scenario_option_specs();
  const auto add = [&options](const std::vector<OptionSpec>& more) {
    options.insert(options.end(), more.begin(), more.end());
  };
  add(in_group(kWhatIsWritten,
               {{"output", 'o', "DIR", "write all tables into DIR, or none; tables of a case into DIR/CASE"},
                print_option_spec(),
                {"sample", 0, "TIME", "means over such intervals, as a profiler samples; with -o samples.csv"},
                {"timer", 0, "NAME", "print what this timer shows: nvbench, do_bench, cuda_events, profiler",
                 Times::once, "nvbench do_bench cuda_events profiler"},
                {"no-alternatives", 0, "", "do not try other values of what the model assumes"},
                {"chart", 0, "", "print the timeline as a chart (always on a terminal; ASCII without UTF-8)"}}));
  add(RunExtras::option_specs());
  options.push_back(jobs_option_spec());
  add(run_bounds_option_specs());
  return options;
}

}  // namespace gdsim::cli
