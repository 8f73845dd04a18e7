#include "run/sharing.hpp"

#include <gdsim/workload/program.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

// The written sectors of a step, counted against the fastest memory level that all cores share.

namespace {

/// One core, whose memory moves 10 bytes per nanosecond behind a cache that moves 20. The cache counts a sector that is
/// written whole as 64 bytes, and one that is written in part as 128.
DeviceSpec device_with_cache(std::uint32_t contexts = 1) {
  return with(device_of(1, contexts), [](DeviceSpec& d) {
    d.memory->levels.insert(d.memory->levels.begin(), {"L2", Bytes{1'000}, gigabytes(20), std::nullopt});
    d.memory->levels.back().bandwidth = gigabytes(10);
    d.written_sector = WrittenSectorRule{Bytes{64}, Bytes{128}};
  });
}

Memory writes(std::uint64_t whole, std::uint64_t partial) {
  Memory step{Bytes{static_cast<std::int64_t>(32 * (whole + partial))}};
  step.written = WrittenSectors{whole, partial};
  return step;
}

Duration duration_of(const DeviceSpec& device, const Memory& step, std::uint64_t threads = 1) {
  return duration(device, workload_of({kernel_of(1, threads, {step})}));
}

}  // namespace

TEST_CASE("sectors that are written in part keep L2 busy while the memory behind it moves their bytes") {
  CHECK(duration_of(device_with_cache(), writes(0, 100)) == ns(640));  // 12,800 bytes at 20; 3,200 at 10 take 320
  CHECK(duration_of(device_with_cache(), writes(0, 10)) == ns(64));
}

TEST_CASE("sectors that are written whole wait for the memory, if that is slower than their way through L2") {
  CHECK(duration_of(device_with_cache(), writes(100, 0)) == ns(320));  // 6,400 bytes at 20, as 3,200 at 10
  const DeviceSpec slow =
      with(device_with_cache(), [](DeviceSpec& d) { d.memory->levels.back().bandwidth = gigabytes(5); });
  CHECK(duration_of(slow, writes(100, 0)) == ns(640));
}

TEST_CASE("threads share L2 by what their sectors count there") {
  CHECK(duration_of(device_with_cache(4), writes(0, 100), 4) == ns(4 * 640));
  Memory load = writes(0, 100);
  load.is_asynchronous = true;
  CHECK(duration_of(device_with_cache(4), load, 4) == ns(4 * 640));
}

TEST_CASE("a working set that L2 holds is written at the rate of its sectors, too") {
  Kernel kernel = kernel_of(1, 1, {writes(0, 100)});
  kernel.working_set = Bytes{500};
  CHECK(duration(device_with_cache(), workload_of({kernel})) == ns(640));
  kernel.program = {writes(100, 0)};
  CHECK(duration(device_with_cache(), workload_of({kernel})) == ns(320));
}

TEST_CASE("sectors written in part that no cache merges go to the memory, one for each work-item at most") {
  const DeviceSpec merged =
      with(device_with_cache(), [](DeviceSpec& d) { d.memory->levels.front().bandwidth = gigabytes(200); });
  const DeviceSpec unmerged = with(merged, [](DeviceSpec& d) { d.written_sector->is_merged = false; });
  Kernel kernel = kernel_of(1, 1, {});  // 8 work-items
  const auto time = [&](const DeviceSpec& device, std::uint64_t whole, std::uint64_t partial, Bytes bytes) {
    Memory step{bytes};
    step.written = WrittenSectors{whole, partial};
    kernel.program = {step};
    return duration(device, workload_of({kernel}));
  };
  kernel.working_set = Bytes{500};  // L2 holds it, and counts 640 bytes for 5 sectors in part
  CHECK(time(merged, 0, 5, Bytes{160}) == ps(3'200));
  CHECK(time(unmerged, 0, 5, Bytes{160}) == ns(16));
  CHECK(time(unmerged, 5, 0, Bytes{160}) == ps(1'600));
  CHECK(time(unmerged, 0, 8, Bytes{256}) == ps(25'600));
  CHECK(time(unmerged, 0, 80, Bytes{2'560}) == ps(51'200));  // 10,240 bytes of L2; the memory has 256, in 25.6
  kernel.working_set = Bytes{2'000};                         // L2 holds half of it
  CHECK(time(merged, 0, 8, Bytes{320}) == ns(16));
  CHECK(time(unmerged, 0, 8, Bytes{320}) == ps(25'600));
  CHECK(time(unmerged, 0, 4, Bytes{320}) == ns(16));  // 128 bytes are less than the memory's part
}

TEST_CASE("without a level before the last one, or without the device's rule, sectors count as their bytes") {
  const DeviceSpec one_level =
      with(device_with_cache(), [](DeviceSpec& d) { d.memory->levels.erase(d.memory->levels.begin()); });
  CHECK(duration_of(one_level, writes(0, 100)) == ns(320));
  const DeviceSpec no_rule = with(device_with_cache(), [](DeviceSpec& d) { d.written_sector.reset(); });
  CHECK(duration_of(no_rule, writes(0, 100)) == ns(320));
}

TEST_CASE("a level of each core does not count written sectors: the first one that all cores share does") {
  const DeviceSpec device = with(device_with_cache(), [](DeviceSpec& d) {
    d.memory->levels.insert(d.memory->levels.begin(), {"L1", Bytes{100}, gigabytes(1), std::nullopt, "core"});
  });
  CHECK(duration_of(device, writes(0, 100)) == ns(640));
}
