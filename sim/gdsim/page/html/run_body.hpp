#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// Returns true if the run took time: only then its page has scripts.
bool has_scripts(const RunView& view);

/// All that a page shows of a run, from its header to the data of its script. `rest` is the size in bytes of the other
/// parts of the page: the number of listed launches is limited so that the page does not grow too large.
std::string run_body(const RunView& view, std::size_t rest);

}  // namespace gdsim
