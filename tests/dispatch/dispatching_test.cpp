#include "dispatch/dispatch_bench.hpp"

#include <gdsim/base/check.hpp>

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The small device (2 cores x 8 contexts) that fills the first core first, its launches ready at 0.
class FilledInOrder {
 public:
  FilledInOrder(Workload work, Admission admission, std::optional<std::uint64_t> ports, Handover handover)
      : bench_(with(small_device(),
                    [&](DeviceSpec& d) {
                      d.dispatch = {"fill_first", admission, ports, handover};
                    }),
               std::move(work)) {
    bench_.arrive_all(at(us(0)));
  }

  std::vector<std::string> turn() { return bench_.turn(at(us(0))); }
  /// Threads of a work-group of the first launch end.
  void release(std::uint32_t core_index, std::uint32_t threads) {
    bench_.release(core(core_index), launch(0), threads, at(us(1)));
  }

 private:
  DispatchBench bench_;
};

/// The small device with so many cores under this choice of kernels.
DeviceSpec device_of(std::uint32_t cores, KernelChoice choice) {
  return with(small_device(), [&](DeviceSpec& d) {
    d.cores = cores;
    d.dispatch.kernel_choice = choice;
  });
}

using Words = std::vector<std::string>;
const Program kCompute{compute(us(1))};

}  // namespace

TEST_CASE("under whole admission a work-group waits until all its threads fit") {
  FilledInOrder bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::whole, {}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:1:5"});
  bench.release(0, 2);
  CHECK(bench.turn() == Words{"2:0:5"});
}

TEST_CASE("under partial admission as many threads are placed as there are free contexts") {
  FilledInOrder bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3", "2:1:5", "3:1:3"});
}

TEST_CASE("a core with a partially placed work-group completes it before it takes another") {
  FilledInOrder bench(workload_of({kernel_of(6, 5, kCompute)}), Admission::partial, {}, Handover::never);
  bench.turn();
  bench.release(0, 1);
  CHECK(bench.turn() == Words{"1:0:1"});
  bench.release(0, 4);
  CHECK(bench.turn() == Words{"1:0:1", "4:0:3"});
}

TEST_CASE("with every port held nothing is dispatched, not even what would fit whole") {
  FilledInOrder bench(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1}, Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3"});
  bench.release(0, 2);
  CHECK(bench.turn() == Words{"1:0:2", "2:1:5", "3:1:3"});
}

TEST_CASE("a partially placed work-group with a barrier or SLM is handed over and frees its port") {
  FilledInOrder with_barrier(workload_of({kernel_of(4, 5, {barrier(), compute(us(1))})}), Admission::partial, {1},
                             Handover::barrier_or_slm);
  CHECK(with_barrier.turn() == Words{"0:0:5", "1:0:3", "2:1:5", "3:1:3"});
  Kernel local_memory = kernel_of(4, 5, kCompute);
  local_memory.needs.slm.total = Bytes{1};
  FilledInOrder with_slm(workload_of({local_memory}), Admission::partial, {1}, Handover::barrier_or_slm);
  CHECK(with_slm.turn().size() == 4);
  FilledInOrder with_neither(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1},
                             Handover::barrier_or_slm);
  CHECK(with_neither.turn().size() == 2);
  FilledInOrder always(workload_of({kernel_of(4, 5, kCompute)}), Admission::partial, {1}, Handover::always);
  CHECK(always.turn().size() == 4);
}

TEST_CASE("the next launch follows in the same turn once all threads of the head are placed") {
  FilledInOrder bench(workload_of({kernel_of(1, 5, kCompute), kernel_of(1, 2, kCompute)}), Admission::partial, {},
                      Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "0:0:2"});
}

