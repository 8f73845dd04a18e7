#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/ptx/trip_line.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gdsim {

/// What trip counts follow from, by loop.
struct LoopTrips {
  std::map<std::uint32_t, TripExpression> expressions;
  std::map<std::uint32_t, std::string> fixed;  ///< why there is a number instead, where an argument changes it
  std::vector<std::string> notes;
};

/// Trip counts as expressions of one argument each. The first work-group is executed with a quarter, a half, twice of
/// each argument, its neighbours and an odd value: a loop that one argument alone changes gets the expression that
/// gives all counts, and those on both sides of the next values at which it steps. `log`: with arguments as given.
LoopTrips trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch, const BlockLog& log,
                           const SourceText& source);

}  // namespace gdsim
