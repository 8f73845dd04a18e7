#include <gdsim/fit/resource.hpp>

namespace gdsim {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::threads: return "threads";
    case Resource::work_group_slots: return "work_group_slots";
    case Resource::slm: return "slm";
    case Resource::barriers: return "barriers";
    case Resource::registers: return "registers";
    case Resource::scalar_registers: return "scalar_registers";
  }
  return {};
}

}  // namespace gdsim
