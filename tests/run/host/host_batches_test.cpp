#include "support/builders.hpp"

#include <gdsim/compile/compile.hpp>

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

// The host sends launches to the device in batches.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Launches of 10 ps each, one after the other.
Workload chain(std::size_t count) {
  Workload workload = workload_of({kernel_of(1, 1, {compute(ps(10))})});
  workload.queues = {{"q", QueueOrder::in_order, {}}};
  workload.launches[0].queue = QueueId{0};
  workload.launches.resize(count, workload.launches[0]);
  for (std::size_t i = 0; i < count; ++i) workload.launches[i].name = "k" + std::to_string(i);
  return workload;
}

/// Each submission takes 100 ps, the way to the device 7 ps, and the gap after a predecessor 5 ps.
DeviceSpec slow_host(std::uint32_t batch, std::optional<Duration> flush = std::nullopt) {
  return with(one_core(), [&](DeviceSpec& device) {
    device.submit_overhead = ps(100);
    device.launch_latency = ps(7);
    device.dependency_gap = ps(5);
    device.submission = SubmissionRule{batch, flush};
  });
}

std::vector<std::int64_t> submissions_of(const RunRecord& record) {
  std::vector<std::int64_t> times;
  for (const LaunchRecord& launch : record.launches) times.push_back((*launch.submitted - SimTime{}).count);
  return times;
}

}  // namespace

TEST_CASE("launches are sent once their batch is full, and the last ones in any case") {
  const RunRecord pairs = run_fully(slow_host(2), chain(5)).record;
  CHECK(submissions_of(pairs) == std::vector<std::int64_t>{200, 200, 400, 400, 500});
  CHECK(pairs.end == at(ps(500 + 7 + 10)));
  CHECK(submissions_of(run_fully(slow_host(16), chain(3)).record) == std::vector<std::int64_t>{300, 300, 300});
  CHECK(submissions_of(run_fully(slow_host(1), chain(3)).record) == std::vector<std::int64_t>{100, 200, 300});
}

TEST_CASE("a batch that is not full is sent `flush` after its first launch, with what was submitted by then") {
  const auto sent = [](std::int64_t flush) {
    return submissions_of(run_fully(slow_host(16, ps(flush)), chain(4)).record);
  };
  CHECK(sent(150) == std::vector<std::int64_t>{250, 250, 400, 400});
  CHECK(sent(100) == std::vector<std::int64_t>{200, 200, 400, 400});
  CHECK(sent(99) == std::vector<std::int64_t>{199, 299, 399, 400});
}

TEST_CASE(
    "what lies in a batch is sent before the host waits for a launch, and the wait is part of the critical path") {
  Workload workload = chain(4);
  workload.launches[2].host_waits = {LaunchId{0}};
  const RunRecord record = run_fully(slow_host(16), workload).record;
  CHECK(submissions_of(record) == std::vector<std::int64_t>{200, 200, 417, 417});
  CHECK(record.critical_path == std::vector<LaunchId>{LaunchId{0}, LaunchId{2}, LaunchId{3}});
  CHECK(record.launches[1].slack == ps(417 + 7 - 232 - 5));
}

TEST_CASE("the time in a batch is a wait for the host") {
  const RunRecord record = run_fully(slow_host(3), chain(3)).record;
  for (const LaunchRecord& launch : record.launches) CHECK(launch.waited[WaitReason::host] == ps(300));
}

TEST_CASE("a graph is one submission, which no batch cuts apart") {
  Workload workload = chain(6);
  workload.queues[0].is_graph = true;
  workload.launches[5].queue.reset();
  const RunRecord record = run_fully(slow_host(2), workload).record;
  CHECK(submissions_of(record) == std::vector<std::int64_t>{200, 200, 200, 200, 200, 200});
}

TEST_CASE("with `first: at_once`, a launch is sent by itself if the host knows that all before it have ended") {
  const DeviceSpec device =
      with(slow_host(16), [](DeviceSpec& d) { d.submission->sends_first_at_once = true; });
  Workload workload = chain(6);
  workload.launches[3].host_waits = {LaunchId{2}};
  // The first at 100; two more, before the host waits, at 300; they end at 317 and 332. The fourth at once, two behind it.
  CHECK(submissions_of(run_fully(device, workload).record) ==
        std::vector<std::int64_t>{100, 300, 300, 432, 632, 632});
  workload.launches[3].host_waits = {LaunchId{1}};  // the third is still there
  CHECK(submissions_of(run_fully(device, workload).record) ==
        std::vector<std::int64_t>{100, 300, 300, 617, 617, 617});
}

TEST_CASE("with `first: at_once`, the whole first graph is sent by itself") {
  Workload workload = chain(4);
  workload.queues[0].is_graph = true;
  workload.launches[2].queue.reset();
  workload.launches[3].queue.reset();
  const DeviceSpec device =
      with(slow_host(16), [](DeviceSpec& d) { d.submission->sends_first_at_once = true; });
  CHECK(submissions_of(run_fully(device, workload).record) == std::vector<std::int64_t>{100, 100, 300, 300});
}
