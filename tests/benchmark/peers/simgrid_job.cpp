#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// The GPU-shaped job in SimGrid: an actor per slot, as its users write it, or a timer of its kernel per work-group,
// which is the least it can do. Arguments: work-groups, jitter (0 or 1), `actors` or `timers`. Prints nanoseconds per
// work-group. Its time is a floating-point number: one second stands for a microsecond.

namespace {

using simgrid::kernel::timer::Timer;
using simgrid::s4u::Engine;

std::vector<double> durations;
std::size_t next_group = 0;
std::uint64_t resident = 0;
double integral = 0;
double changed = 0;

void note(double now) {
  integral += static_cast<double>(resident) * (now - changed);
  changed = now;
}

void walk_slot() {
  while (next_group < durations.size()) {
    const double duration = durations[next_group++];
    note(Engine::get_clock());
    ++resident;
    simgrid::s4u::this_actor::sleep_for(duration);
    note(Engine::get_clock());
    --resident;
  }
}

void place() {
  if (next_group == durations.size()) return;
  ++resident;
  Timer::set(Engine::get_clock() + durations[next_group++], [] {
    note(Engine::get_clock());
    --resident;
    place();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const bool is_jittered = argc > 2 && argv[2][0] == '1';
  const bool has_actors = argc > 3 && std::strcmp(argv[3], "actors") == 0;
  std::uint64_t random = 1;
  for (std::size_t i = 0; i < groups; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    durations.push_back(is_jittered ? 8.3 + static_cast<double>((random >> 33) % 3'400'000) * 1e-6 : 10);
  }
  Engine engine(&argc, argv);
  auto* zone = simgrid::s4u::create_full_zone("device");
  std::vector<simgrid::s4u::Host*> cores;
  for (int i = 0; i < 132; ++i) cores.push_back(zone->create_host("core" + std::to_string(i), 1.0)->seal());
  zone->seal();
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t slot = 0; slot < 132 * 8; ++slot) {
    if (has_actors) {
      simgrid::s4u::Actor::create("slot", cores[slot / 8], walk_slot);
    } else {
      place();
    }
  }
  engine.run();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.2f\n", seconds.count() * 1e9 / static_cast<double>(groups));
  return next_group == groups && integral > 0 ? 0 : 1;
}
