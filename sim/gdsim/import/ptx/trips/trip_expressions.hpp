#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/trips/trip_line.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// The origin of trip counts, by loop.
struct LoopTrips {
  std::map<std::uint32_t, TripExpression> expressions;
  std::map<std::uint32_t, std::string> fixed;  ///< why the count is a number, although an argument changes it
  std::vector<std::string> notes;
};

/// Trip counts as expressions of one argument each. The first work-group is executed with a quarter, a half and twice
/// of each argument, its neighbours and an odd value. A loop that only one argument changes gets the expression that
/// gives all counts, and those on both sides of the next values at which it steps. `log` has the arguments as given.
LoopTrips trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log,
                           const SourceText& source);

}  // namespace gdsim
