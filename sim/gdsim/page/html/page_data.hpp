#pragma once

#include <gdsim/analysis/run_view.hpp>

#include <string>

namespace gdsim {

/// The data of a page's plots as JSON for its script: exact rows as in the CSV files, or bins if there are too many
/// rows. Safe inside a `<script>` element.
std::string page_data(const RunView& view);

}  // namespace gdsim
