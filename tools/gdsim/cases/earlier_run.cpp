#include "cases/earlier_run.hpp"
#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "options/options.hpp"
#include "output/output_folder.hpp"
#include "terminal/log.hpp"
#include "terminal/program.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRole = "a file of a run's folder";

std::string text_under(const SourceText& summary, std::string_view key) {
  const auto value = read_yaml_value(summary, key);
  return value && value->is_scalar() ? value->text : "";
}

/// Lists the folders below that hold a run: `DIR/a, DIR/b`.
std::string cases_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (fs::exists(entry.path() / kSummaryFile, ignored)) names.insert(entry.path().string());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Returns a file of the folder. Throws InputError if it is missing.
const SourceText& read_file(const fs::path& folder, const char* name, SourceFiles& sources) {
  std::error_code error;
  if (fs::exists(folder / name, error)) return sources.read(folder / name, kRole);
  const std::string cases = cases_in(folder);
  throw InputError(folder.string() + " has no " + name + ": it is not the whole folder of a run" +
                   (cases.empty() ? ", which `gdsim run SCENARIO.yaml -o DIR` writes; give a scenario"
                                  : ", but of several; name one of them: " + cases));
}

void warn_of_version(const fs::path& folder, const SourceText& summary) {
  const std::string version = text_under(summary, "gdsim_version");
  if (version == version_number()) return;
  log_warning(folder.string() + " was written by " +
              (version.empty() ? "a version of gdsim that did not say which, before 0.4.0" : "gdsim " + version) +
              "; gdsim " + version_number() + " runs its scenario again");
}

/// Returns what was changed in the scenario before it ran: `PATH = VALUE`, `--set PATH=VALUE`.
std::vector<std::pair<std::string, std::string>> changes_in(const SourceText& summary) {
  std::vector<std::pair<std::string, std::string>> changes;
  const auto list = read_yaml_value(summary, "changes");
  if (!list) return changes;
  for (const YamlNode& change : list->items) {
    const std::size_t equals = std::min(change.text.find('='), change.text.size());
    const bool is_spaced = equals > 0 && change.text[equals - 1] == ' ';
    changes.emplace_back(change.text.substr(0, equals - (is_spaced ? 1 : 0)),
                         change.text.substr(std::min(equals + (is_spaced ? 2 : 1), change.text.size())));
  }
  return changes;
}

void read_end(const SourceText& summary, EarlierRun& run) {
  const std::string outcome = text_under(summary, "outcome");
  const auto is = [&](Outcome known) { return outcome == name_of(known); };
  const bool is_early = is(Outcome::interrupted) || is(Outcome::bounded);
  const std::string end = text_under(summary, "end_ns");
  const auto span = parse_span(end, Duration{1'000}).value;
  if ((!is_early && !is(Outcome::completed) && !is(Outcome::deadlock)) || (!span && end != "null"))
    throw InputError({Diagnostic{"unreadable",
                                 "is not what gdsim wrote: it has no outcome and end_ns; give the scenario instead",
                                 summary.name(),
                                 0,
                                 0,
                                 {}}});
  if (span) run.end = SimTime{} + *span;
  run.ended_early = is_early && span;
  if (is(Outcome::interrupted) && span)
    log_warning(run.folder + " is of a run that was interrupted at " + to_text(*run.end) +
                " of simulated time; it is run again up to there");
}

/// Returns the folder that lies so beside another one, which a link may name.
fs::path beside(const fs::path& folder, const std::string& way) {
  const fs::path named = (folder / way).lexically_normal();
  std::error_code unknown;
  return fs::equivalent(folder / way, named, unknown) ? named : (fs::canonical(folder) / way).lexically_normal();
}

}  // namespace

bool names_files(const SourceFiles& sources, const Options& options) {
  const std::vector<fs::path> models = model_folders(options);
  const std::vector<const SourceText*> files = sources.files();
  const auto is_own = [&](const SourceText* file) {
    return file != &sources.first() && std::none_of(models.begin(), models.end(), [&](const fs::path& folder) {
             return file->name().starts_with((folder / "").string());
           });
  };
  return std::any_of(files.begin(), files.end(), is_own);
}

fs::path folder_of_scenario(const fs::path& file) {
  return file == "-" || !file.has_parent_path() ? fs::path(".") : file.parent_path();
}

InternalRunOptions EarlierRun::bounded(InternalRunOptions options) const {
  if (ended_early) options.bounds.time = end;
  return options;
}

void EarlierRun::compare_end(SimTime now) const {
  if (!end || *end == now) return;
  log_warning(folder + " says that its run ended at " + to_text(*end) + ", and now it ends at " + to_text(now) +
              ": gdsim or a model changed since; its tables are those of before");
}

void require_no_changes(const Options& options) {
  if (options.has("set") || options.has("case")) throw UsageError("a run that is over takes no --set and no --case");
}

EarlierRun read_earlier_run(const fs::path& folder, const Options& options, SourceFiles& sources) {
  EarlierRun run;
  run.folder = folder.string();
  const SourceText& summary = read_file(folder, kSummaryFile, sources);
  if (read_yaml_value(summary, "cases"))
    throw InputError(run.folder + " is the folder of several runs; name one of them: " + cases_in(folder));
  const SourceText& scenario = read_file(folder, kScenarioFile, sources);
  read_end(summary, run);
  warn_of_version(folder, summary);
  ReadOptions read;
  read.models = model_folders(options);
  run.cases = read_scenario(scenario, beside(folder, text_under(summary, "scenario_folder")), read, sources);
  run.cases.front().values_set = changes_in(summary);
  return run;
}

}  // namespace gdsim::cli
