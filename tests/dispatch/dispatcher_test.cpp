#include "support/builders.hpp"

#include <gdsim/base/check.hpp>
#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/dispatch/policy_catalog.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A dispatcher on the small device (2 cores x 8 contexts), its launches ready at 0.
struct DispatcherBench {
  DeviceSpec device = small_device();
  Workload workload;
  FootprintTable footprints;
  EngineSets engine_sets;
  CoreBank bank;
  std::vector<LaunchRecord> records;
  Dispatcher dispatcher;

  DispatcherBench(Workload work, Admission admission, std::optional<std::uint64_t> ports, Handover handover)
      : workload(std::move(work)),
        footprints(device, workload.kernels),
        engine_sets(device.engines_per_core),
        bank{std::vector<Core>(device.cores, Core(device, EngineDetail::none)), Bound(engine_sets)},
        records(workload.launches.size()),
        dispatcher({device, device.dispatch = {"fill_first", admission, ports, handover}, workload, footprints,
                    built_in_policies().maker("fill_first")},
                   bank, records) {
    for (std::uint32_t i = 0; i < workload.launches.size(); ++i) dispatcher.arrive(launch(i), at(us(0)), at(us(0)));
  }

  /// The grants of a turn as work-group:core:threads.
  std::vector<std::string> turn() {
    std::vector<std::string> words;
    for (const Grant& grant : dispatcher.turn(at(us(0))))
      words.push_back(std::to_string(number_of(grant.work_group)) + ":" + std::to_string(index_of(grant.core)) + ":" +
                      std::to_string(grant.threads));
    return words;
  }
  void release(std::uint32_t core_index, std::uint32_t threads) {
    bank.cores[core_index].release_threads(dispatcher.footprint(launch(0), 5), threads, at(us(1)), EngineSet::none,
                                           engine_sets);
    dispatcher.on_release(core(core_index));
  }
};

using Words = std::vector<std::string>;
const Program kCompute{compute(us(1))};

}  // namespace

TEST_CASE("under whole admission a work-group waits until all its threads fit") {
  DispatcherBench bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::whole, {}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:1:5"});
  bench.release(0, 2);
  CHECK(bench.turn() == Words{"2:0:5"});
}

TEST_CASE("under partial admission as many threads are placed as there are free contexts") {
  DispatcherBench bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3", "2:1:5", "3:1:3"});
}

TEST_CASE("a core with a partially placed work-group completes it before it takes another") {
  DispatcherBench bench(workload_of({kernel_of(6, 5, kCompute)}), Admission::partial, {}, Handover::never);
  bench.turn();
  bench.release(0, 1);
  CHECK(bench.turn() == Words{"1:0:1"});
  bench.release(0, 4);
  CHECK(bench.turn() == Words{"1:0:1", "4:0:3"});
}

TEST_CASE("with every port held nothing is dispatched, not even what would fit whole") {
  DispatcherBench bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3"});
  bench.release(0, 2);
  CHECK(bench.turn() == Words{"1:0:2", "2:1:5", "3:1:3"});
}

TEST_CASE("a partially placed work-group with a barrier or SLM is handed over and frees its port") {
  DispatcherBench with_barrier(workload_of({kernel_of(4, 5, {barrier(), compute(us(1))})}), Admission::partial, {1},
                               Handover::barrier_or_slm);
  CHECK(with_barrier.turn() == Words{"0:0:5", "1:0:3", "2:1:5", "3:1:3"});
  Kernel local_memory = kernel_of(4, 5, kCompute);
  local_memory.needs.slm.total = Bytes{1};
  DispatcherBench with_slm(workload_of({local_memory}), Admission::partial, {1}, Handover::barrier_or_slm);
  CHECK(with_slm.turn().size() == 4);
  DispatcherBench with_neither(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1},
                               Handover::barrier_or_slm);
  CHECK(with_neither.turn().size() == 2);
  DispatcherBench always(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1}, Handover::always);
  CHECK(always.turn().size() == 4);
}

TEST_CASE("the next launch follows in the same turn once all threads of the head are placed") {
  DispatcherBench bench(workload_of({kernel_of(1, 5, kCompute), kernel_of(1, 2, kCompute)}), Admission::partial, {},
                        Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "0:0:2"});
}

