#include "scenario/schemas.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// LargestNumber values that the ranges of keys do not give: inside lists. The others are tried in key_table_test.cpp.

using namespace gdsim;
using namespace gdsim::testing;
using nlohmann::json;

namespace {

/// Where a number stands, `@` in its place, and the most that it may be.
struct LargestNumber {
  std::string text;
  std::uint64_t max;
};

std::string with_number(const LargestNumber& place, std::uint64_t number) {
  std::string text = place.text;
  return text.replace(text.find('@'), 1, std::to_string(number));
}

/// What the reader says of a scenario on this device.
std::string problems_of_device(const std::string& device) {
  const TemporaryFolder folder;
  const std::string file = folder.write("d.yaml", device);
  return read_text("scenario: S\ndevice: " + file +
                   "\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
                   "launches: [kernel: k]\n")
      .problems;
}

/// Numbers that are items of a list, or have names of a user's: `gdsim help` gives no range for them.
const std::vector<LargestNumber> kInside{
    {"core_groups: [{name: g, sizes: [@]}]", 100'000},
    {"sub_group_sizes: [@]", 1'024},
    {"tie_order: [@]", 99'999},
    {"dispatch: {tie_order: [@]}", 99'999},
    {"arithmetic: {fp32: @}", 1'000'000},
};

}  // namespace

TEST_CASE("the largest value of numbers inside lists is that of the schema, and one more is refused by both") {
  for (const LargestNumber& place : kInside) {
    INFO(place.text);
    const auto device = [&](std::uint64_t number) {
      return "device: d\nbase: tiny\n" + with_number(place, number) + "\n";
    };
    CHECK(device_schema_accepts(json_of_text(device(place.max))));
    CHECK_FALSE(device_schema_accepts(json_of_text(device(place.max + 1))));
    CHECK_FALSE(problems_of_device(device(place.max + 1)).empty());
  }
}

TEST_CASE(
    "numbers of a device are taken up to their largest value by the reader, where nothing else stands against it") {
  for (const LargestNumber& place :
       {LargestNumber{"cores: @", 100'000}, LargestNumber{"max_work_group_size: @", 1'048'576},
        LargestNumber{"clusters: {within: g, max: @}", 10'000}, LargestNumber{"work_groups_per_core: @", 4'294'967'295},
        LargestNumber{"barriers_per_core: @", 4'294'967'295},
        LargestNumber{"copy: {bandwidth: 1 GB/s, engines: @}", 1'024},
        LargestNumber{"registers: {granule: 1, per_engine: @}", 1'000'000'000}}) {
    INFO(place.text);
    CHECK(problems_of_device("device: d\nbase: tiny\n" + with_number(place, place.max) + "\n").empty());
  }
}
