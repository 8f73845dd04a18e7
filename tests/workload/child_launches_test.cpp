#include "support/builders.hpp"
#include <gdsim/workload/launched_kernels.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Step launches(std::uint32_t kernel) { return LaunchChild{KernelId{kernel}, ChildWait::no}; }

std::vector<std::string> names(const Workload& workload) {
  std::vector<std::string> names;
  for (const Launch& launch : workload.launches) names.push_back(launch.name);
  return names;
}

/// k0 launches k1 twice and k2 once in each of two work-groups; k1 launches k2.
Workload family() {
  Workload workload = workload_of({kernel_of(2, 1, {compute(ps(1)), launches(1), launches(2), launches(1)}),
                                   kernel_of(1, 1, {compute(ps(1)), launches(2)}), kernel_of(1, 1, {compute(ps(1))})});
  workload.launches.resize(1);
  return workload;
}

}  // namespace

TEST_CASE("every work-group adds a launch for each child it launches, children of children behind them") {
  Workload workload = family();
  CHECK(launches_with_children(workload) == 11);
  add_child_launches(workload);
  CHECK(names(workload) == std::vector<std::string>{"k0", "k0[0]/k1", "k0[0]/k2", "k0[0]/k1#2", "k0[1]/k1", "k0[1]/k2",
                                                    "k0[1]/k1#2", "k0[0]/k1[0]/k2", "k0[0]/k1#2[0]/k2",
                                                    "k0[1]/k1[0]/k2", "k0[1]/k1#2[0]/k2"});
}

TEST_CASE("a child is found by its parent's work-group and number") {
  Workload workload = family();
  add_child_launches(workload);
  CHECK(child_of(workload, launch(0), group(1), 2) == launch(6));
  CHECK(child_of(workload, launch(0), group(0), 0) == launch(1));
  CHECK(child_of(workload, launch(6), group(0), 0) == launch(10));
  CHECK(workload.launches[6].parent()->child == 2);
}

TEST_CASE("kernels that launch each other are named as a cycle") {
  std::vector<Kernel> kernels = family().kernels;
  using Cycles = std::vector<std::vector<KernelId>>;
  CHECK(find_families(kernels).cycles.empty());
  kernels[2].program.push_back(launches(1));
  CHECK(find_families(kernels).cycles == Cycles{{KernelId{1}, KernelId{2}}});
  kernels[0].program = {launches(0)};
  CHECK(find_families(kernels).cycles == Cycles{{KernelId{0}}, {KernelId{1}, KernelId{2}}});
}

TEST_CASE("generations of children are counted along the longest path") {
  CHECK(find_families(family().kernels).generations == std::vector<std::uint32_t>{2, 1, 0});
  std::vector<Kernel> chain(100'000, kernel_of(1, 1, {}));
  for (std::uint32_t i = 1; i < chain.size(); ++i) chain[i - 1].program = {launches(i)};
  CHECK(find_families(chain).generations.front() == 99'999);
}

TEST_CASE("children beyond any number are counted without being made") {
  Workload workload = workload_of({kernel_of(1'000'000'000, 1, {launches(1)}),
                                   kernel_of(1'000'000'000, 1, {launches(2)}), kernel_of(1, 1, {compute(ps(1))})});
  CHECK(launches_with_children(workload) == kMaxLaunches + 1);
}

TEST_CASE("children are checked without going through the work-groups of launches that have none") {
  // 10^15 work-groups: one by one, this would take days.
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(1)), launches(1)}), kernel_of(1, 1, {compute(ps(1))}),
                                   kernel_of(1'000'000'000'000'000, 1, {compute(ps(1))})});
  workload.launches.erase(workload.launches.begin() + 1);
  add_child_launches(workload);
  CHECK(names(workload) == std::vector<std::string>{"k0", "k2", "k0[0]/k1"});
  CHECK_FALSE(first_wrong_child(workload).has_value());
  workload.launches.back().name = "other";
  CHECK(first_wrong_child(workload) == launch(2));
}
