#include <gdsim/fit/limits.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/clusters.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

std::uint64_t grfs_of_large_mode(const DeviceSpec& device) {
  return std::uint64_t{kGrfsOfContext} * device.large_grf_contexts.value_or(1);
}

}  // namespace

std::uint64_t grfs_of_thread(const Kernel& kernel, const DeviceSpec& device) {
  return kernel.needs.grf == GrfMode::large ? grfs_of_large_mode(device) : kGrfsOfContext;
}

std::string grf_refusal(const Kernel& kernel, const DeviceSpec& device) {
  const std::uint64_t large = grfs_of_large_mode(device);
  std::string text = "a " + device.terms.thread + " uses " + counted(kernel.needs.registers, "GRF") + ", " + device.id +
                     " gives it " + std::to_string(grfs_of_thread(kernel, device));
  if (kernel.needs.grf == GrfMode::normal && device.large_grf_contexts)
    text += "; `large_grf: true` gives it " + std::to_string(large);
  if (kernel.needs.registers > large)
    text += "; `registers` is what Intel's compiler prints: GRFs of a " + device.terms.thread +
            ", not registers of a work-item";
  return text;
}

namespace {

using Count = std::optional<std::uint64_t>;

Count min_limit(Count a, Count b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// Returns the number of times that one pool's need fits into its capacity.
Count pool_limit(const Footprint& footprint, Pool pool) {
  if (footprint.whole[pool] == 0 || footprint.capacity[pool] == kUnlimited) return std::nullopt;
  return static_cast<std::uint64_t>(footprint.capacity[pool] / footprint.whole[pool]);
}

Count thread_limit(const Kernel& kernel, const DeviceSpec& device, const Footprint& footprint) {
  if (kernel.range.group_size() > device.max_work_group_size) return 0;
  const std::uint64_t per_engine = device.contexts_per_engine / footprint.thread.contexts;
  return per_engine * device.engines_per_core / footprint.threads;
}

Count slm_count(const Kernel& kernel, const DeviceSpec& device, const Footprint& footprint) {
  const SlmRequest& slm = kernel.needs.slm;
  if (footprint.whole[Pool::slm] == 0) return std::nullopt;
  const bool breaks_opt_in = slm.opt_in == SlmOptIn::yes && slm.max_dynamic && slm.dynamic > *slm.max_dynamic;
  if (slm.total > slm_limit(kernel, device) || breaks_opt_in || !device.slm.allocated(slm.total)) return 0;
  return pool_limit(footprint, Pool::slm);
}

/// Number of work-groups for which a file on each engine has registers, with threads spread evenly over the engines.
std::uint64_t file_limit(std::uint64_t file, std::uint64_t need, RegisterThreadLimit count, const DeviceSpec& device,
                         const Footprint& footprint) {
  std::uint64_t per_engine = file / need;
  if (count == RegisterThreadLimit::capped_at_contexts)
    per_engine = std::min<std::uint64_t>(per_engine, device.contexts_per_engine);
  return per_engine * device.engines_per_core / footprint.threads;
}

Count register_limit(const Kernel& kernel, const DeviceSpec& device, const Footprint& footprint) {
  if (device.grf_per_context && kernel.needs.registers > grfs_of_thread(kernel, device)) return 0;
  if (footprint.thread.registers == 0) return std::nullopt;
  const RegisterRule& rule = *device.registers;
  const std::uint64_t per_item = rule.per_lane(kernel.needs.registers, kernel.needs.accumulation_registers);
  if (rule.per_work_item && per_item > *rule.per_work_item) return 0;
  if (rule.per_work_group && registers_per_work_group(kernel, device) > *rule.per_work_group) return 0;
  return file_limit(rule.per_engine, footprint.thread.registers, rule.thread_limit, device, footprint);
}

Count scalar_limit(const DeviceSpec& device, const Footprint& footprint) {
  if (footprint.thread.scalar_registers == 0) return std::nullopt;
  const ScalarRegisterRule& rule = *device.scalar_registers;
  return file_limit(rule.per_engine, footprint.thread.scalar_registers, rule.thread_limit, device, footprint);
}

}  // namespace

ResourceLimits limits_of(const Kernel& kernel, const DeviceSpec& device) {
  GDSIM_CHECK(kernel.threads_per_work_group() <= 0xFFFF'FFFFU, "a work-group has more threads than can be counted");
  const Footprint footprint =
      make_footprint(kernel, device, static_cast<std::uint32_t>(kernel.threads_per_work_group()));
  ResourceLimits limits;
  const auto set = [&](Resource r, Count count) { limits.work_groups[static_cast<std::size_t>(r)] = count; };
  set(Resource::threads, thread_limit(kernel, device, footprint));
  set(Resource::work_group_slots,
      min_limit(pool_limit(footprint, Pool::slots), pool_limit(footprint, Pool::barrier_or_slm_slots)));
  set(Resource::slm, slm_count(kernel, device, footprint));
  set(Resource::barriers, pool_limit(footprint, Pool::barriers));
  set(Resource::registers, register_limit(kernel, device, footprint));
  set(Resource::scalar_registers, scalar_limit(device, footprint));
  return limits;
}

std::uint64_t work_groups_per_wave(const Kernel& kernel, const DeviceSpec& device) {
  const std::uint64_t per_core = limits_of(kernel, device).work_groups_per_core();
  return active_clusters(device, per_core, kernel.cluster_size()).value_or(0) * kernel.cluster_size();
}

std::optional<Tail> tail_of(const Kernel& kernel, const DeviceSpec& device) {
  Tail tail;
  tail.work_groups = kernel.range.group_count();
  tail.per_wave = work_groups_per_wave(kernel, device);
  if (tail.per_wave == 0 || tail.work_groups <= tail.per_wave) return std::nullopt;
  tail.left_over = tail.work_groups % tail.per_wave;
  if (tail.left_over == 0) return std::nullopt;
  return tail;
}

}  // namespace gdsim
