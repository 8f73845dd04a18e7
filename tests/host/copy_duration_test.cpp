#include "support/builders.hpp"

#include <gdsim/host/host_costs.hpp>

#include <catch2/catch.hpp>

#include <limits>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

Copy copy_of(std::int64_t bytes) { return {Bytes{bytes}, CopyDirection::host_to_device}; }

constexpr std::int64_t kGigabyte = 1'000'000'000;

}  // namespace

TEST_CASE("a copy lasts for its latency and for its bytes, rounded once, halves up") {
  CHECK(duration_of(copy_of(1'000), {1, BytesPerSecond{kGigabyte}, ps(7)}) == ps(1'000'007));
  CHECK(duration_of(copy_of(1), {1, BytesPerSecond{2'000 * kGigabyte}, {}}) == ps(1));
  CHECK(duration_of(copy_of(1), {1, BytesPerSecond{2'001 * kGigabyte}, {}}) == ps(0));
}

TEST_CASE("a copy that lasts for longer than 64 bits hold has no duration") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK_FALSE(duration_of(copy_of(most), {1, BytesPerSecond{1}, {}}));
  CHECK_FALSE(duration_of(copy_of(1), {1, BytesPerSecond{kGigabyte}, ps(most)}));
}
