#include <ns3/core-module.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// The GPU-shaped job in ns-3: an event per work-group, slots counted by core. Arguments: work-groups, jitter (0 or 1).
// Prints nanoseconds per work-group.

namespace {

std::vector<std::int64_t> durations;
std::size_t next_group = 0;
std::uint64_t resident = 0;
__extension__ using Wide = __int128;
Wide integral = 0;
std::int64_t changed = 0;

void note(std::int64_t now) {
  integral += static_cast<Wide>(resident) * (now - changed);
  changed = now;
}

void place(std::uint32_t core);

void end(std::uint32_t core) {
  note(ns3::Simulator::Now().GetTimeStep());
  --resident;
  place(core);
}

void place(std::uint32_t core) {
  if (next_group == durations.size()) return;
  ++resident;
  ns3::Simulator::Schedule(ns3::TimeStep(static_cast<std::uint64_t>(durations[next_group++])), &end, core);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const bool is_jittered = argc > 2 && argv[2][0] == '1';
  std::uint64_t random = 1;
  for (std::size_t i = 0; i < groups; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    durations.push_back(is_jittered ? 8'300'000 + static_cast<std::int64_t>((random >> 33) % 3'400'000) : 10'000'000);
  }
  ns3::Time::SetResolution(ns3::Time::PS);
  ns3::ObjectFactory scheduler;
  scheduler.SetTypeId("ns3::PriorityQueueScheduler");
  ns3::Simulator::SetScheduler(scheduler);
  const auto start = std::chrono::steady_clock::now();
  for (std::uint32_t slot = 0; slot < 132 * 8; ++slot) place(slot / 8);
  ns3::Simulator::Run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.2f\n", seconds.count() * 1e9 / static_cast<double>(groups));
  ns3::Simulator::Destroy();
  return integral > 0 ? 0 : 1;
}
