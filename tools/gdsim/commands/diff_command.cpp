#include "cases/case_run.hpp"
#include "cases/earlier_run.hpp"
#include "options/command.hpp"
#include "options/options.hpp"
#include "options/shared_options.hpp"
#include "output/output_files.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compare/run_diff.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/report/format_catalog.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/read_scenario.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::cli {
namespace {

/// `METRIC > X %`: b's metric exceeds a's by more than X percent of a's. `METRIC < -X %`: b's metric is lower than a's
/// by more than X percent of a's.
class FailCondition {
 public:
  /// Throws UsageError if the text is not a condition.
  explicit FailCondition(std::string text);

  /// Compares two texts of `summary.json`. Returns the failure if the condition holds for `b` against `a`, else
  /// nullopt. Throws UsageError if the metric is not a number of both.
  std::optional<std::string> failure(const SourceText& a, const SourceText& b) const;

 private:
  std::string text_;
  std::string metric_;  ///< a key of summary.json
  bool is_less_ = false;
  Decimal percent_;
};

constexpr const char* kExample = "; write it as in --fail-if 'duration > 5 %'";

/// Returns the number in ten-thousandths, rounded: figures of a summary have at most four decimals. Returns nullopt
/// from 10^30 on, which no figure reaches, so that 100 times the result fits into 128 bits.
std::optional<Int128> ten_thousandths(const Decimal& number) {
  if (compare(number, {1, 30}) >= 0) return std::nullopt;
  Int128 scaled = static_cast<Int128>(number.digits);
  int power = number.exponent + 4;
  for (; power > 0; --power) scaled *= 10;
  for (; power < -1; ++power) scaled /= 10;
  return power == 0 ? scaled : (scaled + 5) / 10;
}

/// Returns the number at a key of a summary, in ten-thousandths.
Int128 figure(const SourceText& summary, const std::string& key) {
  Diagnostics problems;
  const auto root = read_yaml(summary, problems);  // JSON is YAML
  problems.throw_if_any();
  const YamlNode* node = find_path(*root, key);
  std::vector<std::string_view> known{"duration"};
  for (const YamlEntry& entry : root->entries)
    if (entry.value.is_scalar() && parse_decimal(entry.value.text).value) known.push_back(entry.key);
  if (node == nullptr || !node->is_scalar())
    throw UsageError("--fail-if: " + summary.name() + " has no " + in_quotes(key) + "; " + known_names(key, known));
  const auto number = parse_decimal(node->text).value;
  if (!number) throw UsageError("--fail-if: " + in_quotes(key) + " is " + in_quotes(node->text) + ", no number");
  const auto scaled = ten_thousandths(*number);
  if (!scaled) throw UsageError("--fail-if: " + in_quotes(key) + " is " + node->text + ", more than any run can have");
  return *scaled;
}

FailCondition::FailCondition(std::string text) : text_(std::move(text)) {
  const auto fail = [&](const std::string& message) {
    throw UsageError("--fail-if " + in_quotes(text_) + " " + message + kExample);
  };
  const std::size_t sign = text_.find_first_of("<>");
  if (sign == std::string::npos) fail("has no '>'");
  is_less_ = text_[sign] == '<';
  metric_ = trimmed(std::string_view(text_).substr(0, sign));
  std::string_view limit = trimmed(std::string_view(text_).substr(sign + 1));
  if (metric_.empty()) fail("names nothing to compare");
  if (!limit.ends_with('%')) fail("has no percentage");
  limit = trimmed(limit.substr(0, limit.size() - 1));
  if (is_less_) {
    if (!limit.starts_with('-'))
      fail("never holds but below: with '<', the percentage is negative, as in 'mean_occupancy_percent < -5 %'");
    limit.remove_prefix(1);
  }
  const Parsed<Decimal> number = parse_decimal(limit);
  if (!number.value) fail("has a percentage that " + number.problem);
  percent_ = *number.value;
  if (metric_ == "duration") metric_ = "duration_ns";
}

std::optional<std::string> FailCondition::failure(const SourceText& a, const SourceText& b) const {
  const Int128 of_a = figure(a, metric_), of_b = figure(b, metric_);
  const Int128 more = is_less_ ? of_a - of_b : of_b - of_a;
  if (more <= 0) return std::nullopt;
  const auto shown = [](Int128 value) { return to_fixed({static_cast<UInt128>(value), 10'000}, 4); };
  const std::string values =
      fmt::format("--fail-if '{}': {} is {} in a and {} in b", text_, metric_, shown(of_a), shown(of_b));
  if (of_a == 0) return values;
  // more / of_a > percent / 100, exactly.
  if (is_within_percent({static_cast<UInt128>(of_a) + static_cast<UInt128>(more), 1}, {static_cast<UInt128>(of_a), 1},
                        percent_))
    return std::nullopt;
  return fmt::format("{}: {} % {}", values, to_fixed({static_cast<UInt128>(more) * 100, static_cast<UInt128>(of_a)}, 2),
                     is_less_ ? "less" : "more");
}

namespace fs = std::filesystem;

/// One of the two runs: of a scenario, or of that of an earlier run's folder.
class DiffSide {
 public:
  DiffSide(const std::string& input, const std::string& case_name, CommandContext& context)
      : name_(input), sources_(context.inputs) {
    if (fs::is_directory(input)) {
      if (!case_name.empty())
        throw UsageError("--case belongs to scenarios; name the folder of the case: " + input + "/" + case_name);
      EarlierRun earlier = read_earlier_run(input, context.options, sources_);
      cases_ = std::move(earlier.cases);
      earlier.compare_end(run_case(input, earlier.bounded(context.run_options)));
      return;
    }
    ReadOptions read = scenario_options(context.options);
    read.only_case = case_name;
    cases_ = read_cases(input, read, sources_);
    require_one_case(cases_, "diff");
    const ScenarioCase& scenario_case = cases_.front();
    if (!scenario_case.name.empty()) name_ += " (" + scenario_case.name + ")";
    run_case(scenario_case.name.empty() ? scenario_case.scenario.title : scenario_case.name, context.run_options);
  }
  DiffSide(const DiffSide&) = delete;
  DiffSide& operator=(const DiffSide&) = delete;

  const std::string& name() const { return name_; }
  /// The devices by name if the scenario has several; else empty.
  const std::vector<std::pair<std::string, RunView>>& devices() const { return devices_; }
  const RunView& view() const { return view_; }
  const SourceText& summary() const { return *summary_; }
  ExitStatus status() const { return status_; }

 private:
  /// Runs the case, which messages call `name`, and returns its end.
  SimTime run_case(const std::string& name, const InternalRunOptions& run_options) {
    const ScenarioCase& scenario_case = cases_.front();
    require_durations(scenario_case.scenario);
    if (!scenario_case.scenario.devices.empty()) return run_devices(name, run_options);
    run_.emplace(scenario_case.scenario, std::set<Keeps>{Keeps::timeline, Keeps::cores}, run_options);
    status_ = report_end(name, run_->record());
    view_ = view_of(run_->report());
    TextSink text;
    write_summary_json(run_->report(), text);
    summary_ = &sources_.keep(name_, text.take());
    return run_->record().end;
  }

  SimTime run_devices(const std::string& name, const InternalRunOptions& run_options) {
    const ScenarioCase& scenario_case = cases_.front();
    if (!scenario_case.scenario.refusals.empty()) throw InputError(scenario_case.scenario.refusals);
    devices_run_.emplace(scenario_case.scenario, std::set<Keeps>{Keeps::timeline, Keeps::cores}, run_options,
                         KeptDevices::How{});
    const std::vector<DeviceReport> reports = devices_run_->reports();
    for (const DeviceReport& device : reports) devices_.emplace_back(device.name, view_of(device.report));
    status_ = report_end(name, devices_run_->record());
    TextSink text;
    write_devices_json(scenario_case.scenario.title, devices_run_->record(), reports, {}, text);
    summary_ = &sources_.keep(name_, text.take());
    return devices_run_->record().end;
  }

  std::string name_;
  SourceFiles sources_;
  std::vector<ScenarioCase> cases_;
  std::optional<CaseRun> run_;
  std::optional<KeptDevices> devices_run_;
  std::vector<std::pair<std::string, RunView>> devices_;
  RunView view_;
  const SourceText* summary_ = nullptr;
  ExitStatus status_ = ExitStatus::done;
};

/// The inputs of both sides, and their cases.
struct Sides {
  std::string a, b, case_a, case_b;
};

Sides sides_of(const Options& options) {
  const auto& inputs = options.arguments();
  const auto cases = options.values("case");
  if (cases.size() > 2)
    throw UsageError("--case was given " + std::to_string(cases.size()) + " times; diff takes two cases at most");
  if (inputs.size() == 1 && cases.size() == 2) return {inputs[0], inputs[0], cases[0], cases[1]};
  if (inputs.size() != 2)
    throw UsageError(
        "diff needs two scenarios or folders of runs, or one scenario and two cases: gdsim diff S.yaml --case a --case "
        "b");
  if (cases.empty()) return {inputs[0], inputs[1], {}, {}};
  return {inputs[0], inputs[1], cases.front(), cases.back()};
}

/// Compares two runs of several devices: devices of the same name side by side.
std::string devices_diff_text(const DiffSide& a, const DiffSide& b) {
  const auto names = [](const DiffSide& side) {
    std::set<std::string> all;
    for (const auto& device : side.devices()) all.insert(device.first);
    return all;
  };
  if (names(a) != names(b))
    throw UsageError("the runs have different devices; diff compares devices of the same names under `devices:`");
  std::string text;
  for (const auto& [name, view] : a.devices()) {
    const auto other = std::find_if(b.devices().begin(), b.devices().end(),
                                    [&, &own = name](const auto& device) { return device.first == own; });
    text += (text.empty() ? "--- " : "\n--- ") + printable(name) + " ---\n" +
            diff_text(NamedRuns{a.name(), view, b.name(), other->second});
  }
  return text;
}

ExitStatus run_diff(CommandContext& context) {
  const Options& options = context.options;
  const OutputsBySuffix outputs(options, {".csv", ".json", ".html", ".svg"});
  const Sides sides = sides_of(options);
  if (options.has("set") && fs::is_directory(sides.a) && fs::is_directory(sides.b))
    throw UsageError("--set changes scenarios; both are folders of runs that are over");
  std::vector<FailCondition> conditions;
  for (const std::string& text : options.values("fail-if")) conditions.emplace_back(text);
  const DiffSide a(sides.a, sides.case_a, context), b(sides.b, sides.case_b, context);
  std::vector<std::string> failures;
  for (const FailCondition& condition : conditions)
    if (const auto failure = condition.failure(a.summary(), b.summary())) failures.push_back(*failure);
  const ExitStatus status =
      worse(worse(a.status(), b.status()), failures.empty() ? ExitStatus::done : ExitStatus::expectation_missed);
  if (!a.devices().empty() || !b.devices().empty()) {
    if (options.has("of")) throw UsageError("--of is for runs of one device");
    if (options.has("output") || options.value("format").value_or("text") != "text")
      throw UsageError("files of a diff are of one device; of several, diff writes text: leave -o and --format out");
    context.out.show(devices_diff_text(a, b));
    for (const std::string& failure : failures) log_warning(failure);
    return status;
  }
  const NamedRuns runs{a.name(), a.view(), b.name(), b.view(), launch_figure_of(options)};
  outputs.write(
      {{".csv", [&](Sink& sink) { write_diff_csv(runs, sink); }},
       {".json", [&](Sink& sink) { write_diff_json(runs, sink); }},
       {".html", [&](Sink& sink) { write_diff_page(runs, sink); }},
       {".svg", [&](Sink& sink) { write_diff_svg(runs, sink); }}},
      [&] { return diff_text(runs); }, context.inputs, context.out);
  for (const std::string& failure : failures) log_warning(failure);
  return status;
}

}  // namespace

Command diff_command() {
  CommandSpec spec{
      "diff",
      "A B",
      "what differs between two runs",
      "Runs A and B, and lists how the runs differ. A and B are scenarios, or folders of `gdsim run -o`, whose\n"
      "scenarios are run again. To compare two cases of one scenario, write it once with --case a --case b. If\n"
      "there are two scenarios, the first --case belongs to A and the second to B; a single --case belongs to\n"
      "both.\n"
      "A change is given as a share of A's figure. This also holds for percentages: from 20 % to 18 % is -10 %.\n"
      "In --fail-if, METRIC is a number of summary.json, or `duration`. You may give several conditions.\n"
      "Of several devices it writes text, device by device; -o files are of one device.\n"
      "Exit status: 0 done, 1 a --fail-if holds, 2 bad input, 3 one of the runs deadlocked, 130 interrupted.",
      "  gdsim diff before.yaml after.yaml --fail-if 'duration > 5 %'\n"
      "  gdsim diff out.old out.new -o diff.html\n"
      "  gdsim diff scenarios/vector_add2.yaml --case n8 --case n44",
      {{"fail-if", 0, "'METRIC > X %'",
        "exit with 1 if b's is greater than a's by more than X % of a's (repeatable); "
        "'METRIC < -X %': if it is less by more than that",
        Times::any},
       {"output", 'o', "FILE", "write FILE.csv, FILE.json, FILE.html (a page) or FILE.svg (a picture; repeatable)",
        Times::any},
       OutputsBySuffix::format_spec()}};
  for (OptionSpec option : scenario_option_specs()) {
    if (option.name == "case") option.times = Times::any;
    spec.options.push_back(option);
  }
  spec.options.push_back(of_option_spec());
  put_in_group(spec, kWhatIsWritten, {"output", "format"});
  return {spec, run_diff};
}

}  // namespace gdsim::cli
