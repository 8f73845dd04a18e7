#include "command_line.hpp"

#include <gdsim/record/observer.hpp>

#include <chrono>
#include <thread>

namespace {

/// Sleeps at the first instant, so that a run is long, however fast the machine is.
class Pause : public gdsim::Observer {
 public:
  void on_instant(const gdsim::Instant&) override {
    if (!is_over_) std::this_thread::sleep_for(std::chrono::milliseconds(600));
    is_over_ = true;
  }

 private:
  bool is_over_ = false;
};

}  // namespace

// gdsim with a run that is long enough for its progress to be shown. For one run at a time.
int main(int argc, char** argv) {
  Pause pause;
  gdsim::InternalRunOptions options;
  options.observers = {&pause};
  return gdsim::cli::command_line(argc, argv, gdsim::cli::all_commands(), options);
}
