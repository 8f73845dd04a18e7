#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// The run took time: its page has scripts.
bool has_scripts(const RunView& view);

/// All that a page shows of a run, from its header to the data of its script, if it has any. The page has `rest` bytes
/// besides: so many launches are listed that it does not become a burden.
std::string run_body(const RunView& view, std::size_t rest);

}  // namespace gdsim
