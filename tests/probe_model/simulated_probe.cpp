#include "probe_model/simulated_probe.hpp"

#include "support/builders.hpp"

#include <gdsim/device/device_rules.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <vector>

namespace gdsim::testing {
namespace {

constexpr std::int64_t kSpin = 20'000;  ///< cycles of a block of equal length

/// One launch as it was simulated.
struct Logged {
  std::vector<WorkGroupRecord> groups;
  std::int64_t span_ps = 0;   ///< from the first placement to the last end
  std::int64_t total_ps = 0;  ///< from the beginning of the launch
};

class ProbeWriter {
 public:
  ProbeWriter(const DeviceSpec& device, std::string architecture, const ProbeNoise& noise, std::filesystem::path folder)
      : device_(device),
        architecture_(std::move(architecture)),
        noise_(noise),
        folder_(std::move(folder)),
        sub_group_(device.sub_group_sizes.front()),
        random_(noise.seed) {
    std::filesystem::create_directories(folder_);
  }

  void write() {
    experiment("threads", {64, 256, 1024}, 0, false, {1, 2, 5});
    experiment("slots", {sub_group_}, 0, false, {1, 2});
    experiment("shared", {128}, static_cast<std::int64_t>(device_.slm.per_work_group.count / 2), false, {1, 2});
    experiment("drawn", {128}, 0, true, {1, 5, 12});
    launches("launch", false);
    launches("gaps", true);
    latency();
    bandwidth();
    shared_memory();
    barrier();
    arithmetic();
  }

