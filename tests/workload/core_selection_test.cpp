#include <gdsim/workload/workload.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

namespace {

CoreRange range(std::uint32_t first, std::uint32_t last) { return {CoreId{first}, CoreId{last}}; }

}  // namespace

TEST_CASE("ranges of cores that meet or overlap become one") {
  CHECK(normalized({range(4, 5), range(0, 1), range(2, 2)}) == CoreSelection{range(0, 2), range(4, 5)});
  CHECK(normalized({range(0, 5), range(1, 2)}) == CoreSelection{range(0, 5)});
  CHECK(normalized({}).empty());
}

TEST_CASE("a selection lies within another if every core of it does, an empty one is every core") {
  CHECK(lies_within({range(1, 2)}, {range(0, 3)}));
  CHECK(lies_within({range(1, 2), range(5, 5)}, {range(0, 3), range(5, 6)}));
  CHECK(lies_within({range(2, 3)}, {range(0, 3)}));  // ranges that begin or end together
  CHECK(lies_within({range(0, 1)}, {range(0, 3)}));
  CHECK_FALSE(lies_within({range(3, 4)}, {range(0, 3), range(5, 6)}));
  CHECK(lies_within({range(3, 4)}, {}));
  CHECK(lies_within({}, {}));
  CHECK_FALSE(lies_within({}, {range(0, 3)}));
}
