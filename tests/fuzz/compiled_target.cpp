#include "fuzz_targets.hpp"
#include "require.hpp"
#include "support/string_sink.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/kernel_keys.hpp>
#include <gdsim/import/read_compiled.hpp>
#include <gdsim/import/select_kernels.hpp>
#include <gdsim/yaml/yaml_document.hpp>

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

}  // namespace

void compiled(std::string_view input) {
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
