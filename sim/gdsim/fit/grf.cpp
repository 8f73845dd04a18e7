#include <gdsim/fit/grf.hpp>

#include <gdsim/base/counted.hpp>

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

}  // namespace gdsim
