#include <simgrid/s4u.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// The contended job in SimGrid: an actor per thread of the device; the memory is a host whose speed all share, so are
// the issue slots of each engine. Its solver shares by max-min with bounds and priorities, as gdsim does. Arguments:
// cores, rounds. Prints nanoseconds per thread and step. One second of its time stands for a microsecond.

namespace {

namespace s4u = simgrid::s4u;

constexpr int kThreads = 8;  // of a work-group
constexpr int kEngines = 4;  // of a core
constexpr int kSlots = 8;    // of a core, for work-groups
constexpr int kWaves = 4;
constexpr double kBytes = 4096;
constexpr double kInFlight = 256;
constexpr double kBandwidth = 1'769'000;  // bytes per microsecond
constexpr double kLatency = 0.391;
constexpr double kIssue = 0.142;

int rounds = 0;
s4u::Host* memory = nullptr;

/// A thread of the work-groups that follow each other in a slot; `random` is its own.
void live(s4u::Host* engine, s4u::BarrierPtr barrier, std::uint64_t random) {
  const double alone = kInFlight / kLatency * kBytes / (kBytes - kInFlight);
  for (int wave = 0; wave < kWaves; ++wave) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const double factor = 0.8268 + static_cast<double>(random >> 40) * 0x1p-24 * 0.3464;
    for (int round = 0; round < rounds; ++round) {
      const double priority = round % 2 == 0 ? 3 : 1;
      auto read = s4u::Exec::init();
      read->set_flops_amount(kBytes * factor)->set_bound(alone)->set_priority(priority)->set_host(memory);
      read->start()->wait();
      s4u::this_actor::sleep_for(kLatency);
      barrier->wait();
      auto issue = s4u::Exec::init();
      issue->set_flops_amount(kIssue * factor)->set_priority(priority)->set_host(engine);
      issue->start()->wait();
      barrier->wait();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int cores = argc > 1 ? std::atoi(argv[1]) : 8;
  rounds = argc > 2 ? std::atoi(argv[2]) : 4;
  s4u::Engine engine(&argc, argv);
  s4u::Engine::set_config("contexts/stack-size:32");
  auto* zone = s4u::create_full_zone("device");
  memory = zone->create_host("memory", kBandwidth)->seal();
  std::vector<s4u::Host*> engines;
  for (int i = 0; i < cores * kEngines; ++i)
    engines.push_back(zone->create_host("engine" + std::to_string(i), 1.0)->seal());
  zone->seal();
  std::uint64_t seed = 1;
  for (int slot = 0; slot < cores * kSlots; ++slot) {
    const s4u::BarrierPtr barrier = s4u::Barrier::create(kThreads);
    for (int i = 0; i < kThreads; ++i)
      s4u::Actor::create("thread", memory, live, engines[slot / kSlots * kEngines + i % kEngines], barrier, ++seed);
  }
  const auto start = std::chrono::steady_clock::now();
  engine.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.2f\n", seconds.count() * 1e9 / (4.0 * rounds * kWaves * kThreads * kSlots * cores));
  return s4u::Engine::get_clock() > 0 ? 0 : 1;
}
