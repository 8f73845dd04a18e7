#pragma once

#include <gdsim/report/format_catalog.hpp>

#include <string>

namespace gdsim::cli {

/// The format that `--print NAME` names. Throws UsageError if there is none.
Format printed_format(const std::string& name);

}  // namespace gdsim::cli
