#pragma once

#include <gdsim/base/decimal.hpp>

#include <string>

namespace gdsim {

/// `97.2 %`.
inline std::string percent_text(Ratio share) { return to_fixed({share.numerator * 100, share.denominator}, 1) + " %"; }

}  // namespace gdsim
