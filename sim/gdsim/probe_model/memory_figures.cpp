#include <gdsim/probe_model/model_figures.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/scenario/cases/scenario_cases.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace gdsim {
namespace {

/// The device's file as a value of `device:`, without comments.
std::string indented(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line[0] != '#') lines += "  " + line + "\n";
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string ModelFit::error_text() const {
  if (!found) return problem;
  std::string text =
      fmt::format("the error is {} on {} rows", percent_of_error(found->error_fitted), found->rows_fitted);
  if (found->error_held_out)
    text +=
        fmt::format(", {} on {} that were held out", percent_of_error(*found->error_held_out), found->rows_held_out);
  return text;
}

ModelFit fit_model(const std::string& title, const std::string& device_yaml, const std::string& workload,
                   const std::string& times, const std::vector<std::string>& ranges, const FitSetting& setting) {
  constexpr std::uint64_t held_out_percent = 30;
  constexpr std::uint64_t evaluations = 80;
  ModelFit fit;
  ReadOptions read = setting.read;
  read.overrides.push_back({"device.launch_cost", "0 ns"});  // the tables' times do not include it
  try {
    TemplatePool pool(title, "scenario: " + title + "\ndevice:\n" + indented(device_yaml) + workload, ".", read);
    Diagnostics problems;
    const SourceText text(title, times);
    const MeasuredTimes measured = read_measured_times(text, problems);
    problems.throw_if_any();
    std::vector<FitRange> parsed;
    for (const std::string& range : ranges) parsed.push_back(parse_fit_range(range));
    TimeModel model(pool, parsed, measured, setting.run, setting.jobs);
    Calibration found = calibrate(model, parsed, measured, {held_out_percent, 1, evaluations * ranges.size()});
    if (found.is_interrupted) fit.problem = "the fit was interrupted";
    if (!found.is_interrupted) fit.found = std::move(found);
  } catch (const InputError& error) {
    fit.problem = "it cannot be fitted: " + readable(error.problems().front().message);
  }
  return fit;
}

namespace {

constexpr std::uint64_t kWaves = 24;
constexpr std::int64_t kElement = 8;  ///< bytes that a work-item moves

/// By threads in a block and blocks on a core: rates of reads, in thousandths of GB/s.
using ReadRates = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>>;

ReadRates read_rates(const ProbeTable& table, Diagnostics& problems) {
  ProbeCells cells(table, problems);
  ReadRates rates;
  for (const CsvRow& row : table.document.rows) {
    const std::int64_t threads = cells.bounded(row, "threads", 1, 1'024);
    const std::int64_t blocks = cells.bounded(row, "blocks_per_core", 0, 1'000);
    const std::int64_t bytes = cells.bounded(row, "bytes", 1, std::int64_t{1} << 44);
    const std::int64_t ns = cells.bounded(row, "event_ns", 1, std::int64_t{1} << 44);
    const std::int64_t repetition = cells.bounded(row, "repetition", 0, 1'000'000);
    const std::int64_t written = cells.thousandths(row, "GBps");
    const std::int64_t rate = bytes * 1'000 / ns;
    if (written - rate > 1 + rate / 100 || rate - written > 1 + rate / 100)
      problems.add(row.mark, fmt::format("{} bytes in {} ns are {} GB/s, and not {}", bytes, ns,
                                         rounded_thousandths(rate, 6), rounded_thousandths(written, 6)));
    if (cells.text(row, "direction") == "read" && repetition > 0 && blocks > 0)
      rates[{threads, blocks}].push_back(rate);
  }
  return rates;
}

/// An amount of shared memory with which exactly `blocks` blocks fit on a core.
std::int64_t shared_for(const DeviceSpec& device, std::int64_t blocks) {
  const std::int64_t part = device.slm.per_core.count / blocks - device.slm.reserve.count;
  return std::min(part / 256 * 256, device.slm.per_work_group.count);
}

std::string workload_text(const DeviceSpec& device) {
  const std::uint32_t sub_group = device.sub_group_sizes.front();
  return fmt::format(
      "kernels:\n  k:\n    global: {}\n    local: {}\n    sub_group: {}\n    slm: 0 B\n"
      "    program: [memory: {} B]\nlaunches: [{{kernel: k}}]\n",
      sub_group, sub_group, sub_group, sub_group * kElement);
}

/// A row per point, with the time of a number of waves at the measured rate.
std::string table_of(const ReadRates& rates, const DeviceSpec& device) {
  std::string text = "kernels.k.global,kernels.k.local,kernels.k.slm,time_ps\n";
  for (const auto& [key, samples] : rates) {
    const auto [threads, blocks] = key;
    const std::int64_t rate = summary_of(samples)->median;
    const std::int64_t items = threads * blocks * device.cores * static_cast<std::int64_t>(kWaves);
    if (rate <= 0) continue;
    const Int128 time = Int128{items} * kElement * 1'000'000 / rate;
    text += fmt::format("{},{},{} B,{}\n", items, threads, shared_for(device, blocks), to_text(time));
  }
  return text;
}

}  // namespace

void add_bandwidth(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ValueList& values, std::vector<Diagnostic>& left_out) {
  const std::string path = "memory.levels.DRAM.bandwidth";
  std::string why;
  const auto rates = read_usable(logs, "bandwidth", read_rates, why, left_out);
  if (!rates) return values.add_unknown(path, why);
  if (!device.memory) return values.add_unknown(path, "without latencies there is no level of memory to be fitted");
  std::int64_t most = 0;
  std::uint64_t samples = 0;
  for (const auto& [key, all] : *rates) {
    most = std::max(most, summary_of(all)->median);
    samples += all.size();
  }
  const std::int64_t tenths = std::max<std::int64_t>(most / 100, 2);
  const std::string range =
      fmt::format("device.memory.levels.{}.bandwidth={}.{}..{}.{} GB/s", device.memory->levels.size() - 1,
                  tenths / 2 / 10, tenths / 2 % 10, tenths * 3 / 10, tenths * 3 % 10);
  const ModelFit fit = fit_model("the bandwidth of the probe", device_yaml, workload_text(device),
                                 table_of(*rates, device), {range}, setting);
  if (!fit.found && fit.problem == "the fit was interrupted") return values.add_unknown(path, fit.problem);
  const std::string highest = rounded_thousandths(most, 5) + " GB/s";
  const std::string how = "reads of 8 bytes per thread, 1 and 2 blocks on a core: " + fit.error_text();
  if (!fit.found || fit.found->parameters.front().knowledge != Knowledge::determined)
    return values.add_measured(path, highest, samples,
                               "the highest rate measured; calibrate does not determine it, " + how);
  const FittedParameter& found = fit.found->parameters.front();
  values.add_measured(path, found.value, samples,
                      fmt::format("by calibrate, {}; between {} and {}; the highest rate measured is {}", how,
                                  found.low, found.high, highest));
}

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
