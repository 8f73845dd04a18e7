#include "import/program_import.hpp"

#include "import/program_options.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/gcn/import_gcn.hpp>
#include <gdsim/import/ptx/import_program.hpp>
#include <gdsim/import/ptx/ptx_resources.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace gdsim::cli {
namespace {

constexpr std::size_t kMaxNamed = 20;

[[noreturn]] void refuse_several(const CompiledAnswer& answer) {
  std::string names;
  for (std::size_t i = 0; i < answer.entries.size() && i < kMaxNamed; ++i)
    names += (i == 0 ? "" : ", ") + in_quotes(answer.entries[i].kernel.compiled.symbol);
  if (answer.entries.size() > kMaxNamed) names += fmt::format(" and {} more", answer.entries.size() - kMaxNamed);
  throw UsageError(
      fmt::format("--program makes the steps of one kernel, and {} are here: {}; choose one: --kernel '^{}'",
                  answer.entries.size(), names, printable(answer.entries.front().kernel.compiled.symbol)));
}

std::string words_of(const std::array<std::uint64_t, 3>& extent) {
  return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
}

/// Sets the block's shape, by default the one that the PTX requires. Throws InputError for another shape.
void set_block(const PtxKernel& kernel, const Options& options, std::uint64_t items, const SourceText& source,
               PtxLaunch& launch) {
  if (!options.has("block")) launch.block = kernel.required_group.value_or(std::array<std::uint64_t, 3>{items, 1, 1});
  if (!kernel.required_group || launch.block == *kernel.required_group) return;
  Diagnostics problems;
  problems.add({&source, kernel.line, kernel.column},
               fmt::format("--block {} cannot be launched: {} requires (.reqntid) --block {}", words_of(launch.block),
                           printable(kernel.symbol), words_of(*kernel.required_group)));
  problems.throw_if_any();
}

void check_clusters(const CompiledKernel& kernel, const PtxLaunch& launch) {
  if (!kernel.cluster) return;
  const auto& cluster = *kernel.cluster;
  std::array<std::uint64_t, 3> whole{};
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = (launch.grid[i] + cluster[i] - 1) / cluster[i] * cluster[i];
  if (whole != launch.grid)
    throw InputError(
        fmt::format("--grid {} is no multiple of the clusters of {}, {} work-groups; the next is --grid {}",
                    words_of(launch.grid), printable(kernel.name), words_of(cluster), words_of(whole)));
}

/// Sets the block's shape, by default as long as it is large, and the place where the program runs.
void add_gcn_program(CompiledAnswer& answer, const SourceText& source, PtxLaunch launch, const Options& options) {
  CompiledEntry& entry = answer.entries.front();
  const CompiledKernel& compiled = entry.kernel.compiled;
  const auto& kernels = answer.assembly->kernels;
  const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                   [&](const GcnKernel& one) { return one.symbol == compiled.symbol; });
  if (kernel == kernels.end()) throw InputError("the kernel is not in the assembly");
  if (!options.has("block"))
    launch.block = compiled.required_group.value_or(std::array<std::uint64_t, 3>{entry.kernel.plan.block, 1, 1});
  if (compiled.required_group && launch.block != *compiled.required_group)
    throw InputError(fmt::format("--block {} cannot be launched: {} requires --block {}", words_of(launch.block),
                                 printable(compiled.symbol), words_of(*compiled.required_group)));
  launch.dynamic_shared = entry.kernel.plan.dynamic_slm;
  const Occupancy occupancy = occupancy_of(entry.request.kernel, *entry.request.device, entry.request.global);
  ProgramPlace place;
  place.device = entry.request.device;
  place.groups_per_core = std::max<std::uint64_t>(1, occupancy.work_groups_per_core);
  entry.kernel.program = import_gcn_program(*kernel, launch, place, source);
}

}  // namespace

void add_program(CompiledAnswer& answer, const Options& options, const ModelLibrary& models, SourceFiles& sources) {
  if (answer.entries.size() != 1) refuse_several(answer);
  CompiledEntry& entry = answer.entries.front();
  PtxLaunch launch = program_options(options);
  if (!options.has("grid")) launch.grid = {entry.kernel.groups, 1, 1};
  const SourceText& source = sources.read(options.arguments().front(), "a file of PTX or assembly");
  if (answer.assembly) return add_gcn_program(answer, source, launch, options);
  const PtxModule& module = *answer.program;
  const auto kernel = std::find_if(module.kernels.begin(), module.kernels.end(),
                                   [&](const PtxKernel& of) { return of.symbol == entry.kernel.compiled.symbol; });
  if (kernel == module.kernels.end()) throw InputError("the kernel is not in the PTX");
  check_clusters(entry.kernel.compiled, launch);
  launch.dynamic_shared = entry.kernel.plan.dynamic_slm;
  set_block(*kernel, options, entry.kernel.plan.block, source, launch);
  const Occupancy occupancy = occupancy_of(entry.request.kernel, *entry.request.device, entry.request.global);
  const std::string family = models.family_of(answer.device);
  if (const auto capability = capability_of(family)) launch.capability = *capability;
  launch.keeps_local_in_registers = entry.kernel.compiled.stack == std::uint64_t{0};
  ProgramPlace place;
  place.device = entry.request.device;
  place.family = family;
  place.groups_per_core = std::max<std::uint64_t>(1, occupancy.work_groups_per_core);
  place.slm = entry.kernel.plan.static_slm + entry.kernel.plan.dynamic_slm;
  place.has_registers = entry.kernel.compiled.registers.has_value();
  if (!place.has_registers)
    log_warning("PTX has no registers: they limit nothing here; compile it, and name the result: --cubin FILE.cubin");
  entry.kernel.program = import_program(*kernel, launch, place, source);
  // Source of the factor: tests/results/compiled_kernels.csv.
  if (const std::string& lines = entry.kernel.program->partial_stores; !lines.empty())
    log_warning("stores that write parts of sectors, as in line " + lines.substr(0, lines.find(',')) +
                ", may cost too little here: a public transpose with such stores takes 3.5 times as long as predicted");
}

}  // namespace gdsim::cli
