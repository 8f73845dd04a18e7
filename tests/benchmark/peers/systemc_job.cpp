#include <systemc>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

// A launch on 132 cores of 8 work-groups each, in SystemC: a method per slot, woken by an event at the end of its
// work-group. Arguments: work-groups, jitter (0 or 1). Prints nanoseconds per work-group.

namespace {

std::vector<std::int64_t> durations;
std::size_t next_group = 0;
std::uint64_t resident = 0;
double integral = 0;
double changed = 0;

struct Slot : sc_core::sc_module {
  SC_HAS_PROCESS(Slot);
  explicit Slot(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_METHOD(step); }

  void step() {
    const auto now = static_cast<double>(sc_core::sc_time_stamp().value());
    integral += static_cast<double>(resident) * (now - changed);
    changed = now;
    if (is_busy) --resident;
    is_busy = next_group < durations.size();
    if (!is_busy) return;
    ++resident;
    next_trigger(static_cast<double>(durations[next_group++]), sc_core::SC_PS);
  }

  bool is_busy = false;
};

}  // namespace

int sc_main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const bool is_jittered = argc > 2 && argv[2][0] == '1';
  std::uint64_t random = 1;
  // Picoseconds: 10 us, or from 8.3 to 11.7 us.
  for (std::size_t i = 0; i < groups; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    durations.push_back(is_jittered ? 8'300'000 + static_cast<std::int64_t>((random >> 33) % 3'400'000) : 10'000'000);
  }
  std::vector<std::unique_ptr<Slot>> slots;
  for (int i = 0; i < 132 * 8; ++i) slots.push_back(std::make_unique<Slot>(sc_core::sc_gen_unique_name("slot")));
  const auto start = std::chrono::steady_clock::now();
  sc_core::sc_start();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.2f\n", seconds.count() * 1e9 / static_cast<double>(groups));
  return integral > 0 ? 0 : 1;
}
