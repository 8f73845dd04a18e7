#include <gdsim/probe_model/memory_bandwidth.hpp>
#include <gdsim/probe_model/usable_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
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

}  // namespace gdsim
