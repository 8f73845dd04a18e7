#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/profiles/exact_number.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace gdsim {
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
    for (const MovedBytes& way : ways) {
      if (const auto all = number(way.all, way.unit)) return all;
      const auto read = number(way.read, way.unit);
      const auto written = number(way.written, way.unit);
      if (!read && !written) continue;
      if (!read || !written)
        note(fmt::format("bytes that are {} {} were not counted ('{}'): none is assumed", read ? "written" : "read",
                         where, read ? way.written : way.read));
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
