#include <gdsim/probe_model/arithmetic_rates.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/probe_model/usable_table.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>

namespace gdsim {
namespace {

/// By kind: operations per cycle of an engine, in thousandths, without repetition 0, which is colder.
using Rates = std::map<std::string, std::vector<std::int64_t>>;

Rates rates_of(const ProbeTable& table, std::uint32_t engines, Diagnostics& problems) {
  ProbeCells cells(table, problems);
  Rates rates;
  for (const CsvRow& row : table.document.rows) {
    const std::string& kind = cells.text(row, "kind");
    const std::int64_t operations = cells.bounded(row, "operations", 1, std::int64_t{1} << 40);
    const std::int64_t cycles = cells.bounded(row, "cycles", 1, std::int64_t{1} << 40);
    if (cells.bounded(row, "repetition", 0, 1'000'000) > 0)
      rates[kind].push_back(operations * 1'000 / (cycles * engines));
  }
  return rates;
}

/// The rate in thousandths.
std::int64_t thousandths_of(const Decimal& rate) { return round_product({rate}, {1'000, 1}).value_or(0); }

}  // namespace

void add_arithmetic(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out) {
  std::string why;
  const auto rates = read_usable(
      logs, "arithmetic",
      [&](const ProbeTable& table, Diagnostics& problems) {
        return rates_of(table, family.engines_per_core, problems);
      },
      why, left_out);
  bool is_any_measured = false;
  for (const auto& [kind, samples] : rates.value_or(Rates{})) {
    const Decimal* known = rate_of(family.arithmetic, kind);
    const auto summary = summary_of(samples);
    if (known == nullptr) {
      notes.push_back(
          fmt::format("arithmetic of kind {} was measured, but the family has no rate for it", in_quotes(kind)));
      continue;
    }
    if (!summary || summary->median <= 0) continue;
    is_any_measured = true;
    values.add_measured(
        "arithmetic." + kind, *summary, "",
        "operations per cycle of one block of as many threads as it may have, divided by the engines of a core");
    const std::int64_t expected = thousandths_of(*known);
    if (summary->median * 2 < expected || summary->median > expected * 2)
      notes.push_back(fmt::format("CONFLICT: measured {} operations of kind {} per cycle and engine; the family has {}",
                                  rounded_thousandths(summary->median, 4), kind, rounded_thousandths(expected, 4)));
  }
  if (!is_any_measured)
    values.add_unknown("arithmetic",
                       rates ? "the table arithmetic.arithmetic has only repetition 0, the warm-up" : why);
}

}  // namespace gdsim
