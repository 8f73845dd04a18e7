#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/launch_data.hpp>

#include <string>
#include <string_view>

namespace gdsim {

/// The data of a page's plots as JSON for its script: exact rows as in the CSV files, or bins if there are too many
/// rows. Safe inside a `<script>` element. `more` has further members, each with a comma before it.
std::string page_data(const RunView& view, const LaunchLanes& lanes, std::string_view more);

}  // namespace gdsim
