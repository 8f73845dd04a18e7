#include "support/random_values.hpp"

#include <gdsim/model/memory/memory_pool.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Resident {
  LaunchId launch{};
  std::vector<std::size_t> sets;
  std::int64_t own = 0;
  std::int64_t shared = 0;
};

/// What a set holds: each work-group's own bytes, and what a launch shares once.
std::vector<Int128> counted(const std::vector<Resident>& residents, std::size_t sets) {
  std::vector<Int128> bytes(sets, 0);
  for (std::size_t set = 0; set < sets; ++set)
    for (std::uint32_t launch = 0; launch < 3; ++launch) {
      std::int64_t shared = 0;
      for (const Resident& one : residents)
        if (one.launch == LaunchId{launch} && std::find(one.sets.begin(), one.sets.end(), set) != one.sets.end()) {
          bytes[set] += one.own;
          shared = one.shared;
        }
      bytes[set] += shared;
    }
  return bytes;
}

}  // namespace

TEST_CASE("a working set is what its resident work-groups have of their own, and what their launches share, once") {
  rc::prop("opening and closing equals counting anew", [] {
    constexpr std::size_t sets = 3;
    WorkingSets working(sets);
    std::vector<Resident> residents;
    for (int step = between(0, 30); step > 0; --step) {
      const std::vector<Int128> before = working.bytes();
      bool changes = false;
      if (residents.empty() || between(0, 2) > 0) {
        const auto launch = between<std::uint32_t>(0, 2);
        Resident one{LaunchId{launch}, {}, between<std::int64_t>(0, 3), launch == 0 ? 0 : 10 * launch};
        for (std::size_t set = 0; set < sets; ++set)
          if (between(0, 1) == 0) one.sets.push_back(set);
        changes = working.open(one.launch, one.sets, one.own, one.shared);
        residents.push_back(one);
      } else {
        const auto at = between<std::size_t>(0, residents.size() - 1);
        const Resident one = residents[at];
        changes = working.close(one.launch, one.sets, one.own, one.shared);
        residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(at));
      }
      RC_ASSERT(working.bytes() == counted(residents, sets));
      RC_ASSERT(changes || working.bytes() == before);
    }
  });
}
