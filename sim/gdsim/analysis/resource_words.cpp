#include <gdsim/analysis/resource_words.hpp>

namespace gdsim {

std::string words_for(Resource resource, const Terms& terms) {
  switch (resource) {
    case Resource::threads: return terms.context + "s";
    case Resource::work_group_slots: return terms.work_group + " slots";
    case Resource::slm: return terms.slm;
    case Resource::barriers: return "barriers";
    case Resource::registers: return "registers";
    case Resource::scalar_registers: return "scalar registers";
  }
  return {};
}

}  // namespace gdsim
