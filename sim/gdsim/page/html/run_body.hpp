#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/launch_data.hpp>

#include <cstddef>
#include <string>

namespace gdsim {

/// Returns true if the run took time: only then its page has scripts.
bool has_scripts(const RunView& view);

/// What a page shows of a run, as far as it differs between one device and several.
struct BodyParts {
  std::string pictures;  ///< below the launches
  std::string tables;    ///< of what the pictures show
  LaunchLanes lanes;
  std::string data;  ///< members of the page's data, each with a comma before it
};
std::string body_of(const RunView& view, const BodyParts& parts, std::size_t rest);

/// All that a page shows of a run, from its header to the data of its script. `rest` is the size in bytes of the other
/// parts of the page: the number of listed launches is limited so that the page does not grow too large.
std::string run_body(const RunView& view, std::size_t rest);

}  // namespace gdsim
