#include "options/command.hpp"

#include "cases/earlier_run.hpp"
#include "cases/page_run.hpp"
#include "options/shared_options.hpp"
#include "output/named_outputs.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// One call of `gdsim report`.
class ReportCall {
 public:
  explicit ReportCall(CommandContext& context) : context_(context), options_(context.options) {
    if (options_.arguments().empty()) throw UsageError("a scenario file, or the folder of a run, is needed");
    if (options_.value("output").value_or("").empty()) throw UsageError("-o FILE.html or -o FILE.svg is needed");
    require_suffix(*options_.value("output"), {".html", ".svg"});
    read_scale(options_);
  }

  ExitStatus run() {
    const std::filesystem::path input = options_.arguments().front();
    if (options_.arguments().size() > 1) return from_scenarios();
    if (!std::filesystem::is_directory(input)) return from_scenario(input);
    return from_folder(input);
  }

 private:
  ExitStatus from_scenario(const std::filesystem::path& file) {
    SourceFiles sources(context_.inputs);
    const auto cases = read_cases(file, scenario_options(options_), sources);
    return draw(cases, context_.run_options).status;
  }

  ExitStatus from_folder(const std::filesystem::path& folder) {
    require_no_changes(options_);
    SourceFiles sources(context_.inputs);
    const EarlierRun run = read_earlier_run(folder, options_, sources);
    const DrawnPage drawn = draw(run.cases, run.bounded(context_.run_options));
    if (drawn.end) run.compare_end(*drawn.end);
    return drawn.status;
  }

  /// Draws the cases of one file.
  DrawnPage draw(const std::vector<ScenarioCase>& cases, const InternalRunOptions& run_options) const {
    const bool is_picture = std::filesystem::path(*options_.value("output")).extension() == ".svg";
    if (is_picture) require_one_case(cases, "a picture");
    if (is_picture && options_.has("explain")) throw UsageError("--explain is for a page: -o FILE.html");
    const NamedOutput page = output();
    require_free({&page, 1}, context_.inputs);
    const DrawnPage drawn = is_picture ? draw_picture(cases.front(), options_, run_options)
                                       : draw_page(cases.front().scenario.title, cases, options_, run_options);
    write([&](Sink& sink) { sink.write(drawn.text); });
    return drawn;
  }

  /// Draws the cases of several files on one page, each named after its file.
  ExitStatus from_scenarios() {
    SourceFiles sources(context_.inputs);
    std::vector<ScenarioCase> cases;
    std::vector<Diagnostic> problems;
    std::string title;
    for (const std::string& file : options_.arguments()) {
      if (std::filesystem::is_directory(file))
        throw UsageError(in_quotes(file) + " is a folder; several runs on one page are made from scenario files");
      title += (title.empty() ? "" : ", ") + file;
      try {
        for (ScenarioCase& scenario_case : read_cases(file, scenario_options(options_), sources)) {
          scenario_case.name =
              scenario_case.name.empty() ? short_name_of(file) : short_name_of(file) + ": " + scenario_case.name;
          cases.push_back(std::move(scenario_case));
        }
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
    if (std::filesystem::path(*options_.value("output")).extension() == ".svg")
      throw UsageError("a picture shows one run: -o FILE.html for several");
    const NamedOutput page = output();
    require_free({&page, 1}, context_.inputs);
    const DrawnPage drawn = draw_page(title, cases, options_, context_.run_options);
    write([&](Sink& sink) { sink.write(drawn.text); });
    return drawn.status;
  }

  /// Returns the file's name without its extension, or its whole path if another file has the same name.
  std::string short_name_of(const std::filesystem::path& file) const {
    const auto& all = options_.arguments();
    const auto same = [&](const std::filesystem::path& other) { return other.stem() == file.stem(); };
    return std::count_if(all.begin(), all.end(), same) == 1 ? file.stem().string() : file.string();
  }

  NamedOutput output() const { return {"-o " + *options_.value("output"), *options_.value("output")}; }

  void write(const std::function<void(Sink&)>& content) const {
    OutputFile file(output(), context_.inputs, context_.out);
    content(file.sink());
    file.commit();
    log_info("wrote " + *options_.value("output"));
  }

  CommandContext& context_;
  const Options& options_;
};

ExitStatus run_report(CommandContext& context) { return ReportCall(context).run(); }

}  // namespace

Command report_command() {
  CommandSpec spec{
      "report",
      "SCENARIO.yaml...|DIR",
      "a run as a page to look at, or as a picture",
      "Runs the scenario, and writes one HTML page that needs no other files: pictures of the device, its\n"
      "cores, work-groups and launches, and tables. If there are several cases or scenarios, the page has a\n"
      "table of all of them, and shows any one, or any two side by side. If the argument is a folder DIR of\n"
      "`gdsim run -o DIR`, its scenario is run again.\n"
      "Exit status: 0 done, 2 bad input, 3 the run deadlocked (the page is written), 130 interrupted (the page\n"
      "is written up to that instant).",
      "  gdsim report scenarios/vector_add4.yaml -o report.html\n"
      "  gdsim report scenarios/vector_add3.yaml scenarios/vector_add4.yaml -o both.html\n"
      "  gdsim report scenarios/vector_add4.yaml -o picture.svg\n"
      "  gdsim report out -o report.html            # after `gdsim run SCENARIO.yaml -o out`",
      {{"output", 'o', "FILE", "FILE.html: the page; FILE.svg: one picture"},
       scale_option_spec(),
       explain_option_spec()}};
  for (const OptionSpec& option : scenario_option_specs()) spec.options.push_back(option);
  put_in_group(spec, kWhatIsWritten, {"output", "scale", "explain"});
  return {spec, run_report};
}

}  // namespace gdsim::cli
