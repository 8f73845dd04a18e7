#include "command_line.hpp"
#include "terminal/interruption.hpp"

#include <gdsim/record/observer.hpp>

#include <csignal>
#include <cstdlib>

namespace {

/// Sends a signal to its own program in the middle of a run: at the same event on any machine.
class Interrupter : public gdsim::Observer {
 public:
  explicit Interrupter(int signal) : signal_(signal) {}

  void on_instant(const gdsim::Instant& now) override {
    constexpr std::uint64_t well_on_its_way = 1'000;
    if (is_done_ || now.work_groups_ended < well_on_its_way) return;
    is_done_ = true;
    std::raise(signal_);
  }

 private:
  int signal_;
  bool is_done_ = false;
};

}  // namespace

// gdsim that interrupts itself: `gdsim_interrupting SIGNAL WORDS...` sends itself the signal. For one run at a time.
int main(int argc, char** argv) {
  Interrupter interrupter(std::atoi(argv[1]));
  gdsim::InternalRunOptions options;
  options.observers = {&interrupter};
  options.stop = gdsim::cli::watch_for_interruption();
  argv[1] = argv[0];
  return gdsim::cli::command_line(argc - 1, argv + 1, options);
}
