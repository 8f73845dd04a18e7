#include <gdsim/probe_model/memory_latencies.hpp>
#include <gdsim/probe_model/usable_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

constexpr std::int64_t kChased = 16;  ///< loads of a simulated chase
constexpr std::int64_t kPage = std::int64_t{2} << 20;

/// Rings of one size, and the loads through them: thousandths of cycles, or of nanoseconds without a cycle counter.
struct Ring {
  std::int64_t bytes = 0;
  std::int64_t latency = 0;
};

/// The median of each size, ascending. Of rings larger than a page, those in the order with fewer TLB misses are used.
std::vector<Ring> rings_of(const ProbeTable& table, bool& in_cycles, Diagnostics& problems) {
  ProbeCells cells(table, problems);
  std::map<std::int64_t, std::vector<std::int64_t>> cycles;
  std::map<std::int64_t, std::vector<std::int64_t>> ns;
  for (const CsvRow& row : table.document.rows) {
    const std::int64_t bytes = cells.bounded(row, "bytes", 1, std::int64_t{1} << 42);
    const std::string& order = cells.text(row, "order");
    const std::int64_t repetition = cells.bounded(row, "repetition", 0, 1'000'000);
    const auto counted = cells.optional_thousandths(row, "cycles_per_load");
    const std::int64_t timed = cells.thousandths(row, "ns_per_load");
    if (order != "random" && order != "pages")
      problems.add(row.mark, "order: '" + order + "' is neither random nor pages");
    if ((order == "pages") != (bytes > kPage) || repetition == 0) continue;  // repetition 0 is colder
    if (counted) cycles[bytes].push_back(*counted);
    ns[bytes].push_back(timed);
  }
  in_cycles = cycles.size() == ns.size();
  std::vector<Ring> rings;
  for (auto& [bytes, samples] : in_cycles ? cycles : ns)
    rings.push_back({bytes, summary_of(std::move(samples))->median});
  return rings;
}

/// The largest ring that a level before the L2 holds: beyond it, a load takes a third longer than in the smallest ring.
/// 0 if the smallest rings are in the L2 already.
std::int64_t first_level(const std::vector<Ring>& rings, std::int64_t l2) {
  std::int64_t bytes = 0;
  for (const Ring& ring : rings) {
    if (ring.latency * 3 > rings.front().latency * 4) break;
    bytes = ring.bytes;
  }
  if (bytes * 2 > l2) return 0;
  return bytes;
}

std::optional<SampleSummary> between(const std::vector<Ring>& rings, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> samples;
  for (const Ring& ring : rings)
    if (from <= ring.bytes && ring.bytes <= to) samples.push_back(ring.latency);
  return summary_of(std::move(samples));
}

/// Rings that go beyond the first level, as calibrate() reads measured times.
struct MeasuredRings {
  std::string times = "kernels.k.working_set,time_ps\n";
  std::uint64_t rows = 0;
  std::int64_t most = 0;  ///< cycles per load
};

MeasuredRings measured_rings(const std::vector<Ring>& rings, std::int64_t from, Hertz clock) {
  MeasuredRings measured;
  for (const Ring& ring : rings) {
    if (ring.bytes < from || ring.latency == 0) continue;
    const Int128 time = Int128{ring.latency} * kChased * 1'000'000'000 / clock.count;
    measured.times += fmt::format("{} B,{}\n", ring.bytes, to_text(time));
    measured.most = std::max(measured.most, ring.latency);
    ++measured.rows;
  }
  return measured;
}

std::string chase_workload(std::uint32_t sub_group) {
  return fmt::format(
      "kernels:\n  k:\n    global: {0}\n    local: {0}\n    sub_group: {0}\n    working_set: 1 MiB\n"
      "    variation: none\n    program: [loop: {{count: {1}, body: [memory: 128 B]}}]\nlaunches: [{{kernel: k}}]\n",
      sub_group, kChased);
}

