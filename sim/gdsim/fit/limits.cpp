#include <gdsim/fit/limits.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>

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

namespace {

void check_sub_group(const Kernel& kernel, const DeviceSpec& device, std::vector<Refusal>& found) {
  const auto& sizes = device.sub_group_sizes;
  if (std::find(sizes.begin(), sizes.end(), kernel.sub_group) != sizes.end()) return;
  std::string allowed;
  for (const auto size : sizes) allowed += (allowed.empty() ? "" : ", ") + std::to_string(size);
  found.push_back(
      {"unsupported_sub_group", "sub_group",
       std::to_string(kernel.sub_group) + " is not a sub-group size of " + device.id + " (" + allowed + ")"});
}

/// `; it fits with `sub_group: 32` (32 threads), or with at most 512 work-items`: how a work-group with more threads
/// than a core has contexts could fit.
std::string ways_to_fit(const Kernel& kernel, const DeviceSpec& device, std::uint64_t capacity) {
  if (capacity == 0) return {};
  std::string ways;
  for (const std::uint32_t size : device.sub_group_sizes) {
    Kernel wider = kernel;
    wider.sub_group = size;
    if (size <= kernel.sub_group || wider.threads_per_work_group() > capacity) continue;
    ways = "`sub_group: " + std::to_string(size) + "` (" +
           counted(wider.threads_per_work_group(), device.terms.thread) + "), or with ";
    break;
  }
  const std::uint64_t items = std::min<std::uint64_t>(capacity * kernel.sub_group, device.max_work_group_size);
  return "; it fits with " + ways + "at most " + counted(items, "work-item");
}

/// Returns true if the work-group is small enough for the other limits to matter.
bool check_size(const Kernel& kernel, const DeviceSpec& device, std::vector<Refusal>& found) {
  const std::uint64_t size = kernel.range.group_size();
  if (size > device.max_work_group_size) {
    found.push_back({"work_group_too_large", "local",
                     "a " + device.terms.work_group + " has " + counted(size, "work-item") + ", " + device.id +
                         " allows at most " + std::to_string(device.max_work_group_size)});
    return false;
  }
  const std::uint64_t threads = kernel.threads_per_work_group();
  const bool is_large = kernel.needs.grf == GrfMode::large;
  const std::uint64_t per_thread = is_large ? device.large_grf_contexts.value_or(1) : 1;
  const std::uint64_t capacity = device.contexts_per_engine / per_thread * device.engines_per_core;
  if (threads <= capacity) return true;
  found.push_back({"work_group_too_large", "local",
                   "a " + device.terms.work_group + " has " + counted(threads, device.terms.thread) + ", each " +
                       device.terms.core + " of " + device.id + " has " + counted(capacity, device.terms.context) +
                       (per_thread > 1 ? " in large-GRF mode" : "") + ways_to_fit(kernel, device, capacity)});
  return false;
}

std::string amount(Bytes bytes) { return std::to_string(bytes.count) + " B (" + to_text(bytes) + ")"; }

/// Returns the first limit that the request for SLM breaks, in words.
std::string slm_limit_text(const Kernel& kernel, const DeviceSpec& device) {
  const SlmRequest& slm = kernel.needs.slm;
  const Bytes max = slm_limit(kernel, device);
  if (slm.total > max) return "gives a " + device.terms.work_group + " at most " + amount(max);
  const auto allocated = device.slm.allocated(slm.total);
  if (!allocated) return "hands it out in sizes up to " + amount(device.slm.sizes.back());
  return "has " + amount(device.slm.pool(slm.carveout_percent, *allocated)) + " per " + device.terms.core;
}

void check_slm(const Kernel& kernel, const DeviceSpec& device, std::vector<Refusal>& found) {
  const Bytes reserve = device.slm.reserve;
  found.push_back({"slm_too_large", "slm",
                   "a " + device.terms.work_group + " asks for " + std::to_string(kernel.needs.slm.total.count) +
                       " B of " + device.terms.slm +
                       (reserve.count > 0 ? " and takes " + amount(reserve) + " of reserve" : "") + ", " + device.id +
                       " " + slm_limit_text(kernel, device)});
}

void check_barriers(const Kernel& kernel, const DeviceSpec& device, std::vector<Refusal>& found) {
  const std::uint32_t needed = kernel.needs.barriers.value_or(1);
  found.push_back({"too_many_barriers", kernel.needs.barriers ? "barriers" : "program",
                   "a " + device.terms.work_group + " needs " + counted(needed, "barrier") + ", each " +
                       device.terms.core + " of " + device.id + " has " +
                       std::to_string(device.barriers_per_core.value_or(0))});
}

/// Returns the first limit that the kernel's registers break, in words.
std::string register_limit_text(const Kernel& kernel, const DeviceSpec& device) {
  if (device.grf_per_context) return grf_refusal(kernel, device);
  const RegisterRule& rule = *device.registers;
  const std::uint64_t per_item = rule.per_lane(kernel.needs.registers, kernel.needs.accumulation_registers);
  if (rule.per_work_item && per_item > *rule.per_work_item)
    return "a work-item uses " + counted(per_item, "register") + ", " + device.id + " allows at most " +
           std::to_string(*rule.per_work_item);
  const std::uint64_t per_group = registers_per_work_group(kernel, device);
  if (rule.per_work_group && per_group > *rule.per_work_group)
    return "a " + device.terms.work_group + " takes " + counted(per_group, "register") + ", " + device.id +
           " allows at most " + std::to_string(*rule.per_work_group);
  return counted(kernel.threads_per_work_group(), "thread") + " of " +
         counted(registers_per_thread(kernel, device), "register") + " each do not fit into the " +
         counted(device.engines_per_core, "file") + " of " + std::to_string(rule.per_engine);
}

void check_resource(Resource resource, const Kernel& kernel, const DeviceSpec& device, std::vector<Refusal>& found) {
  switch (resource) {
    case Resource::slm: check_slm(kernel, device, found); return;
    case Resource::barriers: check_barriers(kernel, device, found); return;
    case Resource::registers:
      found.push_back({"too_many_registers", "registers", register_limit_text(kernel, device)});
      return;
    case Resource::scalar_registers:
      found.push_back({"too_many_scalar_registers", "scalar_registers",
                       "the threads of a work-group take more scalar registers than the files of a core have"});
      return;
    case Resource::threads:
    case Resource::work_group_slots: return;  // reported by check_size; a core has at least one slot
  }
}

}  // namespace

