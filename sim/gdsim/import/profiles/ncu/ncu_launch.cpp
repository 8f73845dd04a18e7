#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// The names of a metric on the raw page and on the details page.
struct MetricNames {
  std::string_view raw;
  std::string_view details;
};

constexpr MetricNames kDuration{"gpu__time_duration.sum", "Duration"};
constexpr MetricNames kRegisters{"launch__registers_per_thread", "Registers Per Thread"};
constexpr MetricNames kStatic{"launch__shared_mem_per_block_static", "Static Shared Memory Per Block"};
constexpr MetricNames kDynamic{"launch__shared_mem_per_block_dynamic", "Dynamic Shared Memory Per Block"};
constexpr MetricNames kBlockSize{"launch__block_size", "Block Size"};
constexpr MetricNames kGridSize{"launch__grid_size", "Grid Size"};
constexpr MetricNames kCluster{"launch__cluster_size", "Cluster Size"};
constexpr MetricNames kMultiprocessors{"launch__sm_count", "# SMs"};
constexpr MetricNames kWaves{"launch__waves_per_multiprocessor", "Waves Per SM"};
constexpr MetricNames kClock{"gpc__cycles_elapsed.avg.per_second", "SM Frequency"};
constexpr std::array<MetricNames, 5> kLimits{{{"launch__occupancy_limit_blocks", "Block Limit SM"},
                                              {"launch__occupancy_limit_registers", "Block Limit Registers"},
                                              {"launch__occupancy_limit_shared_mem", "Block Limit Shared Mem"},
                                              {"launch__occupancy_limit_warps", "Block Limit Warps"},
                                              {"launch__occupancy_limit_barriers", "Block Limit Barriers"}}};
constexpr std::array<MetricNames, 10> kUsedMetrics{kDuration, kRegisters, kStatic,          kDynamic, kBlockSize,
                                                   kGridSize, kCluster,   kMultiprocessors, kWaves,   kClock};

bool is_missing(const std::string& value) {
  return value.empty() || value == "n/a" || value == "nan" || value == "-nan" || value == "inf" || value == "(!) n/a" ||
         value == "(!) nan";
}

class NcuReader {
 public:
  NcuReader(Profile& profile, const NcuLaunch& from) : profile_(profile), from_(from) {}

  void read() {
    ProfiledLaunch launch;
    launch.place = from_.place;
    launch.name = profile_.texts.number(from_.name);
    launch.queue = profile_.texts.number(from_.stream);
    launch.device = profile_.texts.number(from_.device);
    launch.grid = extent(from_.grid, "grid", kGridSize);
    launch.block = extent(from_.block, "block", kBlockSize);
    if (const auto registers = whole(kRegisters, kMaxProfiledRegisters))
      launch.registers = static_cast<std::uint32_t>(*registers);
    launch.static_slm = bytes(kStatic);
    launch.dynamic_slm = bytes(kDynamic);
    launch.cluster = whole(kCluster, kMaxProfiledRegisters).value_or(0);
    if (launch.cluster == 1) launch.cluster = 0;
    launch.duration = duration();
    if (auto counters = ncu_counters(profile_, from_)) {
      profile_.counters.push_back(std::move(*counters));
      launch.counters = static_cast<std::uint32_t>(profile_.counters.size());
    }
    if (launch.grid[0] == 0 || launch.block[0] == 0)
      ++profile_.left_out["reports without a section of launch statistics: grid or block are not known"];
    else
      add_launch(profile_, launch);
    describe_device(launch);
  }

 private:
  const NcuMetric* find(const MetricNames& names) const {
    for (const std::string_view name : {names.raw, names.details})
      if (const auto found = from_.metrics.find(name); found != from_.metrics.end() && !is_missing(found->second.value))
        return &found->second;
    return nullptr;
  }

  [[noreturn]] void fail(const MetricNames& names, const std::string& value) const {
    fail_at(profile_, from_.place,
            fmt::format("the metric '{}' ({}) is {}, which is no number of its kind", names.details, names.raw,
                        in_quotes(value)));
  }