/// Replaces a measured latency by the one of this number that was fitted to the rings of more than `from` bytes.
void take_fitted(const ModelFit& fit, std::size_t number, std::int64_t from, std::uint64_t rows, ProbedValue& value) {
  if (!fit.found || fit.found->parameters[number].knowledge != Knowledge::determined) {
    value.how += "; calibrate does not determine it: " + fit.error_text();
    return;
  }
  const FittedParameter& found = fit.found->parameters[number];
  value = {value.path,
           found.value,
           ValueOrigin::measured,
           rows,
           found.low,
           found.high,
           fmt::format("by calibrate, one thread follows a ring of lines of more than {}, part of which caches hold: "
                       "{}; the median of rings in or beyond it is {}; the calculation of the address is in it",
                       to_text(Bytes{from}), fit.error_text(), value.value)};
}

}  // namespace

void add_latencies(const ProbeLogs& logs, ValueList& values, std::vector<std::string>& notes,
                   std::vector<Diagnostic>& left_out) {
  const auto unknown = [&](const std::string& why) {
    values.add_unknown("memory.levels.L2.latency", why);
    values.add_unknown("memory.levels.DRAM.latency", why);
  };
  std::string why;
  bool in_cycles = true;
  const auto found = read_usable(
      logs, "latency",
      [&](const ProbeTable& table, Diagnostics& problems) { return rings_of(table, in_cycles, problems); }, why,
      left_out);
  if (!found) return unknown(why);
  const std::vector<Ring>& rings = *found;
  const std::string unit = in_cycles ? "cycles" : "ns";
  const std::int64_t l2 = logs.facts.l2_bytes;
  const std::int64_t l1 = first_level(rings, l2);
  const std::string chase = "one thread follows a ring of lines; the calculation of the address is in it";
  if (l1 > 0)
    notes.push_back(
        fmt::format("rings of up to {} take {} {} per load: a first level that the family's models do not "
                    "have",
                    to_text(Bytes{l1}), rounded_thousandths(rings.front().latency, 4), unit));
  if (l2 == 0) return unknown("the runtime does not report the size of the L2");
  if (const auto samples = between(rings, 2 * l1, l2 / 2)) {
    values.add_measured(
        "memory.levels.L2.latency", *samples, unit,
        fmt::format("{}, {} to {}, medians of sizes", chase, to_text(Bytes{2 * l1}), to_text(Bytes{l2 / 2})));
  } else {
    values.add_unknown("memory.levels.L2.latency", "no ring lies between the first level and half of the L2");
  }
  if (const auto samples = between(rings, 4 * l2, std::int64_t{1} << 42)) {
    values.add_measured(
        "memory.levels.DRAM.latency", *samples, unit,
        fmt::format("{}, from {} on, within pages of 2 MiB, medians of sizes", chase, to_text(Bytes{4 * l2})));
  } else {
    values.add_unknown("memory.levels.DRAM.latency", "no ring is four times as large as the L2");
  }
}

void fit_latencies(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ProbedValue& l2, ProbedValue& dram) {
  const ProbeTable* table = logs.find("latency", "latency");
  if (table == nullptr || !device.clock) return;
  Diagnostics problems;
  bool in_cycles = true;
  const std::vector<Ring> rings = rings_of(*table, in_cycles, problems);
  if (!problems.empty() || !in_cycles) return;
  const std::int64_t from = 2 * first_level(rings, logs.facts.l2_bytes);
  const MeasuredRings measured = measured_rings(rings, from, *device.clock);
  const std::int64_t limit = measured.most / 1'000 * 2 + 10;
  const ModelFit fit = fit_model("the latencies of the probe", device_yaml,
                                 chase_workload(device.sub_group_sizes.front()), measured.times,
                                 {fmt::format("device.memory.levels.0.latency=1.0..{}.0 cycles", limit),
                                  fmt::format("device.memory.levels.1.latency=1.0..{}.0 cycles", limit)},
                                 setting);
  take_fitted(fit, 0, from, measured.rows, l2);
  take_fitted(fit, 1, from, measured.rows, dram);
}

}  // namespace gdsim
