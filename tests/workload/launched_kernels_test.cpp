#include "support/builders.hpp"

#include <gdsim/workload/launched_kernels.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::vector<std::string> launched_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const Kernel* kernel : launched_kernels(workload)) names.push_back(kernel->name);
  return names;
}

}  // namespace

TEST_CASE("launched kernels are those of launches and of children's children, each once, and no others") {
  const auto launching = [](std::uint32_t child) {
    return kernel_of(1, 1, {compute(ps(1)), LaunchChild{KernelId{child}, ChildWait::no}});
  };
  const Kernel plain = kernel_of(1, 1, {compute(ps(1))});
  Workload workload = workload_of({plain, launching(3), plain, launching(4), plain});
  CHECK(launched_names(workload) == std::vector<std::string>{"k0", "k1", "k2", "k3", "k4"});
  workload.launches = {workload.launches[1], workload.launches[1]};
  CHECK(launched_names(workload) == std::vector<std::string>{"k1", "k3", "k4"});
  workload.launches = {workload.launches[0]};
  std::get<LaunchChild>(workload.kernels[3].program.at(1)).kernel = KernelId{1};  // a circle is no endless walk
  CHECK(launched_names(workload) == std::vector<std::string>{"k1", "k3"});
  workload.launches.clear();
  CHECK(launched_names(workload).empty());
}
