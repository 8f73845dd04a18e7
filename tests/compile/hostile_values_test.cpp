#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/random_values.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/compile/compile_with_policies.hpp>
#include <gdsim/workload/child_launches.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <stop_token>

// Invalid values: compile() answers with issues, or the run with a result. Under the sanitizers, which
// also end the program if a single allocation is large.

using namespace gdsim;
using namespace gdsim::testing;

extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "max_allocation_size_mb=1024"; }

namespace {

/// Zeros, ones, borders, negatives when they are signed, and huge numbers.
template <class Number>
Number hostile_number() {
  using Limits = std::numeric_limits<Number>;
  const auto some = between(0, 9);
  switch (some) {
    case 0: return 0;
    case 1: return 1;
    case 2: return Limits::max();
    case 3: return static_cast<Number>(Limits::max() - 1);
    case 4: return Limits::min();
    case 5: return static_cast<Number>(~Number{0});
    case 6: return static_cast<Number>(Limits::max() / 2 + 1);
    case 7: return static_cast<Number>(between(2, 9));
    case 8: return static_cast<Number>(Number{1} << (sizeof(Number) * 4));
    default: return static_cast<Number>(between(10, 100));
  }
}

template <class Enum>
Enum hostile_enum() {
  return static_cast<Enum>(hostile_number<std::underlying_type_t<Enum>>());
}

template <class Quantity>
Quantity hostile_quantity() {
  return Quantity{hostile_number<std::int64_t>()};
}

Decimal hostile_decimal() {
  Decimal value{hostile_number<std::uint64_t>(), between(0, 2) == 0 ? hostile_number<int>() : between(-40, 40)};
  if (between(0, 3) == 0) value.digits = ~UInt128{0};
  return value;
}

StepTime hostile_time() { return {hostile_decimal(), hostile_enum<StepTime::Unit>()}; }

template <class Value, class Make>
std::optional<Value> perhaps(Make make) {
  return between(0, 2) == 0 ? std::nullopt : std::optional<Value>(make());
}

template <class Value, class Make>
std::vector<Value> some(Make make, int max = 3) {
  std::vector<Value> values;
  for (int i = between(0, max); i > 0; --i) values.push_back(make());
  return values;
}

CoreSelection hostile_cores() {
  return some<CoreRange>([] {
    return CoreRange{CoreId{hostile_number<std::uint32_t>()}, CoreId{hostile_number<std::uint32_t>()}};
  });
}

template <class Id>
std::vector<Id> hostile_ids() {
  return some<Id>([] { return Id{hostile_number<std::uint32_t>()}; });
}

Limit hostile_limit() { return {perhaps<std::uint64_t>(hostile_number<std::uint64_t>)}; }

Program hostile_program(int depth);

Step hostile_step(int depth) {
  switch (between(0, 11)) {
    case 10: return WaitMemory{hostile_number<std::uint64_t>()};
    case 9:
      return Atomic{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>(), hostile_enum<AtomicSpace>()};
    case 0: return Compute{hostile_time()};
    case 1: return IssueSlots{hostile_time()};
    case 2: return Memory{hostile_quantity<Bytes>(), between(0, 1) == 1};
    case 3:
      return Slm{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()};
    case 4: return Barrier{one_of<std::string>({"", "a"})};
    case 5: return Signal{one_of<std::string>({"", "a"})};
    case 6: return Wait{one_of<std::string>({"", "a"})};
    case 7: return LaunchChild{KernelId{hostile_number<std::uint32_t>()}, hostile_enum<ChildWait>()};
    case 8: return Loop{hostile_number<std::uint64_t>(), hostile_program(depth - 1)};
    default:
      return Only{some<ThreadRange>([] {
                    return ThreadRange{hostile_number<std::uint32_t>(), hostile_number<std::uint32_t>()};
                  }),
                  hostile_program(depth - 1)};
  }
}

Program hostile_program(int depth) {
  if (depth <= 0) return {};
  return some<Step>([depth] { return hostile_step(depth); });
}

Program deep_program() {
  Program program{compute(ps(1))};
  for (int i = 0; i < 300; ++i) {
    Program outer;
    outer.push_back(i % 2 == 0 ? Step(Only{{{0, 0}}, std::move(program)}) : Step(Loop{1, std::move(program)}));
    program = std::move(outer);
  }
  return program;
}

using Spoil = std::function<void(DeviceSpec&)>;

void spoil_device(DeviceSpec& d) {
  static const std::vector<Spoil> spoils{
      [](DeviceSpec& x) { x.cores = hostile_number<std::uint32_t>(); },
      [](DeviceSpec& x) { x.engines_per_core = hostile_number<std::uint32_t>(); },
      [](DeviceSpec& x) { x.contexts_per_engine = hostile_number<std::uint32_t>(); },
      [](DeviceSpec& x) { x.kind = hostile_enum<DeviceKind>(); },
      [](DeviceSpec& x) { x.clock = perhaps<Hertz>(hostile_quantity<Hertz>); },
      [](DeviceSpec& x) {
        x.core_groups = some<CoreGroupLevel>([] { return CoreGroupLevel{"", hostile_number<std::uint32_t>()}; });
      },
      [](DeviceSpec& x) {
        x.core_groups = some<CoreGroupLevel>([] {
          return CoreGroupLevel{"g", one_of({0U, 1U, 2U}), some<std::uint32_t>(hostile_number<std::uint32_t>)};
        });
      },
      [](DeviceSpec& x) {
        x.core_groups = {{"g", 1}};
        x.clusters = ClusterRule{one_of<std::string>({"g", "", "unknown"}), hostile_number<std::uint32_t>(),
                                 perhaps<std::uint32_t>(hostile_number<std::uint32_t>)};
      },
      [](DeviceSpec& x) { x.context_allocation = hostile_enum<ContextAllocation>(); },
      [](DeviceSpec& x) { x.sub_group_sizes = some<std::uint32_t>(hostile_number<std::uint32_t>); },
      [](DeviceSpec& x) { x.max_work_group_size = hostile_number<std::uint32_t>(); },
      [](DeviceSpec& x) { x.grf_per_context = perhaps<Bytes>(hostile_quantity<Bytes>); },
      [](DeviceSpec& x) { x.large_grf_contexts = perhaps<std::uint32_t>(hostile_number<std::uint32_t>); },
      [](DeviceSpec& x) { x.work_groups_per_core = hostile_limit(); },
      [](DeviceSpec& x) { x.work_groups_with_barrier_or_slm = hostile_limit(); },
      [](DeviceSpec& x) { x.barriers_per_core = hostile_limit(); },
      [](DeviceSpec& x) { x.barrier_use = hostile_enum<BarrierUse>(); },
      [](DeviceSpec& x) { x.slm.per_core = hostile_quantity<Bytes>(); },
      [](DeviceSpec& x) { x.slm.per_work_group = hostile_quantity<Bytes>(); },
      [](DeviceSpec& x) { x.slm.without_opt_in = perhaps<Bytes>(hostile_quantity<Bytes>); },
      [](DeviceSpec& x) { x.slm.sizes = some<Bytes>(hostile_quantity<Bytes>); },
      [](DeviceSpec& x) { x.slm.pools = some<Bytes>(hostile_quantity<Bytes>); },
      [](DeviceSpec& x) { x.slm.granule = hostile_quantity<Bytes>(); },
      [](DeviceSpec& x) { x.slm.reserve = hostile_quantity<Bytes>(); },
      [](DeviceSpec& x) {
        x.registers = RegisterRule{hostile_number<std::uint64_t>(),
                                   hostile_number<std::uint64_t>(),
                                   perhaps<std::uint64_t>(hostile_number<std::uint64_t>),
                                   perhaps<std::uint64_t>(hostile_number<std::uint64_t>),
                                   hostile_enum<WorkGroupRegisterBasis>(),
                                   hostile_enum<Accumulation>(),
                                   hostile_number<std::uint64_t>(),
                                   hostile_enum<RegisterThreadLimit>()};
      },
      [](DeviceSpec& x) {
        x.scalar_registers = ScalarRegisterRule{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>(),
                                                hostile_number<std::uint64_t>(), hostile_enum<RegisterThreadLimit>()};
      },
      [](DeviceSpec& x) {
        if (x.memory)
          for (MemoryLevel& level : x.memory->levels) level.scope = one_of<std::string>({"core", "", "unknown"});
      },
      [](DeviceSpec& x) { x.fused_engines = hostile_number<std::uint32_t>(); },
      [](DeviceSpec& x) {
        x.slm_access = SlmAccess{hostile_number<std::uint32_t>(), hostile_quantity<Bytes>(), hostile_time()};
      },
      [](DeviceSpec& x) {
        x.atomics = {perhaps<Decimal>(hostile_decimal), perhaps<Decimal>(hostile_decimal)};
      },
      [](DeviceSpec& x) {
        x.barrier_cost = {hostile_time(), hostile_time()};
      },
      [](DeviceSpec& x) {
        x.memory = MemoryRule{perhaps<Bytes>(hostile_quantity<Bytes>), perhaps<Bytes>(hostile_quantity<Bytes>),
                              perhaps<BytesPerSecond>(hostile_quantity<BytesPerSecond>), some<MemoryLevel>([] {
                                return MemoryLevel{"", perhaps<Bytes>(hostile_quantity<Bytes>),
                                                   perhaps<BytesPerSecond>(hostile_quantity<BytesPerSecond>),
                                                   perhaps<StepTime>(hostile_time)};
                              })};
      },
      [](DeviceSpec& x) { x.release = hostile_enum<Release>(); },
      [](DeviceSpec& x) { x.submit_overhead = hostile_quantity<Duration>(); },
      [](DeviceSpec& x) { x.launch_latency = hostile_quantity<Duration>(); },
      [](DeviceSpec& x) { x.dependency_gap = hostile_quantity<Duration>(); },
      [](DeviceSpec& x) {
        x.copy =
            CopyRule{hostile_number<std::uint32_t>(), hostile_quantity<BytesPerSecond>(), hostile_quantity<Duration>()};
      },
      [](DeviceSpec& x) { x.launch_cost = hostile_time(); },
      [](DeviceSpec& x) { x.tie_order = hostile_ids<CoreId>(); },
      [](DeviceSpec& x) { x.vendor_occupancy = hostile_enum<VendorOccupancy>(); },
  };
  (*rc::gen::elementOf(spoils))(d);
}

void spoil_rules(DispatchRules& rules) {
  switch (between(0, 11)) {
    case 11:
      rules.partition =
          PartitionRule{one_of<std::string>({"core_group", "g", "", "unknown"}), hostile_enum<PartitionShare>()};
      break;
    case 0: rules.placement = one_of<std::string>({"", "unknown", std::string(1'000, 'x')}); break;
    case 1: rules.admission = hostile_enum<Admission>(); break;
    case 2: rules.ports = hostile_limit(); break;
    case 3: rules.handover = hostile_enum<Handover>(); break;
    case 4: rules.kernel_choice = hostile_enum<KernelChoice>(); break;
    case 5: rules.concurrent_kernels = hostile_limit(); break;
    case 6:
      rules.interval = DispatchInterval{hostile_time(), hostile_time(),
                                        one_of<std::string>({"device", "core", "core_group", "", "unknown"})};
      break;
    case 7: rules.recovery = hostile_time(); break;
    case 8:
      rules.batch = BatchRule{hostile_number<std::uint32_t>(),
                              {hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()},
                              {hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()}};
      break;
    case 9: rules.tie_order = TieOrder{hostile_enum<TieOrder::Kind>(), hostile_ids<CoreId>()}; break;
    default:
      rules.core_sharing = hostile_enum<CoreSharing>();
      rules.slm_reconfiguration = hostile_enum<SlmReconfiguration>();
  }
}

void spoil_kernel(Kernel& kernel) {
  switch (between(0, 11)) {
    case 11: kernel.cluster = some<std::uint64_t>(hostile_number<std::uint64_t>); break;
    case 0: kernel.range.global[between<std::size_t>(0, 2)] = hostile_number<std::uint64_t>(); break;
    case 1: kernel.range.local[between<std::size_t>(0, 2)] = hostile_number<std::uint64_t>(); break;
    case 2: kernel.edge_groups = hostile_enum<EdgeGroups>(); break;
    case 3: kernel.sub_group = hostile_number<std::uint32_t>(); break;
    case 4:
      kernel.needs.slm = {hostile_quantity<Bytes>(), hostile_quantity<Bytes>(), hostile_enum<SlmOptIn>(),
                          perhaps<Bytes>(hostile_quantity<Bytes>),
                          perhaps<std::uint32_t>(hostile_number<std::uint32_t>)};
      break;
    case 5:
      kernel.needs.registers = hostile_number<std::uint32_t>();
      kernel.needs.accumulation_registers = hostile_number<std::uint32_t>();
      kernel.needs.scalar_registers = hostile_number<std::uint32_t>();
      break;
    case 6:
      kernel.needs.grf = hostile_enum<GrfMode>();
      kernel.needs.barriers = perhaps<std::uint32_t>(hostile_number<std::uint32_t>);
      break;
    case 7: kernel.program = hostile_program(3); break;
    case 8:
      kernel.working_set = perhaps<Bytes>(hostile_quantity<Bytes>);
      kernel.shared_working_set = perhaps<Bytes>(hostile_quantity<Bytes>);
      break;
    case 9:
      kernel.variation.factors = some<WorkGroupFactor>([] {
        return WorkGroupFactor{WorkGroupId{hostile_number<std::uint64_t>()}, hostile_decimal()};
      });
      kernel.variation.first_wave = perhaps<Decimal>(hostile_decimal);
      break;
    default:
      kernel.variation.draw = Draw{hostile_enum<Distribution>(), hostile_decimal(), hostile_enum<DrawPer>(),
                                   hostile_number<std::uint64_t>()};
  }
}

void spoil_launch(Launch& launch) {
  switch (between(0, 9)) {
    case 0: launch.work = KernelId{hostile_number<std::uint32_t>()}; break;
    case 1: launch.work = Copy{hostile_quantity<Bytes>(), hostile_enum<CopyDirection>()}; break;
    case 2: launch.at = hostile_quantity<SimTime>(); break;
    case 3: launch.after = hostile_ids<LaunchId>(); break;
    case 4: launch.host_waits = hostile_ids<LaunchId>(); break;
    case 5: launch.queue = perhaps<QueueId>([] { return QueueId{hostile_number<std::uint32_t>()}; }); break;
    case 6: launch.reads = hostile_ids<BufferId>(); break;
    case 7: launch.writes = hostile_ids<BufferId>(); break;
    case 8: {
      KernelLaunch work(KernelId{between(0U, 2U)});
      work.priority = hostile_number<std::uint32_t>();
      work.cores = hostile_cores();
      launch.work = work;
      break;
    }
    default: {
      KernelLaunch work(KernelId{between(0U, 2U)});
      work.parent = perhaps<LaunchParent>([] {
        return LaunchParent{LaunchId{hostile_number<std::uint32_t>()}, WorkGroupId{hostile_number<std::uint64_t>()},
                            hostile_number<std::uint32_t>(), hostile_enum<ChildWait>()};
      });
      work.first_child = perhaps<LaunchId>([] { return LaunchId{hostile_number<std::uint32_t>()}; });
      launch.work = work;
    }
  }
}

void spoil_workload(Workload& workload) {
  const auto some_of = [](auto& list) -> auto& { return list[between<std::size_t>(0, list.size() - 1)]; };
  switch (between(0, 6)) {
    case 0:
    case 1: spoil_kernel(some_of(workload.kernels)); break;
    case 2:
    case 3: spoil_launch(some_of(workload.launches)); break;
    case 4: {
      Queue& queue = some_of(workload.queues);
      queue = {"", hostile_enum<QueueOrder>(), hostile_cores(), hostile_number<std::uint32_t>()};
      break;
    }
    case 5:
      if (between(0, 1) == 0) workload.queues.resize(1);
      workload.buffers.resize(1);
      break;
    default: workload.launches.resize(between<std::size_t>(1, workload.launches.size()));
  }
}

/// The result: the number of issues, or the outcome.
std::string outcome_of(const DeviceSpec& device, const DispatchRules& rules, const Workload& workload,
                       const SwitchedRunOptions& options) {
  const Compilation compilation = compile(device, rules, workload);
  for (const Issue& issue : compilation.issues())
    if (issue.path.empty() || issue.message.empty()) return "an issue says nothing";
  if (!compilation) return compilation.issues().empty() ? "neither" : "issues";
  try {
    simulate(compilation.value(), options);
    return "result";
  } catch (const TimeOverflowError&) {
    return "time overflow";
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.find("options.") != std::string::npos ? "input error" : "names no option: " + message;
  }
}

/// Ends soon, whatever the values are: after some events, one by one, or after some instants, fast-forwarded where that
/// can be.
SwitchedRunOptions bounded() {
  SwitchedRunOptions options;
  if (between(0, 1) == 0) {
    options.bounds.events = 2'000;
  } else {
    options.bounds.time = at(ps(2'000));
  }
  return options;
}

bool is_answer(const std::string& outcome) {
  return outcome == "issues" || outcome == "result" || outcome == "time overflow" || outcome == "input error";
}

/// The paths of all issues of small values with one change.
template <class Change>
std::vector<std::string> paths_after(Change change) {
  DeviceSpec device = small_device();
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5))})});
  change(device, workload);
  std::vector<std::string> paths;
  for (const Issue& issue : compile(device, device.dispatch, workload).issues()) paths.push_back(issue.path);
  return paths;
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("whatever values are built, there are issues or a result") {
  rc::prop("hostile values", [] {
    RandomRun run = draw_run();
    DispatchRules rules = run.device.dispatch;
    for (int i = between(1, 3); i > 0; --i) switch (between(0, 4)) {
        case 0:
        case 1: spoil_device(run.device); break;
        case 2: spoil_rules(rules); break;
        default: spoil_workload(run.workload);
      }
    const std::string outcome = outcome_of(run.device, rules, run.workload, bounded());
    RC_TAG(outcome);
    RC_ASSERT(is_answer(outcome));
  });
}

TEST_CASE("whatever options are built, there is a result or an error that names the option") {
  rc::prop("hostile options", [] {
    struct Idle : Observer {
      void on_instant(const Instant&) override {}
    } idle;
    SwitchedRunOptions options = bounded();
    if (between(0, 1) == 0)
      options.min_phase = {{hostile_number<std::uint64_t>(), hostile_number<std::uint64_t>()},
                           perhaps<Duration>(hostile_quantity<Duration>)};
    options.keep_timeline = hostile_enum<KeepTimeline>();
    options.observers = one_of<std::vector<Observer*>>({{}, {nullptr}, {&idle}, {&idle, nullptr}});
    options.bounds.time = perhaps<SimTime>(hostile_quantity<SimTime>);
    options.seed_offset = hostile_number<std::uint64_t>();
    const RandomRun run = draw_run();
    const std::string outcome = outcome_of(run.device, run.device.dispatch, run.workload, options);
    RC_TAG(outcome);
    RC_ASSERT(is_answer(outcome));
  });
}

TEST_CASE("an issue names the path of the field at fault") {
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.fused_engines = 0; }) == Paths{"device.fused_engines"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.slm.reserve = Bytes{-1}; }) == Paths{"device.slm.reserve"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) { d.release = Release{7}; }) == Paths{"device.release"});
  CHECK(paths_after([](DeviceSpec& d, Workload&) {  // a list, and another kind of order
          d.dispatch.tie_order = TieOrder{TieOrder::Kind::ascending, {core(0), core(0)}};
        }) == Paths{"device.dispatch.tie_order"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].work = KernelId{5}; }) == Paths{"launches[0].kernel"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].after = {launch(9)}; }) ==
        Paths{"launches[0].after[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].queue = QueueId{0}; }) == Paths{"launches[0].queue"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].reads = {BufferId{0}}; }) ==
        Paths{"launches[0].reads[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].at = at(ps(-1)); }) == Paths{"launches[0].at"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].range.local[2] = 0; }) == Paths{"kernels[0].local[2]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {
          w.kernels[0].program.push_back(Loop{3, {Memory{Bytes{-4}}}});
        }) == Paths{"kernels[0].program[1].loop.body[0].memory"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].program.push_back(LaunchChild{KernelId{1}}); }) ==
        Paths{"kernels[0].program[1].launch.kernel"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {
          w.kernels[0].variation.factors = {{group(1), Decimal::whole(2)}, {group(0), Decimal::whole(3)}};
        }) == Paths{"kernels[0].variation.work_groups[0]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {  // each once
          w.kernels[0].variation.factors = {{group(1), Decimal::whole(2)}, {group(1), Decimal::whole(3)}};
        }) == Paths{"kernels[0].variation.work_groups[1]"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) {
          w.kernels[0].program.push_back(Loop{0, {compute(us(1))}});
        }) == Paths{"kernels[0].program[1].loop.count"});
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.kernels[0].program = deep_program(); }).size() == 1);
}

