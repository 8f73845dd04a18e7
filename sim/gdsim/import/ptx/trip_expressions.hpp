#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>

namespace gdsim {

/// Trip counts as expressions of one argument each: the first work-group is executed with the argument as given, with
/// half and with a quarter of it; a count that goes on a line through all three follows from it. Arguments that are no
/// multiple of 4 are left out.
std::map<std::uint32_t, TripExpression> trip_expressions(const PtxKernel& kernel, const PtxLaunch& launch,
                                                         const BlockLog& log, const SourceText& source);

}  // namespace gdsim
