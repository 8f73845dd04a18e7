#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/base/in_order.hpp>
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/report/format_catalog.hpp>
#include "options/command.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gdsim::cli {

/// The values of the options of `gdsim run`.
struct RunArguments {
  std::optional<Format> print;
  std::optional<std::string> folder;  ///< `-o`
  std::optional<Duration> sample;
  bool is_output_taken = false;  ///< only a trace goes to standard output
  InternalRunOptions run_options;
  Jobs jobs;
  Alternatives alternatives = Alternatives::tried;
  const TimerAllowance* timer = nullptr;  ///< null: none was named
};

/// Throws UsageError if a value is wrong, or if options exclude each other.
RunArguments read_run_arguments(const CommandContext& context);

/// Every option of `gdsim run`.
std::vector<OptionSpec> run_option_specs();

}  // namespace gdsim::cli