TEST_CASE("a factor that stands in the wrong place is refused with the number of the work-group in front of it") {
  const auto message = [](std::vector<WorkGroupFactor> factors) {
    Workload workload = workload_of({kernel_of(20, 2, {compute(ps(5))})});
    workload.kernels[0].variation.factors = std::move(factors);
    const Compilation compilation = compile(small_device(), small_device().dispatch, workload);
    REQUIRE(compilation.issues().size() == 1);
    return compilation.issues()[0].path + ": " + compilation.issues()[0].message;
  };
  const Decimal two = Decimal::whole(2);
  CHECK(
      message({{group(3), two}, {group(11), two}, {group(7), two}, {group(15), two}}) ==
      "kernels[0].variation.work_groups[7]: stands behind work-group 11; factors must ascend by work-group, each once");
  CHECK(
      message({{group(9), two}, {group(9), two}}) ==
      "kernels[0].variation.work_groups[9]: stands behind work-group 9; factors must ascend by work-group, each once");
  CHECK(
      message({{group(1), two}, {group(0), two}, {group(2), two}}) ==
      "kernels[0].variation.work_groups[0]: stands behind work-group 1; factors must ascend by work-group, each once");
}

TEST_CASE("all issues come at once, of whatever parts") {
  CHECK(paths_after([](DeviceSpec& d, Workload& w) {
          d.fused_engines = 0;
          d.dispatch.placement = "unknown";
          w.kernels[0].sub_group = 0;
          w.launches[0].after = {launch(9), launch(0), launch(7)};
        }) == Paths{"device.fused_engines", "dispatch.placement", "kernels[0].sub_group", "launches[0].after[0]",
                    "launches[0].after[2]"});
}

