#include <gdsim/probe_model/memory_bandwidth.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/calibrate/calibration.hpp>
#include <gdsim/scenario/cases/template_pool.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kWaves = 8;
constexpr std::int64_t kElement = 8;  ///< bytes that a work-item moves

/// Reads of so many threads in a block, and so many blocks on a core: thousandths of GB/s.
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
    const std::int64_t told = cells.thousandths(row, "GBps");
    const std::int64_t rate = bytes * 1'000 / ns;
    if (told - rate > 1 + rate / 100 || rate - told > 1 + rate / 100)
      problems.add(row.mark, fmt::format("{} bytes in {} ns are {} GB/s, and not {}", bytes, ns,
                                         rounded_thousandths(rate, 6), rounded_thousandths(told, 6)));
    if (cells.text(row, "direction") == "read" && repetition > 0 && blocks > 0) rates[{threads, blocks}].push_back(rate);
  }
  return rates;
}

/// Shared memory of which exactly so many blocks fit on a core.
std::int64_t shared_for(const DeviceSpec& device, std::int64_t blocks) {
  const std::int64_t part = device.slm.per_core.count / blocks - device.slm.reserve.count;
  return std::min(part / 256 * 256, device.slm.per_work_group.count);
}

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

std::string scenario_of(const std::string& device_yaml, const DeviceSpec& device) {
  const std::uint32_t sub_group = device.sub_group_sizes.front();
  return fmt::format(
      "scenario: bandwidth of the probe\ndevice:\n{}kernels:\n  k:\n    global: {}\n    local: {}\n    sub_group: {}\n"
      "    slm: 0 B\n    variation: none\n    program: [memory: {} B]\nlaunches: [{{kernel: k}}]\n",
      indented(device_yaml), sub_group, sub_group, sub_group, sub_group * kElement);
}

/// A row per point, with the time of eight waves at the measured rate.
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
                   const ReadOptions& read, const RunOptions& run, Jobs jobs, ValueList& values,
                   std::vector<Diagnostic>& left_out) {
  const std::string path = "memory.levels.DRAM.bandwidth";
  const ProbeTable* table = logs.find("bandwidth", "bandwidth");
  if (table == nullptr) return values.untold(path, "the table bandwidth.bandwidth is not there");
  Diagnostics problems;
  const ReadRates rates = read_rates(*table, problems);
  left_out.insert(left_out.end(), problems.problems().begin(), problems.problems().end());
  if (!problems.empty() || rates.empty()) return values.untold(path, "the table bandwidth.bandwidth cannot be used");
  if (!device.memory) return values.untold(path, "without latencies there is no level of memory to be fitted");
  std::int64_t most = 0;
  std::uint64_t samples = 0;
  for (const auto& [key, all] : rates) {
    most = std::max(most, summary_of(all)->median);
    samples += all.size();
  }
  const std::int64_t tenths = std::max<std::int64_t>(most / 100, 2);
  const std::vector<FitRange> ranges{
      parse_fit_range(fmt::format("device.memory.levels.{}.bandwidth={}.{}..{}.{} GB/s", device.memory->levels.size() - 1,
                                  tenths / 2 / 10, tenths / 2 % 10, tenths * 3 / 10, tenths * 3 % 10))};
  try {
    TemplatePool pool("the bandwidth of the probe", scenario_of(device_yaml, device), ".", read);
    const SourceText text("bandwidth.bandwidth", table_of(rates, device));
    const MeasuredTimes measured = read_measured_times(text, problems);
    problems.throw_if_any();
    TimeModel model(pool, ranges, measured, run, jobs);
    const Calibration fit = calibrate(model, ranges, measured, {30, 1, 40});
    if (fit.is_interrupted) return values.untold(path, "the fit was interrupted");
    const FittedParameter& found = fit.parameters.front();
    const auto percent = [](const Ratio& error) { return to_fixed({error.numerator * 100, error.denominator}, 2); };
    std::string how = fmt::format(
        "by calibrate, reads of 8 bytes per thread, 1 and 2 blocks on a core: the error is {} % on {} rows, {} % on {} "
        "that were held out; the highest rate measured is {} GB/s",
        percent(fit.error_fitted), fit.rows_fitted, fit.error_held_out ? percent(*fit.error_held_out) : "-",
        fit.rows_held_out, rounded_thousandths(most, 5));
    if (found.knowledge == Knowledge::determined) {
      values.measured(path, found.value, samples, how + fmt::format("; from {} to {}", found.low, found.high));
    } else {
      values.measured(path, fmt::format("{} GB/s", rounded_thousandths(most, 5)), samples,
                      "the highest rate measured; the rows do not determine more (" + how + ")");
    }
  } catch (const InputError& error) {
    values.untold(path, "it cannot be fitted: " + readable(error.problems().front().message));
  }
}

}  // namespace gdsim
