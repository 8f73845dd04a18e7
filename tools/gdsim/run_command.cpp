#include "run_command.hpp"

#include "case_run.hpp"
#include "cases_table.hpp"
#include "log.hpp"
#include "model_folders.hpp"
#include "output_folder.hpp"

#include <gdsim/base/near_names.hpp>
#include <gdsim/report/run_text.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <memory>

namespace gdsim::cli {
namespace {

Override parse_override(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--set '" + text + "' is not PATH=VALUE, as in --set kernels.k.global=5120");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

const Format& find_format(const std::vector<Format>& formats, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Format& format : formats) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  const std::string hint = did_you_mean(name, names);
  throw UsageError("--print is '" + name + "'; known: " + join(names) + (hint.empty() ? "" : ";" + hint));
}

/// One call of `gdsim run`.
class RunCall {
 public:
  explicit RunCall(CommandContext& context) : context_(context), options_(context.options) {
    const std::size_t files = options_.arguments().size();
    if (files != 1) throw UsageError("run needs one scenario file, " + std::to_string(files) + " were given");
    for (const char* name : {"output", "case"})
      if (options_.value(name) == "") throw UsageError(std::string("--") + name + " is empty");
    if (const auto name = options_.value("print")) print_ = find_format(formats_, *name);
    folder_ = options_.value("output");
    run_options_ = context.run_options;
    run_options_.bounds = read_bounds();
  }

  ExitStatus run() {
    SourceFiles sources;
    const auto cases = read_scenario(options_.arguments().front(), read_options(), sources);
    if (print_ && cases.size() > 1) throw UsageError("--print needs --case NAME: the scenario has several cases");
    std::unique_ptr<OutputFolder> folder;
    if (folder_) folder = std::make_unique<OutputFolder>(*folder_);
    ExitStatus status = ExitStatus::done;
    for (const ScenarioCase& one : cases) {
      if (cases.size() > 1 && !one.scenario.refusals.empty()) {
        table_.add_refused(one);
        if (folder)
          for (const Format& format : formats_) folder->drop(std::filesystem::path(one.name) / format.file);
        continue;
      }
      const CaseRun result(one.scenario, keeps(one.scenario), run_options_);
      if (folder) add_files(*folder, one, result);
      status = graver(status, status_of(one, result.record()));
      table_.add(one, result.record());
      show(result, cases.size());
      if (status == ExitStatus::interrupted) break;
    }
    if (!cases.front().name.empty()) finish_cases(folder.get());
    if (folder) folder->commit();
    context_.out.flush();
    return status;
  }

 private:
  ReadOptions read_options() const {
    ReadOptions read;
    read.models = model_folders(options_);
    read.only_case = options_.value("case").value_or("");
    for (const std::string& text : options_.values("set")) read.overrides.push_back(parse_override(text));
    return read;
  }

  RunBounds read_bounds() const {
    RunBounds bounds;
    if (const auto events = options_.value("max-events")) {
      const ParsedDecimal count = parse_decimal(*events);
      const auto whole = count.value && is_whole(*count.value, 1) ? round_product({*count.value}) : std::nullopt;
      if (!whole || *whole == 0) throw UsageError("--max-events '" + *events + "' is not a whole number above 0");
      bounds.events = static_cast<std::uint64_t>(*whole);
    }
    if (const auto time = options_.value("max-time")) {
      const Parsed<Picoseconds> parsed = parse_time(*time);
      if (!parsed.value) throw UsageError("--max-time: '" + *time + "' " + parsed.problem);
      bounds.time = parsed.value;
    }
    return bounds;
  }

  static ExitStatus status_of(const ScenarioCase& one, const RunRecord& record) {
    const std::string& name = one.name.empty() ? one.scenario.title : one.name;
    if (record.outcome == Outcome::completed) return ExitStatus::done;
    if (record.outcome == Outcome::interrupted) {
      log_warning(name + " was interrupted at " + to_text(record.end) + " of simulated time");
      return ExitStatus::interrupted;
    }
    log_warning(name + " stalled: nothing can happen any more");
    return ExitStatus::stalled;
  }

  /// Only a run that is repeated can tell of repetitions.
  static bool can_write(const Format& format, const Scenario& scenario) {
    return format.keeps != Keeps::repetitions || scenario.repeat > 1;
  }

  std::set<Keeps> keeps(const Scenario& scenario) const {
    std::set<Keeps> needed;
    for (const Format& format : formats_)
      if (can_write(format, scenario) && (folder_ || (print_ && print_->name == format.name)))
        needed.insert(format.keeps);
    if (scenario.repeat > 1 && !print_) needed.insert(Keeps::repetitions);
    if (print_ && !can_write(*print_, scenario))
      throw UsageError("--print " + std::string(print_->name) + " needs `repeat:` in the scenario");
    return needed;
  }

  void add_files(OutputFolder& folder, const ScenarioCase& one, const CaseRun& result) const {
    for (const Format& format : formats_)
      if (can_write(format, one.scenario))
        folder.add(std::filesystem::path(one.name) / format.file,
                   [&](Sink& sink) { format.write(result.report(), sink); });
  }

  void show(const CaseRun& result, std::size_t cases) {
    if (print_) {
      print_->write(result.report(), context_.out);
    } else if (!folder_ && cases == 1) {
      context_.out.write(run_text(result.report()));
    }
  }

  void finish_cases(OutputFolder* folder) {
    if (folder != nullptr) {
      folder->add("cases.csv", [this](Sink& sink) { table_.write_csv(sink); });
    } else if (table_.size() > 1) {
      context_.out.write(table_.text());
    }
  }

  CommandContext& context_;
  const Options& options_;
  std::vector<Format> formats_ = built_in_formats();
  std::optional<Format> print_;
  std::optional<std::string> folder_;
  RunOptions run_options_;
  CasesTable table_;
};

ExitStatus run(CommandContext& context) { return RunCall(context).run(); }

}  // namespace

Command run_command() {
  return {{"run",
           "SCENARIO.yaml",
           "run a scenario: phases of occupancy, timelines as CSV",
           "Runs the scenario and shows its phases of occupancy. SCENARIO may be - for standard input.\n"
           "A case that the device refuses as its `expect:` says is listed as refused; the others run.\n"
           "Exit status: 0 done, 2 bad input, 3 the simulation stalled (its files are written), 130 interrupted\n"
           "(its files are written up to that instant).",
           "  gdsim run scenarios/vector_add4.yaml\n"
           "  gdsim run scenarios/vector_add4.yaml -o out        # timeline.csv, cores.csv, phases.csv, ...\n"
           "  gdsim run scenarios/vector_add4.yaml --print timeline\n"
           "  gdsim run scenarios/vector_add4.yaml --set dispatch.ports=3 --set kernels.vector_add4.global=5120\n"
           "  gdsim run scenarios/vector_add2.yaml --case n44",
           {{"output", 'o', "DIR", "write all tables into DIR, all or none; cases into DIR/CASE"},
            {"print", 0, "NAME", "write one to standard output: timeline, cores, phases, work-groups, summary"},
            {"set", 0, "PATH=VALUE",
             "replace one value of the scenario before it is read (repeatable; quote it for the\n"
             "                           shell if it has spaces: --set 'kernels.k.slm=4 KiB')",
             Times::any},
            {"case", 0, "NAME", "run only this one of the scenario's cases"},
            {"max-events", 0, "N", "end after so many events, as if interrupted"},
            {"max-time", 0, "TIME", "end at this simulated time, as if interrupted"}}},
          run};
}

}  // namespace gdsim::cli