TEST_CASE("a launch that comes after itself waits in a cycle") {
  CHECK(paths_after([](DeviceSpec&, Workload& w) { w.launches[0].after = {launch(0)}; }) == Paths{"launches[0].after"});
}

TEST_CASE("children that were not added as they should be are refused, and missing ones are added") {
  const auto with_child = [](Workload& w) {
    w.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
    w.kernels[0].program.push_back(LaunchChild{KernelId{1}});
  };
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5))})});
  with_child(workload);
  const Compiled ready = compiled(small_device(), workload);
  REQUIRE(ready.workload().launches.size() == 3);
  CHECK(ready.workload().launches[2].name == "k0[1]/");
  CHECK(compiled(small_device(), ready.workload()).workload().launches.size() == 3);
  const auto spoiled = [&](const auto& change) {
    Workload other = ready.workload();
    change(other.launches);
    const Compilation compilation = compile(small_device(), small_device().dispatch, other);
    return compilation ? std::string() : compilation.issues().front().path;
  };
  CHECK(spoiled([](auto& launches) { launches.pop_back(); }) == "launches[0].parent");
  CHECK(spoiled([](auto& launches) { launches.push_back(launches[2]); }) == "launches[3].parent");
  CHECK(spoiled([](auto& launches) { launches[0].as_kernel().first_child = launch(2); }) == "launches[0].parent");
  CHECK(spoiled([](auto& launches) { launches[2].as_kernel().parent->work_group = group(7); }) == "launches[2].parent");
  CHECK(spoiled([](auto& launches) { launches[2].at = at(ps(7)); }) == "launches[2].parent");
  CHECK(spoiled([](auto&) {}).empty());
}

