#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// Returns what is wrong with the signals and flags of a program, with paths from `program` on: names whose signals
/// disagree on `initially`, and flags of the launch that no step signals.
Issues check_signals(const Program& program);

/// Returns why a load cannot serve so many work-groups.
std::string fault_of_multicast(std::uint64_t multicast, std::uint64_t cluster);

}  // namespace gdsim
