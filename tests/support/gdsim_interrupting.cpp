#include "command_line.hpp"

#include <gdsim/record/observer.hpp>

#include <csignal>
#include <cstdlib>
#include <stop_token>
#include <thread>
#include <utility>

namespace {

/// Sends a signal to its own program in the middle of a run, at the same event on any machine, and continues once the
/// program has taken it.
class Interrupter : public gdsim::Observer {
 public:
  Interrupter(int signal, std::stop_token stop) : signal_(signal), stop_(std::move(stop)) {}

  void on_instant(const gdsim::Instant& now) override {
    constexpr std::uint64_t well_on_its_way = 1'000;
    if (is_done_ || now.work_groups_ended < well_on_its_way) return;
    is_done_ = true;
    std::raise(signal_);
    while (!stop_.stop_requested()) std::this_thread::yield();
  }

 private:
  int signal_;
  std::stop_token stop_;
  bool is_done_ = false;
};

}  // namespace

// gdsim that interrupts itself: `gdsim_interrupting SIGNAL WORDS...` sends itself the signal. For one run at a time.
int main(int argc, char** argv) {
  const std::stop_token stop = gdsim::cli::watch_for_interruption();
  Interrupter interrupter(std::atoi(argv[1]), stop);
  gdsim::InternalRunOptions options;
  options.observers = {&interrupter};
  options.stop = stop;
  argv[1] = argv[0];
  return gdsim::cli::command_line(argc - 1, argv + 1, gdsim::cli::all_commands(), options);
}
