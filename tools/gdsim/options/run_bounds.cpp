#include "options/run_bounds.hpp"

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>

namespace gdsim::cli {

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

}  // namespace gdsim::cli
