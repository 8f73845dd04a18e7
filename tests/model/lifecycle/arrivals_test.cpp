#include "support/builders.hpp"

#include <gdsim/model/lifecycle/arrivals.hpp>

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// So many launches of one kernel.
Workload launches_of(std::size_t count) {
  Workload workload = workload_of({kernel_of(1, 1, {compute(us(1))})});
  while (workload.launches.size() < count) workload.launches.push_back({"", KernelId{0}, {}});
  return workload;
}

/// The arrivals of a workload, whose launches begin and end when the test says so.
class ArrivalBench {
 public:
  ArrivalBench(DeviceSpec device, Workload workload) : device_(std::move(device)), workload_(std::move(workload)) {}

  /// The launches that arrive at the next instant of arrivals.
  std::vector<std::uint32_t> next() {
    std::vector<std::uint32_t> numbers;
    if (!queue_.next_instant()) return numbers;
    while (!queue_.instant_is_over())
      for (const Event& event : queue_.pop_rank().events) {
        arrivals_.on_arrived(event.launch());
        numbers.push_back(static_cast<std::uint32_t>(event.launch()));
      }
    return numbers;
  }
  SimTime now() const { return queue_.now(); }
  void end(std::uint32_t number) {
    record(number).ended = now();
    arrivals_.on_ended(launch(number));
  }
  LaunchRecord& record(std::uint32_t number) { return records_[number]; }
  /// The time before which nothing becomes ready behind a launch that begins and ends then.
  std::vector<Duration> batched() { return arrivals_.take_batched(); }

 private:
  const DeviceSpec device_;
  const Workload workload_;
  const LaunchGraph graph_ = make_launch_graph(workload_);
  ModelEventQueue queue_;
  std::vector<LaunchRecord> records_{workload_.launches.size()};
  Arrivals arrivals_{device_, workload_, graph_, queue_, records_};
};

DeviceSpec with_overheads() {
  return with(small_device(), [](DeviceSpec& d) {
    d.submit_overhead = us(1);
    d.launch_latency = us(5);
    d.dependency_gap = us(2);
  });
}

using Numbers = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the host submits one launch after the other, and each arrives after the latency") {
  ArrivalBench bench(with_overheads(), launches_of(2));
  CHECK(bench.next() == Numbers{0});
  CHECK(bench.now() == at(us(6)));
  CHECK(bench.next() == Numbers{1});
  CHECK(bench.now() == at(us(7)));
  CHECK(bench.record(1).submitted == at(us(2)));
  CHECK(bench.record(1).ready == at(us(7)));
  CHECK(bench.record(1).waited[WaitReason::host] == us(2));
  CHECK(bench.record(1).waited[WaitReason::launch_latency] == us(5));
  CHECK(bench.next().empty());
}

TEST_CASE("a launch that waits for another arrives the gap after its end") {
  Workload workload = launches_of(2);
  workload.launches[1].after = {launch(0)};
  ArrivalBench bench(with_overheads(), workload);
  CHECK(bench.next() == Numbers{0});
  CHECK(bench.next().empty());
  bench.end(0);
  CHECK(bench.next() == Numbers{1});
  CHECK(bench.now() == at(us(8)));
  CHECK(bench.record(1).waited[WaitReason::predecessors] == us(1));  // it would have arrived at 7 us
}

TEST_CASE("the host submits nothing behind a launch for which it waits") {
  Workload workload = launches_of(3);
  workload.launches[1].host_waits = {launch(0)};
  ArrivalBench bench(with_overheads(), workload);
  CHECK(bench.next() == Numbers{0});
  CHECK_FALSE(bench.record(2).submitted);
  bench.end(0);  // at 6 us
  CHECK(bench.record(1).submitted == at(us(7)));
  CHECK(bench.record(2).submitted == at(us(8)));
}

TEST_CASE("launches of a batch are sent together once it is full, and the last one does not wait for others") {
  DeviceSpec device = with_overheads();
  device.submission = SubmissionRule{2, std::nullopt};
  ArrivalBench bench(device, launches_of(3));
  CHECK(bench.next() == Numbers{0, 1});
  CHECK(bench.now() == at(us(7)));  // the second is submitted at 2 us
  CHECK(bench.next() == Numbers{2});
  CHECK(bench.now() == at(us(8)));
  CHECK(bench.batched() == std::vector<Duration>{us(1), Duration{}, Duration{}});
}
