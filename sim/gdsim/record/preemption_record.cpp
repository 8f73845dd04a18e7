#include <gdsim/record/preemption_record.hpp>

#include <array>

namespace gdsim {

std::string_view name_of(DeviceUse use) {
  constexpr std::array<std::string_view, kDeviceUseCount> names{"running", "draining", "saving", "restoring",
                                                                "waiting"};
  return names[static_cast<std::size_t>(use)];
}

}  // namespace gdsim
