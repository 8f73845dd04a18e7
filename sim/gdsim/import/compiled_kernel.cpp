#include <gdsim/import/compiled_kernel.hpp>

namespace gdsim {

std::string_view name_of(GpuVendor vendor) {
  switch (vendor) {
    case GpuVendor::nvidia: return "nvidia";
    case GpuVendor::amd: return "amd";
    case GpuVendor::intel: return "intel";
  }
  return {};
}

}  // namespace gdsim