namespace {

/// `1000000 is not a multiple of local 256; round it up to 1000192, and let the work-items behind the end return`.
std::string words_for_rest(std::uint64_t global, std::uint64_t local) {
  std::string text = std::to_string(global) + " is not a multiple of local " + std::to_string(local);
  std::uint64_t rounded = 0;
  if (!__builtin_add_overflow(global, local - global % local, &rounded))
    text += "; round it up to " + std::to_string(rounded) + ", and let the work-items behind the end return";
  return text;
}

}  // namespace

std::vector<Refusal> edge_refusals(const Kernel& kernel) {
  std::vector<Refusal> found;
  if (kernel.edge_groups == EdgeGroups::smaller) return found;
  const NdRange& range = kernel.range;
  for (std::size_t d = 0; d < range.global.size(); ++d)
    if (range.global[d] % range.local[d] != 0)
      found.push_back({"global_not_a_multiple", "global", words_for_rest(range.global[d], range.local[d])});
  return found;
}

std::vector<Refusal> core_refusals(const Kernel& kernel, const DeviceSpec& device) {
  std::vector<Refusal> found;
  check_sub_group(kernel, device, found);
  if (kernel.needs.grf == GrfMode::large && !device.large_grf_contexts)
    found.push_back({lacks(device, capabilities::kLargeGrf.key) ? "unsupported_large_grf" : "not_known", "large_grf",
                     why_missing(device, capabilities::kLargeGrf)});
  if (check_size(kernel, device, found)) {
    const ResourceLimits limits = limits_of(kernel, device);
    for (std::size_t i = 0; i < kResourceCount; ++i)
      if (limits.work_groups[i] == 0U) check_resource(static_cast<Resource>(i), kernel, device, found);
  }
  if (found.empty()) found = cluster_refusals(kernel, device);
  return found;
}

std::vector<Refusal> refusals(const Kernel& kernel, const DeviceSpec& device) {
  std::vector<Refusal> found = edge_refusals(kernel);
  for (Refusal& refusal : cluster_shape_refusals(kernel)) found.push_back(std::move(refusal));
  for (Refusal& refusal : core_refusals(kernel, device)) found.push_back(std::move(refusal));
  return found;
}

}  // namespace gdsim
