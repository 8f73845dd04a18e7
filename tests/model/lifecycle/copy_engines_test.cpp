#include "support/builders.hpp"
#include <gdsim/model/lifecycle/launch_states.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

constexpr CopyDirection kIn = CopyDirection::host_to_device;
constexpr CopyDirection kOut = CopyDirection::device_to_host;

/// Copy engines at time 0. Every copy is of 1,000 bytes, which take 1 us behind a latency of 2 us.
class CopyBench {
 public:
  CopyBench(std::uint32_t engines, std::initializer_list<CopyDirection> directions)
      : rule_(CopyRule{engines, BytesPerSecond{1'000'000'000}, us(2)}) {
    for (const CopyDirection direction : directions) launches_.push_back({"", Copy{Bytes{1'000}, direction}, {}});
  }

  void arrive(std::uint32_t number, SimTime ready = {}) { engines_.arrive(launch(number), ready); }
  void end(std::uint32_t number) { engines_.on_ended(launch(number)); }
  std::vector<std::uint32_t> begin() {
    std::vector<std::uint32_t> numbers;
    for (const LaunchId id : engines_.begin()) numbers.push_back(static_cast<std::uint32_t>(id));
    return numbers;
  }
  std::optional<SimTime> first_end() const { return queue_.next_time(); }

 private:
  const std::optional<CopyRule> rule_;
  std::vector<Launch> launches_;
  ModelEventQueue queue_;
  CopyEngines engines_{rule_, launches_, queue_};
};

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a copy ends once its latency and its bytes are over") {
  CopyBench bench(1, {kIn});
  CHECK(bench.begin().empty());
  bench.arrive(0);
  CHECK(bench.begin() == Numbers{0});
  CHECK(bench.first_end() == at(us(3)));
}

TEST_CASE("one engine copies in both directions, one copy after the other") {
  CopyBench bench(1, {kIn, kOut});
  bench.arrive(0);
  bench.arrive(1);
  CHECK(bench.begin() == Numbers{0});
  CHECK(bench.begin().empty());
  bench.end(0);
  CHECK(bench.begin() == Numbers{1});
}

TEST_CASE("of several engines each direction has its own, and the odd one copies to the device") {
  CopyBench bench(3, {kOut, kOut, kIn, kIn, kIn});
  for (std::uint32_t i = 0; i < 5; ++i) bench.arrive(i);
  CHECK(bench.begin() == Numbers{2, 3, 0});
  bench.end(2);
  CHECK(bench.begin() == Numbers{4});  // not the other direction's
  bench.end(0);
  CHECK(bench.begin() == Numbers{1});
}

TEST_CASE("copies that wait begin in the order in which they became ready, then in that of the file") {
  CopyBench bench(1, {kIn, kIn, kIn, kIn});
  bench.arrive(3, at(us(1)));
  bench.arrive(2, at(us(2)));
  bench.arrive(1, at(us(1)));
  Numbers order;
  for (int i = 0; i < 3; ++i) {
    const Numbers begun = bench.begin();
    REQUIRE(begun.size() == 1);
    order.push_back(begun.front());
    bench.end(begun.front());
  }
  CHECK(order == Numbers{1, 3, 2});
}
