#include <gdsim/dispatch/admission.hpp>
#include <gdsim/dispatch/dispatcher.hpp>
#include <gdsim/dispatch/shortage.hpp>

// What a dispatcher answers when a run has stalled.

namespace gdsim {

std::optional<WaitReason> Dispatcher::obstacle(LaunchId launch, const Footprint& footprint, CoreId core) const {
  const Core& place = bank_.cores[index_of(core)];
  if (partials_[index_of(core)]) return WaitReason::contexts;
  if (const auto bar = claims_.bar(core, place, launch, footprint)) return bar;
  const Admission admission = admission_for(kernel_of(launch), rules_.admission);
  if (admits(admission, place, footprint)) return std::nullopt;
  return shortage(place, footprint, admission);
}

}  // namespace gdsim
