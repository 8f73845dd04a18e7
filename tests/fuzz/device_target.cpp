#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "cases/case_run.hpp"
#include "devices/device_text.hpp"
#include "fuzz_targets.hpp"
#include "occupancy/occupancy_answer.hpp"
#include "occupancy/occupancy_text.hpp"
#include "require.hpp"

#include <algorithm>

namespace gdsim::fuzz {
namespace {

constexpr std::uint32_t kMaxDeviceCores = 128;  // devices with more are read and shown, but not run
constexpr std::uint64_t kMaxDeviceEvents = 2'000;

Kernel kernel_for(const DeviceSpec& device) {
  Kernel kernel;
  kernel.name = "k";
  kernel.sub_group = device.sub_group_sizes.front();
  const std::uint64_t local = std::min<std::uint64_t>(device.max_work_group_size, std::uint64_t{3} * kernel.sub_group);
  kernel.range = {{1, 1, local * 7}, {1, 1, local}};
  kernel.needs.slm.total = Bytes{1};
  kernel.needs.registers = 9;
  kernel.program = {Compute{{Decimal::whole(1), StepTime::Unit::picoseconds}}, Barrier{},
                    Compute{{Decimal::whole(2), StepTime::Unit::picoseconds}}};
  return kernel;
}

void ask(const Kernel& kernel, const DeviceSpec& device) {
  const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::given);
  static_cast<void>(cli::occupancy_text(kernel, device, occupancy, cli::AskedCooperative::yes));
  static_cast<void>(cli::occupancy_json(kernel, device, occupancy, cli::AskedCooperative::yes));
  using cli::Varied;
  for (const Varied varied : {Varied::local, Varied::registers, Varied::slm}) {
    if (varied == Varied::registers && !device.registers) continue;
    const auto curve = cli::occupancy_curve(kernel, device, varied);
    static_cast<void>(cli::curve_plot(curve, varied));
    static_cast<void>(cli::curve_text(curve, varied, device.terms));
  }
}

/// On an empty device, as many whole work-groups fit on a core as the calculator says.
void run(const Kernel& kernel, const DeviceSpec& device) {
  if (device.cores > kMaxDeviceCores) return;
  Workload workload;
  workload.kernels = {kernel};
  Launch launch;
  launch.name = "k";
  launch.work = KernelId{0};
  workload.launches = {launch};
  Scenario scenario;
  scenario.title = "fuzz";
  scenario.device = device;
  scenario.dispatch = device.dispatch;
  scenario.workload = workload;
  InternalRunOptions options;
  options.bounds.events = kMaxDeviceEvents;
  const cli::CaseRun run(scenario, {}, options);
  require(run.record().outcome != Outcome::deadlock, "a kernel without any wait deadlocked");
}

}  // namespace

void device(std::string_view input) {
  try {
    SourceFiles sources;
    Diagnostics problems;
    const SourceText& source = sources.keep("fuzz.yaml", std::string(input));
    const auto tree = read_yaml(source, problems);
    problems.throw_if_any();
    if (!tree || !tree->is_mapping()) return;
    ModelLibrary models({GDSIM_FUZZ_MODELS}, sources);
    const auto device = read_device(*tree, GDSIM_FUZZ_MODELS, models, ValueReader(problems));
    problems.throw_if_any();
    if (!device) return;
    if (const auto merged = models.resolve(*tree, GDSIM_FUZZ_MODELS, ValueReader(problems)))
      static_cast<void>(cli::device_text(*device, *merged));
    const Kernel kernel = kernel_for(*device);
    ask(kernel, *device);
    run(kernel, *device);
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