TEST_CASE("the next launch waits while threads of the head are not placed") {
  DispatcherBench bench(workload_of({kernel_of(2, 5, kCompute), kernel_of(1, 2, kCompute)}), Admission::partial, {},
                        Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3"});
  bench.release(0, 5);
  CHECK(bench.turn() == Words{"1:0:2", "0:0:2"});
}

TEST_CASE("a kernel that no core takes is evaluated again only on the cores that got something back") {
  constexpr std::uint64_t kKernels = 50;
  constexpr std::uint32_t kCores = 20;
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.cores = kCores; });
    DispatchRules rules = device.dispatch;
    rules.kernel_choice = choice;
    Workload workload = workload_of({kernel_of(kCores, 8, kCompute)});
    for (std::uint32_t i = 1; i <= kKernels; ++i) {
      workload.kernels.push_back(kernel_of(1, 8, kCompute));
      workload.kernels.back().needs.slm.total = Bytes{i};
      workload.launches.push_back({"", KernelId{i}, {}});
    }
    EngineSets engine_sets(device.engines_per_core);
    CoreBank bank{std::vector<Core>(kCores, Core(device, EngineDetail::none)), Bound(engine_sets)};
    const FootprintTable footprints(device, workload.kernels);
    std::vector<LaunchRecord> records(workload.launches.size());
    Dispatcher dispatcher({device, rules, workload, footprints, built_in_policies().maker("fill_first")}, bank,
                          records);
    dispatcher.arrive(launch(0), at(us(0)), at(us(0)));
    REQUIRE(dispatcher.turn(at(us(0))).size() == kCores);
    for (std::uint32_t i = 1; i <= kKernels; ++i) dispatcher.arrive(launch(i), at(us(1)), at(us(1)));
    dispatcher.turn(at(us(1)));  // every core is evaluated for each
    for (int i = 1; i <= 8; ++i) {
      bank.cores[3].release_threads(dispatcher.footprint(launch(0), 8), 1, at(us(2)), EngineSet::none, engine_sets);
      dispatcher.on_release(core(3));
      const std::uint64_t before = dispatcher.evaluations();
      // One evaluation for the changed core, and one for each kernel; the last time, one work-group is placed there.
      CHECK(dispatcher.turn(at(us(2))).size() == (i == 8 ? 1 : 0));
      CHECK(dispatcher.evaluations() - before <= kKernels + 2);
      CHECK(dispatcher.evaluations() - before >= kKernels);
    }
  }
}

TEST_CASE("kernels that are placed in turn find their candidates again, and evaluate only cores that have changed") {
  constexpr std::uint32_t kCores = 20;
  const DeviceSpec device = with(small_device(), [](DeviceSpec& d) { d.cores = kCores; });
  DispatchRules rules = device.dispatch;
  rules.kernel_choice = KernelChoice::round_robin;
  const Workload workload = workload_of({kernel_of(100, 1, kCompute), kernel_of(100, 2, kCompute)});
  EngineSets engine_sets(device.engines_per_core);
  CoreBank bank{std::vector<Core>(kCores, Core(device, EngineDetail::none)), Bound(engine_sets)};
  const FootprintTable footprints(device, workload.kernels);
  std::vector<LaunchRecord> records(workload.launches.size());
  Dispatcher dispatcher({device, rules, workload, footprints, built_in_policies().maker("most_room")}, bank, records);
  for (std::uint32_t i = 0; i < 2; ++i) dispatcher.arrive(launch(i), at(us(0)), at(us(0)));
  const std::size_t placed = dispatcher.turn(at(us(0))).size();
  REQUIRE(placed > 2 * kCores);
  // Every core once for each kernel, and for each placed work-group its core, for both kernels.
  CHECK(dispatcher.evaluations() <= 2 * kCores + 3 * placed);
}

TEST_CASE("kernels whose work-groups need the same are evaluated once") {
  const DeviceSpec device = small_device();
  DispatchRules rules = device.dispatch;
  rules.kernel_choice = KernelChoice::round_robin;
  Workload workload = workload_of({kernel_of(2, 8, kCompute)});
  for (std::uint32_t i = 1; i <= 50; ++i) {
    workload.kernels.push_back(kernel_of(1, 8, kCompute));
    workload.launches.push_back({"", KernelId{i}, {}});
  }
  EngineSets engine_sets(device.engines_per_core);
  CoreBank bank{std::vector<Core>(2, Core(device, EngineDetail::none)), Bound(engine_sets)};
  const FootprintTable footprints(device, workload.kernels);
  std::vector<LaunchRecord> records(workload.launches.size());
  Dispatcher dispatcher({device, rules, workload, footprints, built_in_policies().maker("fill_first")}, bank, records);
  dispatcher.arrive(launch(0), at(us(0)), at(us(0)));
  REQUIRE(dispatcher.turn(at(us(0))).size() == 2);
  for (std::uint32_t i = 1; i <= 50; ++i) dispatcher.arrive(launch(i), at(us(1)), at(us(1)));
  const std::uint64_t before = dispatcher.evaluations();
  dispatcher.turn(at(us(1)));
  CHECK(dispatcher.evaluations() - before <= 2);
  CHECK(dispatcher.accounts().waiting().size() == 50);
}

TEST_CASE("a placement that chooses a full core is a defect") {
  struct Stubborn : Placement {
    std::optional<std::size_t> choose(const IndexSet&) override { return 0; }
  };
  DeviceSpec device = small_device();
  const Workload workload = workload_of({kernel_of(2, 8, kCompute)});
  EngineSets engine_sets(device.engines_per_core);
  CoreBank bank{std::vector<Core>(device.cores, Core(device, EngineDetail::none)), Bound(engine_sets)};
  const FootprintTable footprints(device, workload.kernels);
  std::vector<LaunchRecord> records(workload.launches.size());
  Dispatcher dispatcher(
      {device, device.dispatch, workload, footprints, [](const DeviceSpec&) { return std::make_unique<Stubborn>(); }},
      bank, records);
  dispatcher.arrive(launch(0), at(us(0)), at(us(0)));
  CHECK_THROWS_AS(dispatcher.turn(at(us(0))), DefectError);
}