TEST_CASE("the next launch waits while threads of the head are not placed") {
  FilledInOrder bench(workload_of({kernel_of(2, 5, kCompute), kernel_of(1, 2, kCompute)}), Admission::partial, {},
                      Handover::never);
  CHECK(bench.turn() == Words{"0:0:5", "1:0:3"});
  bench.release(0, 5);
  CHECK(bench.turn() == Words{"1:0:2", "0:0:2"});
}

TEST_CASE("a kernel that no core takes is evaluated again only on the cores that got something back") {
  constexpr std::uint64_t kKernels = 50;
  constexpr std::uint32_t kCores = 20;
  for (const KernelChoice choice : {KernelChoice::skip_blocked, KernelChoice::round_robin}) {
    Workload workload = workload_of({kernel_of(kCores, 8, kCompute)});
    for (std::uint32_t i = 1; i <= kKernels; ++i) {
      workload.kernels.push_back(kernel_of(1, 8, kCompute));
      workload.kernels.back().needs.slm.total = Bytes{i};
      workload.launches.push_back({"", KernelId{i}, {}});
    }
    DispatchBench bench(device_of(kCores, choice), workload);
    const Dispatching& dispatching = bench.dispatching;
    bench.arrive(0, 1, at(us(0)));
    REQUIRE(bench.turn(at(us(0))).size() == kCores);
    bench.arrive(1, 1 + kKernels, at(us(1)));
    bench.turn(at(us(1)));  // every core is evaluated for each
    for (int i = 1; i <= 8; ++i) {
      bench.release(core(3), launch(0), 1, at(us(2)));
      const std::uint64_t before = dispatching.evaluations();
      // One evaluation for the changed core, and one for each kernel; the last time, one work-group is placed there.
      CHECK(bench.turn(at(us(2))).size() == (i == 8 ? 1 : 0));
      CHECK(dispatching.evaluations() - before <= kKernels + 2);
      CHECK(dispatching.evaluations() - before >= kKernels);
    }
  }
}

TEST_CASE("kernels that are placed in turn find their candidates again, and evaluate only cores that have changed") {
  constexpr std::uint32_t kCores = 20;
  DispatchBench bench(
      with(device_of(kCores, KernelChoice::round_robin), [](DeviceSpec& d) { d.dispatch.placement = "most_room"; }),
      workload_of({kernel_of(100, 1, kCompute), kernel_of(100, 2, kCompute)}));
  bench.arrive_all(at(us(0)));
  const std::size_t placed = bench.turn(at(us(0))).size();
  REQUIRE(placed > 2 * kCores);
  // Every core once for each kernel, and for each placed work-group its core, for both kernels.
  CHECK(bench.dispatching.evaluations() <= 2 * kCores + 3 * placed);
}

TEST_CASE("kernels whose work-groups need the same are evaluated once") {
  Workload workload = workload_of({kernel_of(2, 8, kCompute)});
  for (std::uint32_t i = 1; i <= 50; ++i) {
    workload.kernels.push_back(kernel_of(1, 8, kCompute));
    workload.launches.push_back({"", KernelId{i}, {}});
  }
  DispatchBench bench(device_of(2, KernelChoice::round_robin), workload);
  bench.arrive(0, 1, at(us(0)));
  REQUIRE(bench.turn(at(us(0))).size() == 2);
  bench.arrive(1, 51, at(us(1)));
  const std::uint64_t before = bench.dispatching.evaluations();
  bench.turn(at(us(1)));
  CHECK(bench.dispatching.evaluations() - before <= 2);
  CHECK(bench.dispatching.accounts().waiting().size() == 50);
}

TEST_CASE("a placement that chooses a full core is a defect") {
  struct Stubborn : Placement {
    std::optional<std::size_t> choose(const IndexSet&) override { return 0; }
  };
  DispatchBench bench(small_device(), workload_of({kernel_of(2, 8, kCompute)}),
                      [](const DeviceSpec&) { return std::make_unique<Stubborn>(); });
  bench.arrive_all(at(us(0)));
  CHECK_THROWS_AS(bench.turn(at(us(0))), DefectError);
}
