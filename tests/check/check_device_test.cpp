#include "support/builders.hpp"

#include <gdsim/check/check_device.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {
/// The field at fault in a small device with one change.
template <class Change>
std::string fault_after(Change change) {
  const auto faults = check_device(with(small_device(), change));
  return faults.size() == 1 ? faults.front().path.substr(std::string("device.").size())
                            : std::to_string(faults.size()) + " faults";
}
}  // namespace

TEST_CASE("a usable device has no faults") {
  CHECK(check_device(small_device()).empty());
  CHECK(check_device(tiger_lake()).empty());
}

TEST_CASE("every limit that makes a device unusable is found") {
  CHECK(fault_after([](auto& d) { d.cores = 0; }) == "cores");
  CHECK(fault_after([](auto& d) { d.cores = 100'001; }) == "cores");
  CHECK(fault_after([](auto& d) { d.engines_per_core = 0; }) == "engines_per_core");
  CHECK(fault_after([](auto& d) { d.contexts_per_engine = 0; }) == "contexts_per_engine");
  CHECK(fault_after([](auto& d) { d.contexts_per_engine = 6'000; }) == "contexts_per_engine");
  CHECK(fault_after([](auto& d) { d.max_work_group_size = 0; }) == "max_work_group_size");
  CHECK(fault_after([](auto& d) { d.work_groups_per_core.count = 0; }) == "work_groups_per_core");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.sub_group_sizes = {16, 8}; }) == "sub_group_sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{2048}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.sizes = {Bytes{1024}, Bytes{1024}}; }) == "slm.sizes");
  CHECK(fault_after([](auto& d) { d.slm.per_core = Bytes{(std::int64_t{1} << 40) + 1}; }) == "slm.per_core");
  CHECK(fault_after([](auto& d) { d.dispatch.ports.count = 0; }) == "dispatch.ports");
}
