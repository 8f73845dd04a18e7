#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/exact_number.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

}  // namespace gdsim