  std::optional<std::uint64_t> whole(const MetricNames& names, std::uint64_t most) const {
    const NcuMetric* metric = find(names);
    if (metric == nullptr) return std::nullopt;
    const auto value = whole_number(metric->value, most);
    if (!value) fail(names, metric->value);
    return value;
  }

  std::optional<std::uint64_t> bytes(const MetricNames& names) const {
    const NcuMetric* metric = find(names);
    if (metric == nullptr) return std::nullopt;
    const auto unit = metric->unit.empty() ? std::optional<std::uint64_t>(1) : bytes_of_unit(metric->unit);
    const auto value = unit ? snapped_bytes(metric->value, *unit) : std::nullopt;
    if (!value || *value > kMaxProfiledBytes) fail(names, metric->value + " " + metric->unit);
    return value;
  }

  std::optional<std::int64_t> duration() const {
    const NcuMetric* metric = find(kDuration);
    if (metric == nullptr) return std::nullopt;
    const auto exponent = time_exponent(metric->unit.empty() ? "ns" : metric->unit);
    const auto value = exponent ? scaled_number(metric->value, *exponent) : std::nullopt;
    if (!value || *value < 0 || *value > kMaxProfiledSpan) fail(kDuration, metric->value + " " + metric->unit);
    return static_cast<std::int64_t>(*value);
  }

  /// Reads `(64, 64, 1)`, or the dimensions as metrics, or their product.
  Extent extent(const std::string& text, std::string_view kind, const MetricNames& size) const {
    Extent sizes{};
    std::size_t dimension = 0;
    for (std::size_t i = 0; i < text.size() && dimension < sizes.size();) {
      const std::size_t begin = text.find_first_of("0123456789", i);
      if (begin == std::string::npos) break;
      const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
      const auto value = whole_number(std::string_view(text).substr(begin, end - begin), kMaxProfiledSize);
      if (!value) fail(size, text);
      sizes[dimension++] = *value;
      i = end;
    }
    constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
    if (dimension == 0)
      for (std::size_t d = 0; d < sizes.size(); ++d) {
        const std::string name = fmt::format("launch__{}_dim_{}", kind, axes[d]);
        sizes[d] = whole({name, name}, kMaxProfiledSize).value_or(0);
      }
    if (sizes[0] == 0) sizes = {whole(size, kMaxProfiledSize).value_or(0), 1, 1};
    if (sizes[0] != 0)
      for (std::uint64_t& value : sizes) value = std::max<std::uint64_t>(value, 1);
    return sizes;
  }

  void describe_device(const ProfiledLaunch& launch) {
    const auto has_key = [&](const ProfiledDevice& one) { return one.key == from_.device; };
    if (std::none_of(profile_.devices.begin(), profile_.devices.end(), has_key))
      profile_.devices.push_back({from_.device, "", "", {}, {}, {}, {}});
    ProfiledDevice& device = *std::find_if(profile_.devices.begin(), profile_.devices.end(), has_key);
    const auto text_of = [&](std::string_view raw) {
      const NcuMetric* metric = find({raw, raw});
      return metric != nullptr ? metric->value : std::string();
    };
    if (device.name.empty()) device.name = text_of("device__attribute_display_name");
    std::string capability = from_.capability;
    if (capability.empty() && !text_of("device__attribute_compute_capability_major").empty())
      capability = text_of("device__attribute_compute_capability_major") + "." +
                   text_of("device__attribute_compute_capability_minor");
    if (device.family.empty() && !capability.empty()) device.family = "cc-" + capability;
    constexpr std::uint64_t most_cores = 1 << 20;
    const MetricNames attribute{"device__attribute_multiprocessor_count", "device__attribute_multiprocessor_count"};
    for (const MetricNames& names : {attribute, kMultiprocessors})
      if (const auto cores = device.cores ? std::nullopt : whole(names, most_cores))
        device.cores = static_cast<std::uint32_t>(*cores);
    if (!device.cores) derive_cores(launch, device);
    if (!device.clock) read_clock(device);
  }

