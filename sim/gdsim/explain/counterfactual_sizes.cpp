#include <gdsim/explain/counterfactual_changes.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/program/scaled_program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kMaxSizes = 6;

/// Returns true if a work-group has nothing that a change of size would have to redistribute: SLM, working sets,
/// factors, children, parts that only some threads execute, tiles.
bool has_scalable_groups(const Kernel& kernel) {
  const NdRange& range = kernel.range;
  return range.local[0] == 1 && range.local[1] == 1 && range.is_uniform() && kernel.cluster.empty() &&
         kernel.needs.slm.total.count == 0 && !kernel.working_set && kernel.variation.factors.empty() &&
         !kernel.differs_by_group() && !has_step<LaunchChild>(kernel.program) && !has_step<Only>(kernel.program) &&
         !has_step<Tiles>(kernel.program);
}

std::string kernel_words(const Baseline& run, const Kernel& kernel) {
  return run.scenario().workload.kernels.size() > 1 ? " of " + kernel.name : std::string();
}

/// Returns true if the bytes of some step follow from the lines that its lanes access. Lines of other lanes are not
/// known here.
bool counts_lines(const Kernel& kernel) {
  bool found = false;
  for_each_step(kernel.program, [&](const Step& step) {
    const auto* memory = std::get_if<Memory>(&step);
    found = found || (memory != nullptr && memory->counts_lines);
  });
  return found;
}

bool fits(const Kernel& kernel, const DeviceSpec& device) {
  return limits_of(kernel, device).work_groups_per_core() > 0;
}

}  // namespace

std::vector<std::uint64_t> other_work_group_sizes(const Kernel& kernel, const DeviceSpec& device) {
  if (!has_scalable_groups(kernel) || kernel.sub_group == 0) return {};
  const std::uint64_t own = kernel.range.local[2];
  const std::uint64_t global = kernel.range.global[2];
  std::set<std::uint64_t> sizes;
  const auto try_size = [&](std::uint64_t size) {
    if (size == own || size == 0 || size > device.max_work_group_size || sizes.size() >= kMaxSizes) return;
    if (size % kernel.sub_group == 0 && global % size == 0) sizes.insert(size);
  };
  for (const std::uint64_t size : {own / 2, own * 2, own / 4, own * 4}) try_size(size);
  // Sizes of which a whole number fills a core, the nearest first.
  std::vector<std::uint64_t> filling;
  for (std::uint64_t threads = 1; threads <= device.contexts_per_core(); ++threads)
    if (device.contexts_per_core() % threads == 0) filling.push_back(threads * kernel.sub_group);
  std::sort(filling.begin(), filling.end(), [&](std::uint64_t a, std::uint64_t b) {
    const auto distance = [&](std::uint64_t size) { return size > own ? size - own : own - size; };
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  for (const std::uint64_t size : filling) try_size(size);
  return {sizes.begin(), sizes.end()};
}

std::optional<ChangeWords> change_work_group_size(const Baseline& run, Scenario& changed, KernelId id,
                                                  std::uint64_t size) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  const std::uint64_t own = kernel.range.local[2];
  kernel.range.local[2] = size;
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{
      fmt::format("Size of {}s{}: {} work-items", run.terms().work_group, kernel_words(run, kernel), own),
      fmt::format("with {}", size)};
}

std::optional<ChangeWords> change_sub_group_size(const Baseline& run, Scenario& changed, KernelId id,
                                                 std::uint32_t size) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  const std::uint32_t own = kernel.sub_group;
  if (size == own || own == 0 || !can_scale_lanes(kernel)) return std::nullopt;
  if (kernel.range.group_size() % std::max(size, own) != 0 || counts_lines(kernel)) return std::nullopt;
  kernel.sub_group = size;
  if (changed.device.grf_per_context)  // a GRF holds the values of several work-items
    kernel.needs.registers = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        (std::uint64_t{kernel.needs.registers} * size + own - 1) / own, std::numeric_limits<std::uint32_t>::max()));
  scale_lanes(kernel, own, size);
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{fmt::format("Sub-group size{}: {}", kernel_words(run, kernel), own),
                     fmt::format("with {}, and the work of a {} in proportion", size, run.terms().thread)};
}

std::optional<ChangeWords> change_grf_mode(const Baseline& run, Scenario& changed, KernelId id) {
  Kernel& kernel = changed.workload.kernels[index_of(id)];
  if (!run.scenario().device.large_grf_contexts) return std::nullopt;
  const bool was_large = kernel.needs.grf == GrfMode::large;
  kernel.needs.grf = was_large ? GrfMode::normal : GrfMode::large;
  if (!fits(kernel, changed.device)) return std::nullopt;
  return ChangeWords{fmt::format("Register mode{}: {}", kernel_words(run, kernel), was_large ? "large" : "normal"),
                     was_large ? "with the normal one" : "with the large one",
                     "That is an artefact: what a thread saves with more registers is not simulated."};
}

}  // namespace gdsim
