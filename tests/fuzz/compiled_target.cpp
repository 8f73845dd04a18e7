#include "fuzz_targets.hpp"
#include "require.hpp"
#include "support/string_sink.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/import/read_compiled.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <algorithm>
#include <array>

namespace gdsim::fuzz {
namespace {

constexpr std::size_t kMaxKernelsWritten = 64;

const std::array<WantedDevice, 4> kDevices{{{"cc-8.6", "cc-8.6", "nvidia"},
                                            {"cc-9.0", "cc-9.0", "nvidia"},
                                            {"gfx90a", "gfx90a", "amd"},
                                            {"xe_hpc_pvc", "xe_hpc_pvc", "intel"}}};

/// What is written is YAML, whatever the names in the file.
void write_scenario(const NamedKernels& chosen, const WantedDevice& device) {
  ImportedScenario scenario;
  scenario.title = "fuzz";
  scenario.device = device.id;
  const std::vector<std::string> keys = keys_of(chosen.kernels);
  Diagnostics problems;
  for (std::size_t i = 0; i < chosen.kernels.size() && i < kMaxKernelsWritten; ++i) {
    ImportedKernel kernel;
    kernel.compiled = chosen.kernels[i];
    if (!kernel.compiled.sub_group) kernel.compiled.sub_group = 32;
    kernel.key = keys[i];
    kernel.plan = plan_launch(kernel.compiled, {256, Bytes{64}, reserves_shared_memory(device.family)}, problems);
    kernel.groups = 1;
    scenario.kernels.push_back(std::move(kernel));
  }
  testing::StringSink sink;
  write_imported_scenario(scenario, sink);
  Diagnostics unreadable;
  const SourceText written("written.yaml", sink.text);
  require(read_yaml(written, unreadable) && unreadable.empty(), "an imported scenario is no YAML");
}

/// Kernels of PTX are executed for a while, whatever they do.
void execute_ptx(const SourceText& source) {
  constexpr std::size_t most_kernels = 2;
  constexpr std::uint64_t most_instructions = 5'000;
  PtxModule module = read_ptx(source);
  module.kernels.resize(std::min(module.kernels.size(), most_kernels));
  for (const PtxKernel& kernel : module.kernels) {
    PtxLaunch launch;
    launch.block = {48, 1, 1};
    launch.arguments[{0, 0}] = 64;
    if (kernel.parameters.empty()) launch.arguments.clear();
    launch.gather = 4;
    const PreparedKernel prepared = prepare(kernel, launch);
    BlockLog log(prepared, widths_in_ptx(prepared), 64, most_instructions);
    UnresolvedInputs questions(prepared, launch, source);
    run_group(prepared, launch, {0, 0, 0}, log, questions);
    static_cast<void>(widths_joined(prepared, log));
    questions.throw_if_any();
  }
}

}  // namespace

void compiled(std::string_view input) {
  try {
    const SourceText source("fuzz.ptx", std::string(input));
    if (is_ptx(source)) execute_ptx(source);
  } catch (const InputError&) {
  }
  try {
    const SourceText source("fuzz.bin", std::string(input));
    const NamedKernels all{"fuzz.bin", read_compiled(source).kernels};
    for (const WantedDevice& device : kDevices) {
      try {
        write_scenario(for_device(all, device), device);
      } catch (const InputError&) {
      }
    }
    static_cast<void>(only_family(with_name(all, "k.*<[0-9]+>")));
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
