#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/amd/amd_code_object.hpp>
#include <gdsim/import/amd/gcn/import_gcn.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/import_program.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include <gdsim/import/read_compiled.hpp>
#include <gdsim/yaml/yaml_node.hpp>
#include "fuzz_targets.hpp"
#include "require.hpp"
#include "small_device.hpp"
#include "support/string_sink.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

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

const DeviceSpec& device_of_programs() {
  static const DeviceSpec device = small_device("cc-8.6");
  return device;
}

void require_program(const ImportedProgram& program) {
  require(program.steps.is_empty() != program.reasons.empty(), "a kernel has neither a program nor a reason, or both");
  if (program.steps.is_empty()) return;
  Diagnostics unreadable;
  const SourceText written("written.yaml", YamlValue().entry("program", program.steps).block());
  require(read_yaml(written, unreadable) && unreadable.empty(), "a program is no YAML");
}

/// The steps are YAML, whatever the kernel does.
void write_program(const KernelProfile& profile) {
  ImportedProgram program;
  add_steps(profile, device_of_programs(), program);
  add_diagnostics(profile, device_of_programs(), program);
  require_program(program);
}

constexpr std::uint64_t kMostInstructions = 5'000;

/// What profile_of() does, without what would execute more instructions: other work-groups and other arguments.
void execute(const PtxKernel& kernel, const PtxLaunch& launch, const SourceText& source) {
  KernelProfile profile;
  const auto prepared = std::make_shared<const PreparedKernel>(prepare(kernel, launch));
  profile.kernel = prepared;
  profile.warps = launch.warps();
  profile.groups = launch.groups();
  UnresolvedInputs questions(*prepared, launch, source);
  profile.widths = widths_in_ptx(*prepared);
  for (int run = 0; run < 2; ++run) {
    profile.log = std::make_shared<BlockLog>(*prepared, profile.widths, 64, kMostInstructions);
    profile.log->keeps_sectors = true;
    profile.log->keeps_warps = true;
    run_group(*prepared, launch, {0, 0, 0}, *profile.log, questions);
    profile.widths = widths_joined(*prepared, *profile.log);
  }
  if (profile.log->instructions <= kMostInstructions)  // it executes iterations that were skipped
    profile.atomics = atomic_addresses(*prepared, launch, *profile.log, 1, questions);
  questions.throw_if_any();
  write_program(profile);
}

/// Kernels of PTX are executed for a while, whatever they do. Their numbers are 64; if all addresses are known, to say
/// how many sectors others have is an error.
void execute_ptx(const SourceText& source) {
  constexpr std::size_t most_kernels = 2;
  PtxModule module = read_ptx(source);
  module.kernels.resize(std::min(module.kernels.size(), most_kernels));
  for (const PtxKernel& kernel : module.kernels)
    for (const std::optional<std::uint32_t> gather :
         {std::optional<std::uint32_t>(4), std::optional<std::uint32_t>()}) {
      PtxLaunch launch;
      launch.block = {48, 1, 1};
      for (std::uint32_t i = 0; i < kernel.parameters.size(); ++i)
        if (kernel.parameters[i].bytes <= 4) launch.arguments[{i, 0}] = 64;
      launch.gather = gather;
      try {
        execute(kernel, launch, source);
      } catch (const InputError&) {
      }
    }
}

/// Kernels of AMDGPU assembly, in the same way: with 64 as each number, and with or without sectors.
void execute_gcn(const SourceText& source) {
  constexpr std::size_t most_kernels = 2;
  static const DeviceSpec device = small_device("gfx90a");
  GcnModule module = read_gcn(source);
  module.kernels.resize(std::min(module.kernels.size(), most_kernels));
  for (const GcnKernel& kernel : module.kernels)
    for (const std::optional<std::uint32_t> gather :
         {std::optional<std::uint32_t>(4), std::optional<std::uint32_t>()}) {
      PtxLaunch launch;
      launch.block = {48, 1, 1};
      std::uint32_t number = 0;
      for (const GcnArgument& argument : kernel.arguments) {
        if (argument.is_hidden()) continue;
        if (argument.value_kind == "by_value" && argument.bytes >= 1) launch.arguments[{number, 0}] = 64;
        ++number;
      }
      launch.gather = gather;
      ProgramPlace place;
      place.device = &device;
      try {
        require_program(import_gcn_program(kernel, launch, place, source, kMostInstructions));
      } catch (const InputError&) {
      }
    }
}

}  // namespace

void compiled(std::string_view input) {
  try {
    const SourceText source("fuzz.ptx", std::string(input));
    if (is_ptx(source.text())) execute_ptx(source);
    if (is_amd_assembly(source)) execute_gcn(source);
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
