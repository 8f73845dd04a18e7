#include <gdsim/gdsim.hpp>

#include <iostream>
#include <stop_token>
#include <thread>
#include <vector>

// Watches a run and stops it, while other threads run the same compiled workload to its end.

namespace {

/// Asks for a stop when the first launch has ended.
struct FirstEnd : gdsim::Observer {
  void on_instant(const gdsim::Instant& now) override {
    for (const gdsim::LaunchFact& fact : now.launches)
      if (fact.kind == gdsim::LaunchFact::Event::ended) stop.request_stop();
  }
  std::stop_source stop;
};

gdsim::Compilation two_launches() {
  gdsim::DeviceSpec device;
  device.cores = 1;
  device.engines_per_core = 1;
  device.contexts_per_engine = 1;
  device.sub_group_sizes = {1};
  device.max_work_group_size = 1;
  device.dispatch.placement = "fill_first";
  gdsim::Kernel kernel;
  kernel.range.global = {1, 1, 10};
  kernel.sub_group = 1;
  kernel.program = {gdsim::Compute{{gdsim::Decimal::whole(7), gdsim::StepTime::Unit::picoseconds}}};
  return gdsim::compile(device, device.dispatch,
                        {{kernel}, {{"a", gdsim::KernelId{0}, {}}, {"b", gdsim::KernelId{0}, {}}}});
}

}  // namespace

int main() {
  const gdsim::Compiled compiled = two_launches().value();
  FirstEnd observer;
  gdsim::RunOptions options;
  options.observers = {&observer};
  options.stop = observer.stop.get_token();
  const gdsim::RunResult stopped = gdsim::simulate(compiled, options);
  std::vector<gdsim::RunResult> results(4);
  {
    std::vector<std::jthread> threads;
    for (gdsim::RunResult& result : results) threads.emplace_back([&] { result = gdsim::simulate(compiled); });
  }
  std::cout << (stopped.record.outcome == gdsim::Outcome::interrupted) << ' ' << stopped.record.end.count;
  for (const gdsim::RunResult& result : results) std::cout << ' ' << result.record.end.count;
  std::cout << '\n';
}
