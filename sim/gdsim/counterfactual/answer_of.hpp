#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/scenario.hpp>

#include <cstdint>

namespace gdsim {

/// Whether values that the model assumes are tried with others.
enum class Alternatives : std::uint8_t { not_tried, tried };

/// Returns what decides the duration of a completed run of one device: of findings_of(), the first that a run without
/// its cause confirms, by at least 2 % of the duration; and the values of the model that are assumed, with which the
/// duration differs by more than 2 %. If one of them decides more than a fifth, the finding is that assumption, unless
/// the run is at a peak. Of more than 200,000 work-groups, nothing is run again, and no limiter is named; of more than
/// 50,000, no other value is tried.
Answer answer_of(const Scenario& scenario, const RunReport& report, const RunOptions& options,
                 Alternatives alternatives = Alternatives::tried);

}  // namespace gdsim
