#include "options/shared_options.hpp"

#include "options/options.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>

#include <cstddef>

namespace gdsim::cli {
namespace {

Override parse_override(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--set " + in_quotes(text) + " is not PATH=VALUE, as in --set kernels.k.global=5120");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

ReadOptions scenario_options(const Options& options) {
  ReadOptions read;
  read.models = model_folders(options);
  read.only_case = options.value("case").value_or("");
  for (const std::string& text : options.values("set")) read.overrides.push_back(parse_override(text));
  return read;
}

std::vector<ScenarioCase> read_cases(const std::filesystem::path& file, const ReadOptions& options,
                                     SourceFiles& sources) {
  /// Logs the files that were read, even if the scenario is refused.
  struct Files {
    const SourceFiles& sources;
    ~Files() {
      if (!logs_trace()) return;
      for (const SourceText& text : sources.all())
        log_trace("read " + text.name() + ": " + std::to_string(text.text().size()) + " bytes");
    }
  } const files{sources};
  return read_scenario(file, options, sources);
}

void require_one_case(const std::vector<ScenarioCase>& cases, const std::string& option) {
  constexpr std::size_t max_shown = 20;
  if (cases.size() <= 1) return;
  std::string names;
  for (std::size_t i = 0; i < cases.size() && i < max_shown; ++i) names += (i > 0 ? ", " : "") + cases[i].name;
  if (cases.size() > max_shown) names += ", ...";
  throw UsageError(option + " needs --case NAME: the scenario has several cases: " + names);
}

std::vector<std::string> changes_of(const ScenarioCase& scenario_case, const Options& options) {
  std::vector<std::string> changes;
  for (const auto& [path, value] : scenario_case.values_set) changes.push_back(path + " = " + value);
  for (const std::string& change : options.values("set")) changes.push_back("--set " + change);
  return changes;
}

const TimerAllowance* timer_of(const Options& options) {
  const auto name = options.value("timer");
  if (!name) return nullptr;
  if (const TimerAllowance* timer = find_timer(*name)) return timer;
  std::vector<std::string_view> names;
  for (const TimerAllowance& timer : timer_allowances()) names.push_back(timer.name);
  throw UsageError("--timer is " + in_quotes(*name) + "; " + known_names(*name, names));
}

Jobs jobs_of(const Options& options) {
  const auto text = options.value("jobs");
  if (!text) return all_cores();
  const Parsed<Decimal> number = parse_decimal(*text);
  const auto count = number.value && is_whole(*number.value, 1) ? round_product({*number.value}) : std::nullopt;
  if (!count || *count < 1 || *count > 1024)
    throw UsageError("--jobs " + in_quotes(*text) + " is not a whole number from 1 to 1024");
  return {static_cast<std::size_t>(*count)};
}

OptionSpec jobs_option_spec() {
  return {"jobs",      'j', "N",       "run up to N simulations at once (default: all cores); same output",
          Times::once, {},  kHowItRuns};
}

OptionSpec of_option_spec() {
  return {"of", 0, "LAUNCH[:duration|:wait][:mean|:p50|:p99]",
          "the time of this launch, or of all of its `count`, instead of the run's"};
}

std::optional<LaunchFigure> launch_figure_of(const Options& options) {
  const auto text = options.value("of");
  return text ? std::optional(parse_launch_figure(*text)) : std::nullopt;
}

std::vector<OptionSpec> scenario_option_specs() {
  return in_group(kWhatRuns, {{"set", 0, "PATH=VALUE",
                               "replace one value of the scenario before it is read (repeatable; in quotes if it has "
                               "spaces: --set 'kernels.k.slm=4 KiB')",
                               Times::any},
                              {"case", 0, "NAME", "run only this one of the scenario's cases"}});
}

RunBounds read_run_bounds(const Options& options) {
  RunBounds bounds;
  if (const auto events = options.value("max-events")) {
    const Parsed<Decimal> count = parse_decimal(*events);
    const auto whole = count.value && is_whole(*count.value, 1) ? round_product({*count.value}) : std::nullopt;
    if (!whole || *whole == 0)
      throw UsageError("--max-events " + in_quotes(*events) + " is not a whole number above 0");
    bounds.events = static_cast<std::uint64_t>(*whole);
  }
  if (const auto time = options.value("max-time")) {
    const Parsed<SimTime> parsed = parse_time(*time);
    if (!parsed.value) throw UsageError("--max-time: " + in_quotes(*time) + " " + parsed.problem);
    bounds.time = parsed.value;
  }
  return bounds;
}

std::vector<OptionSpec> run_bounds_option_specs() {
  return in_group(kHowItRuns, {{"max-events", 0, "N", "stop after N events; the outcome is then: bounded"},
                               {"max-time", 0, "TIME", "stop at this simulated time; the outcome is then: bounded"}});
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t min) {
  const Parsed<Decimal> number = parse_decimal(text);
  const auto whole = number.value && is_whole(*number.value, 1) ? round_product({*number.value}) : std::nullopt;
  if (!whole || static_cast<std::uint64_t>(*whole) < min)
    throw UsageError(option + " " + in_quotes(text) + " is not a whole number of at least " + std::to_string(min));
  return static_cast<std::uint64_t>(*whole);
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError("--shard " + in_quotes(text) + " is not I/N, as in --shard 3/8");
  const Shard shard{whole_number("--shard", text.substr(0, slash), 1),
                    whole_number("--shard", text.substr(slash + 1), 1)};
  if (shard.number > shard.count)
    throw UsageError("--shard " + in_quotes(text) + ": shards are counted from 1 to " + std::to_string(shard.count));
  return shard;
}

}  // namespace gdsim::cli
