#include <gdsim/probe_model/model_figures.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/probe_model/probe_logs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

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

namespace {

/// The samples of a figure by the two parameters of its measurement, without repetition 0, which is colder.
using Figures = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>>;

/// The columns of a table that make figures: two keys, of which an empty one is 0, and the figure.
struct FigureColumns {
  std::string_view first;
  std::string_view second;
  std::string_view figure;
};

Figures figures_of(const ProbeTable& table, const FigureColumns& columns, Diagnostics& problems) {
  ProbeCells cells(table, problems);
  Figures figures;
  const auto key = [&](const CsvRow& row, std::string_view column) {
    return column.empty() ? 0 : cells.bounded(row, column, 0, 1'000'000);
  };
  for (const CsvRow& row : table.document.rows) {
    const std::int64_t first = key(row, columns.first);
    const std::int64_t second = key(row, columns.second);
    const std::int64_t value = cells.thousandths(row, columns.figure);
    if (cells.bounded(row, "repetition", 0, 1'000'000) > 0) figures[{first, second}].push_back(value);
  }
  return figures;
}

/// The figures of the table; nothing, with the reason, if there are none that can be used.
std::optional<Figures> usable(const ProbeLogs& logs, const char* table, const FigureColumns& columns, std::string& why,
                              std::vector<Diagnostic>& left_out) {
  const auto read = [&](const ProbeTable& found, Diagnostics& problems) {
    return figures_of(found, columns, problems);
  };
  return read_usable(logs, table, read, why, left_out);
}

/// The number of banks, a power of two, for which the cycles of eight warps grow with the stride as expected: the
/// minimum sum of differences from a multiple of the time without conflicts. 0 if no stride takes half as long again.
std::uint32_t banks_of(const Figures& figures, std::uint32_t sub_group) {
  constexpr std::int64_t warps = 8;
  std::uint32_t best = 0;
  double least = 0;
  std::vector<std::int64_t> all;
  for (const auto& [key, samples] : figures)
    if (key.first == warps) all.push_back(summary_of(samples)->median);
  const auto [shortest, longest] = std::minmax_element(all.begin(), all.end());
  if (all.empty() || *longest * 2 < *shortest * 3) return 0;
  for (const std::uint32_t banks : {8U, 16U, 32U, 64U, 128U}) {
    SlmAccess access;
    access.banks = banks;
    double sum = 0;
    std::optional<double> alone;
    for (const auto& [key, samples] : figures) {
      if (key.first != warps) continue;
      const auto cycles = static_cast<double>(summary_of(samples)->median);
      const auto served =
          static_cast<double>(cycles_per_access(access, sub_group, static_cast<std::uint64_t>(key.second), 4));
      if (!alone) alone = cycles / served;
      const double off = cycles / (*alone * served) - 1;
      sum += off < 0 ? -off : off;
    }
    if (best == 0 || sum < least) {
      best = banks;
      least = sum;
    }
  }
  return best;
}

void add_shared_memory(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values,
                       std::vector<std::string>& notes, std::vector<Diagnostic>& left_out) {
  std::string why;
  const auto figures = usable(logs, "shared_memory", {"warps", "stride_words", "cycles_per_access"}, why, left_out);
  const auto alone = figures ? figures->find({1, 1}) : Figures::const_iterator{};
  if (!figures || alone == figures->end()) {
    values.add_unknown("slm_access.latency", figures ? "no row of shared_memory has one warp and stride 1" : why);
    return;
  }
  auto latency = alone->second;
  SlmAccess access = family.slm_access.value_or(SlmAccess{});
  if (!family.slm_access) access.banks = family.sub_group_sizes.front();
  const std::uint64_t served = cycles_per_access(access, family.sub_group_sizes.front(), 1, 4);
  for (std::int64_t& thousandths : latency) thousandths -= static_cast<std::int64_t>(served) * 1'000;
  if (summary_of(latency)->low < 1'000) {
    values.add_unknown("slm_access.latency", "a load takes less than one cycle more than the cycles that serve it");
    return;
  }
  values.add_measured("slm_access.latency", *summary_of(latency), "cycles",
                      "loads of one warp, each of which needs the one before it, less the cycles that serve it");
  const std::uint32_t banks = banks_of(*figures, family.sub_group_sizes.front());
  if (!family.slm_access) {
    if (banks > 0)
      values.add_measured("slm_access.banks", std::to_string(banks), figures->size(), "cycles by stride, eight warps");
    return;
  }
  if (banks == 0) {
    notes.push_back("loads of shared memory take as long whatever their stride is: its banks are not known");
    return;
  }
  if (banks != family.slm_access->banks)
    notes.push_back(
        fmt::format("CONFLICT: conflicts by stride are those of {} banks of shared memory, the family has "
                    "{}; the family's stand",
                    banks, family.slm_access->banks));
}

/// Fits cycles by warps to a line: the median of the slopes between all pairs of sizes, and the median remainder.
void add_barriers(const ProbeLogs& logs, ValueList& values, std::vector<Diagnostic>& left_out) {
  std::string why;
  const auto figures = usable(logs, "barrier", {"warps", "", "cycles_per_barrier"}, why, left_out);
  if (!figures || figures->size() < 2) {
    values.add_unknown("barrier_cost", figures ? "the table barrier.barrier has fewer than two sizes" : why);
    return;
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> points;
  std::uint64_t samples = 0;
  for (const auto& [key, all] : *figures) {
    points.emplace_back(key.first, summary_of(all)->median);
    samples += all.size();
  }
  std::vector<std::int64_t> slopes;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      slopes.push_back((points[j].second - points[i].second) / (points[j].first - points[i].first));
  const std::int64_t slope = summary_of(slopes)->median;
  std::vector<std::int64_t> bases;
  for (const auto& [warps, cycles] : points) bases.push_back(cycles - slope * warps);
  const std::int64_t base = summary_of(bases)->median;
  if (slope < 0 || base < 0) {
    values.add_unknown("barrier_cost",
                       fmt::format("barriers take {} cycles and {} more for each warp, which no model has",
                                   rounded_thousandths(base, 4), rounded_thousandths(slope, 4)));
    return;
  }
  const std::string how = "barriers of one block, one after the other, by warps: the median line";
  values.add_measured("barrier_cost.base", rounded_thousandths(base, 4) + " cycles", samples, how);
  values.add_measured("barrier_cost.per_thread", rounded_thousandths(slope, 4) + " cycles", samples, how);
}

/// By address, then total threads: operations per cycle of the device's clock, in thousandths.
using AtomicRates = std::map<std::string, std::map<std::int64_t, std::vector<std::int64_t>>>;

AtomicRates atomic_rates(const ProbeTable& table, const ProbeFacts& facts, Diagnostics& problems) {
  AtomicRates rates;
  ProbeCells cells(table, problems);
  for (const CsvRow& row : table.document.rows) {
    const std::string& address = cells.text(row, "address");
    const std::int64_t blocks = cells.bounded(row, "blocks", 1, 1'000'000);
    const std::int64_t threads = cells.bounded(row, "threads", 1, 100'000);
    const std::int64_t operations = cells.bounded(row, "operations", 1, std::int64_t{1} << 40);
    const std::int64_t span = cells.bounded(row, "span_ns", 0, std::int64_t{1} << 40);
    const bool is_cold = cells.bounded(row, "repetition", 0, 1'000'000) == 0;
    // Each block has its own addresses in shared memory; the figure is that of a core.
    const std::int64_t counted = address == "same_shared" ? operations / blocks : operations;
    if (is_cold || span == 0 || facts.clock_hertz == 0) continue;
    const Int128 per_cycle = Int128{counted} * 1'000 * 1'000'000'000 / (Int128{span} * facts.clock_hertz);
    rates[address][address == "same_shared" ? threads : blocks * threads].push_back(
        static_cast<std::int64_t>(per_cycle));
  }
  return rates;
}

/// Adds operations per cycle of the device's clock, for the maximum of threads that was tried.
void add_atomics(const ProbeLogs& logs, ValueList& values, std::vector<Diagnostic>& left_out) {
  const std::array<std::pair<const char*, const char*>, 4> figures{{{"same_global", "global"},
                                                                    {"own_line", "global_total"},
                                                                    {"same_shared", "slm"},
                                                                    {"float_global", "global_float"}}};
  std::string why;
  // An empty table, in which nothing was measured, has a reason of its own.
  bool has_rows = false;
  const auto read = [&](const ProbeTable& table, Diagnostics& problems) {
    AtomicRates rates = atomic_rates(table, logs.facts, problems);
    has_rows = problems.empty() && rates.empty();
    return rates;
  };
  const AtomicRates rates = read_usable(logs, "atomics", read, why, left_out).value_or(AtomicRates{});
  if (has_rows) why = "no launch of the table atomics.atomics lasts longer than the timer's step";
  for (const auto& [address, key] : figures) {
    const auto found = rates.find(address);
    const auto samples = found == rates.end() ? std::nullopt : summary_of(found->second.rbegin()->second);
    if (!samples || samples->median <= 0) {
      values.add_unknown(std::string("atomics.") + key, why);
      continue;
    }
    values.add_measured(
        std::string("atomics.") + key, *samples, "",
        fmt::format("{} operations per cycle, of the most threads that were tried; each waits for its answer",
                    address));
  }
}

}  // namespace

void add_core_costs(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out) {
  add_shared_memory(logs, family, values, notes, left_out);
  add_barriers(logs, values, left_out);
  add_atomics(logs, values, left_out);
}

}  // namespace gdsim
