#include <gdsim/report/phase_label.hpp>

#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

namespace gdsim {

std::string phase_threads_text(const Phase& phase, std::string_view dash) {
  if (phase.kind == PhaseKind::constant) return std::to_string(phase.resident);
  return fmt::format("{}{}{}", phase.min_resident, dash, phase.max_resident);
}

std::string phase_label(const Phase& phase, const RunView& view) {
  const std::string kind = phase.kind == PhaseKind::constant ? "" : std::string(name_of(phase.kind)) + " ";
  return kind + phase_threads_text(phase) + " " + view.terms.thread +
         (phase_threads_text(phase) == "1" ? " · " : "s · ") +
         to_fixed(phase.occupancy_percent(view.record.contexts_total), 1) + " %";
}

std::string occupancy_text(std::uint64_t threads, const RunView& view) {
  return to_fixed(percent_of(threads, view.record.contexts_total), 1) + " %";
}

}  // namespace gdsim