 private:
  std::int64_t off(std::int64_t most) {
    return most == 0 ? 0 : static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(2 * most + 1)) - most;
  }
  std::int64_t cycles(std::int64_t ps) const {
    return static_cast<std::int64_t>(Int128{ps} * device_.clock->count / 1'000'000'000'000);
  }
  std::int64_t timer(std::int64_t ps) const { return ps / 1'000 / noise_.timer_step_ns * noise_.timer_step_ns; }

  void table(const std::string& experiment, const std::string& name, const std::string& heading,
             const std::string& rows) const {
    std::ofstream out(folder_ / (experiment + "." + name + ".csv"));
    const std::int64_t khz = device_.clock->count / 1'000;
    out << "# probe: 1\n# table: " << name << "\n# experiment: " << experiment
        << "\n# runtime: simulated\n# device: Simulated\n# architecture: " << architecture_
        << "\n# cores: " << device_.cores << "\n# threads_per_core: " << device_.contexts_per_core() * sub_group_
        << "\n# shared_bytes_per_core: " << device_.slm.per_core.count
        << "\n# l2_bytes: " << (device_.memory ? device_.memory->levels.front().capacity->count : 0)
        << "\n# core_clock_MHz_nominal: 0.000\n# core_clock_MHz_measured: " << khz / 1'000 << "."
        << fmt::format("{:03}", khz % 1'000) << "\n# timer_step_ns: " << noise_.timer_step_ns
        << "\n# timer_base_ns: 0\n# clock_bits: 64\n# driver: 1\n# date_UTC: 2026-01-02T03:04:05Z\n"
        << heading << "\n"
        << rows;
  }

  std::uint32_t resident(std::uint32_t threads, std::int64_t shared) const {
    Kernel kernel;
    kernel.sub_group = sub_group_;
    kernel.range = {{1, 1, threads}, {1, 1, threads}};
    kernel.needs.slm.total = Bytes{shared};
    return static_cast<std::uint32_t>(occupancy_of(kernel, device_, GlobalSize::any).work_groups_per_core);
  }

  Logged run(std::uint64_t blocks, std::uint32_t threads, std::int64_t shared, const Program& program, bool drawn) {
    Kernel kernel;
    kernel.name = "probe";
    kernel.sub_group = sub_group_;
    kernel.range = {{1, 1, blocks * threads}, {1, 1, threads}};
    kernel.needs.slm.total = Bytes{shared};
    kernel.program = program;
    kernel.variation.is_lock_step = !std::holds_alternative<Memory>(program.front());
    if (drawn) {
      Draw draw;
      draw.distribution = Distribution::uniform;
      draw.cv = Decimal{25, -2};
      draw.seed = 3;
      kernel.variation.draw = draw;
      kernel.variation.is_lock_step = false;
    }
    const FullRun full = run_fully(device_, workload_of({kernel}));
    Logged logged;
    const auto records = full.work_groups.records_of(LaunchId{0});
    logged.groups.assign(records.begin(), records.end());
    logged.span_ps = full.record.active().count;
    logged.total_ps = full.record.duration().count;
    return logged;
  }

  static Program spin(std::int64_t cycles) {
    return {Compute{StepTime{Decimal::whole(static_cast<std::uint64_t>(cycles)), StepTime::Unit::cycles}}};
  }

  static constexpr const char* kLaunches =
      "run,repetition,launch,stream,priority,made_by,body,blocks,threads,registers,shared_bytes,cluster,"
      "blocks_per_core,spin_cycles,first_start_ns,last_end_ns,gap_ns,host_call_ns,host_total_ns,event_ns";
  static constexpr const char* kBlocks =
      "run,repetition,launch,block,core,group,hardware_id,hardware_partition,start_ns,end_ns,start_clock,end_clock,"
      "start_cycles,position,replaces";

  /// Rows of the blocks of a launch, whose first one starts at `at`; answers first start and last end in ns.
  std::pair<std::int64_t, std::int64_t> block_rows(const std::string& key, const Logged& logged, std::int64_t at,
                                                   std::string& rows) {
    const std::int64_t origin = logged.groups.front().first_placed.count - at;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = 0;
    for (std::size_t i = 0; i < logged.groups.size(); ++i) {
      const WorkGroupRecord& one = logged.groups[i];
      const std::int64_t start = one.first_placed.count - origin;
      const std::int64_t end = one.ended.value().count - origin;
      const auto core = static_cast<std::uint32_t>(index_of(one.core));
      const std::int64_t skew = 1'000'003LL * core + 77;
      const std::int64_t start_cycles = cycles(start - at) + off(noise_.clock_cycles) + noise_.clock_cycles;
      const std::int64_t length = cycles(end) - cycles(start) + off(noise_.clock_cycles);
      first = std::min(first, timer(start));
      last = std::max(last, timer(end));
      rows += fmt::format("{},{},{},{},0x{:x},0x0,{},{},{},{},{},0,\n", key, i, core, group_of(core), core,
                          timer(start), timer(end), start_cycles + skew, start_cycles + length + skew, start_cycles);
    }
    return {first, last};
  }

  /// AMD's shader engine; empty elsewhere.
  std::string group_of(std::uint32_t core) const {
    if (device_.vendor != "amd" || device_.core_groups.empty()) return "";
    const std::uint32_t groups = device_.core_groups.front().count;
    return std::to_string(core * groups / device_.cores);
  }

  void experiment(const std::string& name, const std::vector<std::uint32_t>& sizes, std::int64_t shared, bool drawn,
                  const std::vector<std::uint32_t>& waves) {
    std::string launch_rows;
    std::string rows;
    for (const std::uint32_t threads : sizes) {
      const std::uint32_t fit = resident(threads, shared);
      if (fit == 0) continue;
      for (const std::uint32_t wave : waves) {
        const std::uint64_t blocks = std::uint64_t{fit} * device_.cores * wave + (wave > 1 ? 1 : 0);
        const Logged logged = run(blocks, threads, shared, spin(kSpin), drawn);
        for (int repetition = 0; repetition < 2; ++repetition) {
          const std::string key = fmt::format("threads{}_waves_{},{},0", threads, wave, repetition);
          const auto [first, last] = block_rows(key, logged, 5'000'000, rows);
          launch_rows += fmt::format("{},0,normal,host,{},{},{},32,{},1,{},{},{},{},,1000,90000,{}\n", key,
                                     drawn ? "drawn" : "equal", blocks, threads, shared, fit, kSpin, first, last,
                                     logged.total_ps / 1'000);
        }
      }
    }
    table(name, "launches", kLaunches, launch_rows);
    table(name, "blocks", kBlocks, rows);
  }

  /// One launch between events, or ten in a graph, each `serial` behind the one before.
  void launches(const std::string& name, bool in_graph) {
    std::string launch_rows;
    std::string rows;
    const Logged logged = run(1, 128, 0, spin(kSpin), false);
    const std::int64_t serial =
        device_.launch_cost ? resolve(device_.launch_cost->serial, *device_.clock, Decimal::whole(1))->count : 0;
    const std::int64_t overlapping =
        device_.launch_cost ? resolve(device_.launch_cost->overlapping, *device_.clock, Decimal::whole(1))->count : 0;
    for (int repetition = 0; repetition < 5; ++repetition) {
      std::int64_t at = 5'000'000;
      std::int64_t before = 0;
      for (int launch = 0; launch < (in_graph ? 10 : 1); ++launch) {
        const std::string key = fmt::format("{}_blocks1,{},{}", in_graph ? "graph" : "warm", repetition, launch);
        const auto [first, last] = block_rows(key, logged, at, rows);
        const std::string gap = launch > 0 ? std::to_string(first - before) : "";
        const std::string event =
            in_graph ? "" : std::to_string(last - first + (serial + overlapping) / 1'000 + off(noise_.percent * 10));
        launch_rows += fmt::format("{},0,normal,{},equal,1,128,32,0,1,8,{},{},{},{},1000,90000,{}\n", key,
                                   in_graph ? "graph" : "host", kSpin, first, last, gap, event);
        before = last;
        at += logged.span_ps + serial;
      }
    }
    table(name, "launches", kLaunches, launch_rows);
    table(name, "blocks", kBlocks, rows);
  }

  /// A duration that is off by up to the noise.
  std::int64_t noisy(std::int64_t ps) { return ps + ps / 10'000 * off(noise_.percent * 100); }
  std::string thousandths(Int128 value) const {
    return fmt::format("{}.{:03}", static_cast<std::int64_t>(value / 1'000), static_cast<std::int64_t>(value % 1'000));
  }
  std::string per_step(std::int64_t ps, std::int64_t steps) const {
    return thousandths(Int128{ps} * device_.clock->count / 1'000'000'000 / steps);
  }

  void latency() {
    if (!device_.memory) return;
    std::string rows;
    for (std::int64_t bytes = 65'536; bytes <= 32 * device_.memory->levels.front().capacity->count; bytes *= 2)
      for (const std::int64_t size : {bytes, bytes + bytes / 2}) {
        constexpr std::uint64_t loads = 64;
        Kernel kernel = kernel_of(1, 1, {Loop{loads, {Memory{Bytes{128}}}}});
        kernel.sub_group = sub_group_;
        kernel.range = {{1, 1, sub_group_}, {1, 1, sub_group_}};
        kernel.working_set = Bytes{size};
        const std::int64_t ps = run_fully(device_, workload_of({kernel})).record.active().count;
        for (int repetition = 0; repetition < 3; ++repetition) {
          const std::int64_t one = noisy(ps);
          const auto row = [&](bool in_pages, std::int64_t time) {
            rows += fmt::format("{},{},{},{},{},{}\n", size, in_pages ? "pages" : "random", repetition, loads,
                                per_step(time, loads), thousandths(Int128{time} / static_cast<std::int64_t>(loads)));
          };
          // The first repetition finds caches cold, and in the other order more loads miss the TLB.
          row(size > (2 << 20), repetition == 0 ? 3 * one : one);
          row(size <= (2 << 20), 5 * one);
        }
      }
    table("latency", "latency", "bytes,order,repetition,loads,cycles_per_load,ns_per_load", rows);
  }

  void bandwidth() {
    if (!device_.memory) return;
    std::string rows;
    for (const std::uint32_t blocks : {1U, 2U})
      for (std::uint32_t threads = sub_group_; threads <= 1'024; threads *= 2) {
        const std::int64_t shared =
            std::min((device_.slm.per_core.count / blocks - device_.slm.reserve.count) / 256 * 256,
                     device_.slm.per_work_group.count);
        const std::uint32_t fit = resident(threads, shared);
        if (fit != blocks) continue;
        const std::uint64_t grid = std::uint64_t{blocks} * device_.cores * 100;
        const Logged logged = run(grid, threads, shared, {Memory{Bytes{std::int64_t{sub_group_} * 8}}}, false);
        for (int repetition = 0; repetition < 3; ++repetition) {
          // As long as a launch of a thousand times as many blocks.
          const std::int64_t ns = std::max<std::int64_t>(noisy(logged.span_ps), 1);
          const std::int64_t bytes = static_cast<std::int64_t>(grid) * threads * 8 * 1'000;
          rows += fmt::format("read,{},{},{},{},{},{}\n", threads, blocks, bytes, repetition, ns,
                              thousandths(Int128{bytes} * 1'000 / ns));
        }
      }
    table("bandwidth", "bandwidth", "direction,threads,blocks_per_core,bytes,repetition,event_ns,GBps", rows);
  }

  void shared_memory() {
    if (!device_.slm_access) return;
    std::string rows;
    for (const std::uint32_t warps : {1U, 8U})
      for (const std::uint64_t stride : {1, 2, 4, 8, 16, 32, 33}) {
        const Logged logged = run(1, warps * sub_group_, 0, {Loop{64, {Slm{1, stride, 4}}}}, false);
        for (int repetition = 0; repetition < 3; ++repetition)
          rows += fmt::format("{},{},{},64,{}\n", warps, stride, repetition, per_step(noisy(logged.span_ps), 64));
      }
    table("shared_memory", "shared_memory", "warps,stride_words,repetition,accesses,cycles_per_access", rows);
  }

  void barrier() {
    if (device_.barrier_cost.base.amount.is_zero()) return;
    std::string rows;
    for (std::uint32_t warps = 1; warps * sub_group_ <= 1'024; warps *= 2) {
      // A loop of barriers alone is none: a cycle of work goes with each, and out again.
      const Logged logged = run(1, warps * sub_group_, 0, {Loop{64, {spin(1).front(), Barrier{}}}}, false);
      const std::int64_t ps =
          logged.span_ps -
          resolve(StepTime{Decimal::whole(64), StepTime::Unit::cycles}, *device_.clock, Decimal::whole(1))->count;
      for (int repetition = 0; repetition < 3; ++repetition)
        rows += fmt::format("{},{},64,{}\n", warps, repetition, per_step(noisy(ps), 64));
    }
    table("barrier", "barrier", "warps,repetition,barriers,cycles_per_barrier", rows);
  }

  void arithmetic() {
    std::string rows;
    for (const char* kind : {"fp32", "fp64", "int32", "sfu"}) {
      if (rate_of(device_.arithmetic, kind) == nullptr) continue;
      const std::uint32_t threads = std::min(1'024U, device_.max_work_group_size);
      const std::uint32_t subs = threads / sub_group_;
      IssueSlots step;
      step.by_kind.push_back({kind, 8});
      const Logged logged = run(1, subs * sub_group_, 0, {Loop{256, {step}}}, false);
      const std::uint64_t operations = std::uint64_t{subs} * sub_group_ * 8 * 256;
      for (int repetition = 0; repetition < 3; ++repetition) {
        const std::int64_t spent = cycles(noisy(logged.span_ps));
        rows += fmt::format("{},{},{},{},{},{}\n", kind, threads, repetition, operations, spent,
                            thousandths(Int128{operations} * 1'000 / spent));
      }
    }
    if (!rows.empty())
      table("arithmetic", "arithmetic", "kind,threads,repetition,operations,cycles,operations_per_cycle", rows);
  }

  const DeviceSpec& device_;
  std::string architecture_;
  ProbeNoise noise_;
  std::filesystem::path folder_;
  std::uint32_t sub_group_;
  std::mt19937_64 random_;
};

}  // namespace

void write_probe_tables(const DeviceSpec& device, const std::string& architecture, const ProbeNoise& noise,
                        const std::filesystem::path& folder) {
  ProbeWriter(device, architecture, noise, folder).write();
}

}  // namespace gdsim::testing