  /// Waves = blocks / (blocks that fit on an SM x SMs), with two decimals. Sets the SMs if these determine them.
  void derive_cores(const ProfiledLaunch& launch, ProfiledDevice& device) {
    std::uint64_t fit = kMaxProfiledSize;
    for (const MetricNames& limit : kLimits)
      if (const auto blocks = whole(limit, kMaxProfiledSize)) fit = std::min(fit, *blocks);
    const NcuMetric* metric = find(kWaves);
    const Int128 hundredths = metric != nullptr ? scaled_number(metric->value, 2).value_or(0) : 0;
    const auto blocks = volume(launch.grid);
    if (hundredths <= 0 || hundredths > Int128{kMaxProfiledSize} || !blocks || fit == 0 || fit == kMaxProfiledSize)
      return;
    const auto cores_at = [&](Int128 half_hundredths) {  // rounded
      const Int128 share = Int128{fit} * half_hundredths;
      return (Int128{*blocks} * 200 * 2 + share) / (share * 2);
    };
    const Int128 cores = cores_at(hundredths * 2);
    if (cores < 1 || cores > 1'000 || cores_at(hundredths * 2 - 1) != cores || cores_at(hundredths * 2 + 1) != cores)
      return;
    device.cores = static_cast<std::uint32_t>(cores);
    profile_.notes.push_back(
        fmt::format("the file does not say how many SMs there are: {} follow from 'Waves Per SM'", *device.cores));
  }

  void read_clock(ProfiledDevice& device) {
    const NcuMetric* metric = find(kClock);
    if (metric == nullptr) return;
    int exponent = 0;
    if (metric->unit == "cycle/nsecond" || metric->unit == "Ghz" || metric->unit == "GHz") exponent = 9;
    if (metric->unit == "cycle/usecond" || metric->unit == "Mhz" || metric->unit == "MHz") exponent = 6;
    const bool is_in_hertz =
        metric->unit.empty() || metric->unit == "cycle/second" || metric->unit == "hz" || metric->unit == "Hz";
    const auto hertz = scaled_number(metric->value, exponent);
    if ((exponent == 0 && !is_in_hertz) || !hertz || *hertz <= 0 || *hertz > Int128{100'000'000'000}) return;
    device.clock = Hertz{static_cast<std::int64_t>(*hertz)};
  }

  Profile& profile_;
  const NcuLaunch& from_;
};

}  // namespace

bool is_ncu_metric(std::string_view name) {
  const auto is_it = [&](const MetricNames& names) { return names.details == name || names.raw == name; };
  return std::any_of(kUsedMetrics.begin(), kUsedMetrics.end(), is_it) ||
         std::any_of(kLimits.begin(), kLimits.end(), is_it) || name.starts_with("launch__") ||
         name.starts_with("device__attribute_") || is_ncu_counter(name);
}

void add_ncu_launch(Profile& profile, const NcuLaunch& launch) { NcuReader(profile, launch).read(); }

namespace {

constexpr std::string_view kAchieved = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kLanes = 32;

/// The kernel's duration in the cycles that `per_cycle_elapsed` rates refer to.
constexpr std::array<std::string_view, 3> kElapsed{"smsp__cycles_elapsed.max", "sm__cycles_elapsed.max",
                                                   "gpc__cycles_elapsed.max"};

/// Instructions per warp. The counts of the SM and of its partitions are the same sums.
constexpr std::array<std::string_view, 2> kInstructions{"smsp__inst_executed.sum", "sm__inst_executed.sum"};

/// A kind of arithmetic: counters of the pipe that executes its instructions, and of what lanes executed.
struct CountedArithmetic {
  std::string_view kind;
  std::array<std::string_view, 2> pipe;
  std::array<std::string_view, 3> lanes;
};

constexpr std::array kKinds{
    CountedArithmetic{
        "fp32",
        {"smsp__inst_executed_pipe_fma.sum", "sm__inst_executed_pipe_fma.sum"},
        {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
         "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}},
    CountedArithmetic{
        "fp64",
        {"smsp__inst_executed_pipe_fp64.sum", "sm__inst_executed_pipe_fp64.sum"},
        {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
         "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"}},
    CountedArithmetic{
        "fp16",
        {"smsp__inst_executed_pipe_fp16.sum", "sm__inst_executed_pipe_fp16.sum"},
        {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
         "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"}},
    CountedArithmetic{"int32",
                      {"smsp__inst_executed_pipe_alu.sum", "sm__inst_executed_pipe_alu.sum"},
                      {"smsp__sass_thread_inst_executed_op_integer_pred_on.sum", "", ""}},
    CountedArithmetic{"sfu", {"smsp__inst_executed_pipe_xu.sum", "sm__inst_executed_pipe_xu.sum"}, {"", "", ""}},
    CountedArithmetic{
        "load_store", {"smsp__inst_executed_pipe_lsu.sum", "sm__inst_executed_pipe_lsu.sum"}, {"", "", ""}}};

/// Counters of moved bytes: all of them, or those read and those written.
struct MovedBytes {
  std::string_view all;
  std::string_view read;
  std::string_view written;
  std::uint64_t unit = 1;  ///< bytes per count
};

/// Traffic between the SMs and the L2 cache. The first counter that is present is used.
constexpr std::array kBehindL1{
    MovedBytes{"lts__t_sectors_srcunit_tex.sum", "", "", kSectorBytes},
    MovedBytes{"lts__t_bytes.sum", "", ""},
    MovedBytes{"lts__t_sectors.sum", "", "", kSectorBytes},
    MovedBytes{"", "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum", kSectorBytes},
    MovedBytes{"", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
               "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"},
    MovedBytes{"", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum", kSectorBytes}};
constexpr std::array kOfDram{MovedBytes{"dram__bytes.sum", "", ""},
                             MovedBytes{"", "dram__bytes_read.sum", "dram__bytes_write.sum"},
                             MovedBytes{"", "dram__sectors_read.sum", "dram__sectors_write.sum", kSectorBytes}};

class CounterReader {
 public:
  CounterReader(Profile& profile, const NcuLaunch& launch) : profile_(profile), launch_(launch) {}

  std::optional<ProfiledCounters> read() {
    ProfiledCounters counters;
    const auto instructions = first_of(kInstructions);
    const auto behind_l1 = bytes_of(kBehindL1, "behind the L1 caches");
    const auto of_dram = bytes_of(kOfDram, "of the DRAM");
    if (!instructions || *instructions == 0 || !behind_l1 || !of_dram) return std::nullopt;
    counters.instructions = *instructions;
    counters.cache_bytes = *behind_l1;
    counters.memory_bytes = *of_dram;
    for (const CountedArithmetic& kind : kKinds)
      if (const auto count = count_of(kind); count && *count > 0) counters.by_kind.emplace_back(kind.kind, *count);
    note_tensor_instructions();
    counters.achieved_hundredths = achieved();
    return counters;
  }

 private:
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t unit = 1) const {
    const auto metric = launch_.metrics.find(name);
    if (name.empty() || metric == launch_.metrics.end()) return std::nullopt;
    const auto& [value, printed_unit] = metric->second;
    if (value.empty() || value.find("n/a") != std::string::npos || value.find("nan") != std::string::npos)
      return std::nullopt;
    std::uint64_t scale = unit;
    if (const auto bytes = bytes_of_unit(printed_unit); bytes && unit == 1) scale = *bytes;
    // Counts in a report are floating point. Bytes may have fractions if passes were averaged.
    const auto micro = scaled_number(value, 6);
    if (!micro || *micro < 0 || *micro > Int128{kMaxProfiledBytes} * 1'000'000)
      fail_at(profile_, launch_.place,
              fmt::format("the metric '{}' is {}, which is no count", name, in_quotes(value + " " + printed_unit)));
    const Int128 all = (*micro * Int128{scale} + 500'000) / 1'000'000;
    return static_cast<std::uint64_t>(std::min(all, Int128{kMaxProfiledBytes}));
  }

  std::optional<std::uint64_t> first_of(std::span<const std::string_view> names) const {
    for (const std::string_view name : names)
      if (const auto count = number(name)) return count;
    return std::nullopt;
  }

  std::optional<std::uint64_t> bytes_of(std::span<const MovedBytes> ways, std::string_view where) {
    for (const MovedBytes& moved : ways) {
      if (const auto all = number(moved.all, moved.unit)) return all;
      const auto read = number(moved.read, moved.unit);
      const auto written = number(moved.written, moved.unit);
      if (!read && !written) continue;
      if (!read || !written)
        note(fmt::format("bytes that are {} {} were not counted ('{}'): none is assumed", read ? "written" : "read",
                         where, read ? moved.written : moved.read));
      return read.value_or(0) + written.value_or(0);
    }
    return std::nullopt;
  }

  /// Instructions per warp, or nullopt. If only lanes were counted, the minimum number of warps is assumed.
  std::optional<std::uint64_t> count_of(const CountedArithmetic& kind) const {
    if (const auto count = first_of(kind.pipe)) return count;
    std::optional<std::uint64_t> lanes;
    for (const std::string_view name : kind.lanes)
      if (const auto count = sum_of(name)) lanes = lanes.value_or(0) + *count;
    if (!lanes) return std::nullopt;
    return (*lanes + kLanes - 1) / kLanes;
  }

  /// The sum, or its rate over all cycles of the kernel, from which rooflines are made, or nullopt.
  std::optional<std::uint64_t> sum_of(std::string_view name) const {
    if (const auto sum = number(name)) return sum;
    const auto rate = launch_.metrics.find(std::string(name) + ".per_cycle_elapsed");
    const auto cycles = first_of(kElapsed);
    if (name.empty() || !cycles || rate == launch_.metrics.end()) return std::nullopt;
    const auto millionths = scaled_number(rate->second.value, 6);
    constexpr Int128 most = Int128{1} << 50;
    if (!millionths || *millionths < 0 || *millionths > most) return std::nullopt;
    return static_cast<std::uint64_t>(
        std::min((*millionths * Int128{*cycles} + 500'000) / 1'000'000, Int128{kMaxProfiledBytes}));
  }

  void note_tensor_instructions() {
    for (const auto& [name, metric] : launch_.metrics)
      if (name.find("_inst_executed_pipe_tensor") != std::string::npos && number(name).value_or(0) > 0)
        return note("instructions of tensor cores count as others: how many multiply-adds each is, is not in the file");
  }

  std::optional<std::uint64_t> achieved() const {
    const auto metric = launch_.metrics.find(kAchieved);
    if (metric == launch_.metrics.end()) return std::nullopt;
    const auto hundredths = scaled_number(metric->second.value, 2);
    if (!hundredths || *hundredths < 0 || *hundredths > 10'000) return std::nullopt;
    return static_cast<std::uint64_t>(*hundredths);
  }

  void note(const std::string& text) {
    if (std::find(profile_.notes.begin(), profile_.notes.end(), text) == profile_.notes.end())
      profile_.notes.push_back(text);
  }

  Profile& profile_;
  const NcuLaunch& launch_;
};

}  // namespace

bool is_ncu_counter(std::string_view name) {
  return name == kAchieved || name.find("__inst_executed") != std::string_view::npos ||
         name.find("_inst_executed_op_") != std::string_view::npos || name.starts_with("dram__") ||
         name.starts_with("lts__t_") || name.starts_with("l1tex__t_bytes") || name.ends_with("__cycles_elapsed.max");
}

std::optional<ProfiledCounters> ncu_counters(Profile& profile, const NcuLaunch& launch) {
  return CounterReader(profile, launch).read();
}

}  // namespace gdsim