TEST_CASE("a child that differs in a single field from the one that is added is refused at its place") {
  Workload workload = workload_of({kernel_of(2, 2, {compute(ps(5)), LaunchChild{KernelId{1}, ChildWait::yes}})});
  workload.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
  workload.kernels.push_back(kernel_of(1, 1, {compute(ps(1))}));
  workload.queues = {{"q", QueueOrder::out_of_order, {}}};
  workload.buffers = {"x"};
  const DeviceSpec device = small_device();
  const Workload ready = compiled(device, workload).workload();
  REQUIRE(ready.launches.size() == 3);
  using Change = std::function<void(Launch&)>;
  const std::vector<std::pair<std::string, Change>> changes{
      {"name", [](Launch& l) { l.name += "x"; }},
      {"no name", [](Launch& l) { l.name.clear(); }},
      {"kernel", [](Launch& l) { l.as_kernel().kernel = KernelId{2}; }},
      {"priority", [](Launch& l) { l.as_kernel().priority = 1; }},
      {"cores",
       [](Launch& l) {
         l.as_kernel().cores = {{core(0), core(1)}};
       }},
      {"parent's launch", [](Launch& l) { l.as_kernel().parent->launch = launch(2); }},
      {"parent's work-group", [](Launch& l) { l.as_kernel().parent->work_group = group(5); }},
      {"which child", [](Launch& l) { l.as_kernel().parent->child = 1; }},
      {"wait", [](Launch& l) { l.as_kernel().parent->wait = ChildWait::no; }},
      {"at", [](Launch& l) { l.at = at(ps(1)); }},
      {"after", [](Launch& l) { l.after = {launch(0)}; }},
      {"wait of the host", [](Launch& l) { l.host_waits = {launch(0)}; }},
      {"queue", [](Launch& l) { l.queue = QueueId{0}; }},
      {"reads", [](Launch& l) { l.reads = {BufferId{0}}; }},
      {"writes", [](Launch& l) { l.writes = {BufferId{0}}; }}};
  for (const auto& [what, change] : changes)
    for (const std::uint32_t child : {1U, 2U}) {
      INFO(what << " of child " << child);
      Workload other = ready;
      change(other.launches[child]);
      CHECK(first_wrong_child(other) == launch(child));
      const Compilation compilation = compile(device, device.dispatch, other);
      REQUIRE_FALSE(compilation);
      const Issues& issues = compilation.issues();
      CHECK(std::any_of(issues.begin(), issues.end(), [&](const Issue& issue) {
        return issue.path == "launches[" + std::to_string(child) + "].parent" &&
               issue.message.find("children are not as add_child_launches() adds them") != std::string::npos;
      }));
    }
  Workload copies = ready;
  copies.launches[2].work = Copy{Bytes{1}, CopyDirection::host_to_device};
  CHECK(first_wrong_child(copies) == launch(2));
  copies.launches[1].work = copies.launches[2].work;
  CHECK(first_wrong_child(copies) == launch(0));  // whose children begin nowhere
}

TEST_CASE("a catalog whose entry makes no placement is refused") {
  PolicyCatalog policies = built_in_policies();
  policies.placements.push_back({"none", nullptr});
  policies.placements.push_back({"null", [](const DeviceSpec&) { return std::unique_ptr<Placement>(); }});
  for (const std::string name : {"none", "null"}) {
    DispatchRules rules = small_device().dispatch;
    rules.placement = name;
    const Compilation compilation =
        compile(small_device(), rules, workload_of({kernel_of(1, 1, {compute(ps(1))})}), policies);
    REQUIRE_FALSE(compilation);
    CHECK(compilation.issues().front().path == "dispatch.placement");
  }
}

TEST_CASE("issues become an InputError with one problem each, where a value is asked for") {
  DeviceSpec device = small_device();
  device.fused_engines = 0;
  device.release = Release{9};
  try {
    compile(device, device.dispatch, workload_of({kernel_of(1, 1, {compute(ps(1))})})).value();
    FAIL("there is no value");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 2);
    CHECK(error.problems()[1].message == "device.fused_engines: is 0; it must be from 1 to 4294967295");
  }
}
