#include <gdsim/report/phase_label.hpp>

#include <gdsim/report/number_format.hpp>

namespace gdsim {

std::string phase_label(const PhaseRow& phase, const RunView& view) {
  return std::to_string(phase.threads) + " " + view.terms.thread + (phase.threads == 1 ? " · " : "s · ") +
         occupancy_text(phase.threads, view);
}

std::string occupancy_text(std::uint64_t threads, const RunView& view) {
  return to_fixed(percent_of(threads, view.contexts_total), 1) + " %";
}

}  // namespace gdsim
