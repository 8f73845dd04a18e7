#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/page_data.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Returns true if the run took time: only then its page has scripts.
bool has_scripts(const RunView& view);

/// What a page shows of a run, as far as it differs between one device and several.
struct BodyParts {
  std::string pictures;  ///< below the launches
  std::string tables;    ///< of what the pictures show
  LaunchLanes lanes;
};
std::string body_of(const RunView& view, const BodyParts& parts, std::size_t rest);

/// All that a page shows of a run, from its header to the data of its script. `rest` is the size in bytes of the other
/// parts of the page: the number of listed launches is limited so that the page does not grow too large.
std::string run_body(const RunView& view, std::size_t rest);

/// Several devices that ran together, for one page with one axis of time. Everything referred to must outlive it.
struct DevicesOnPage {
  std::string title;
  std::span<const std::pair<std::string, RunView>> devices;  ///< by name
  const RunRecord& all;                                      ///< of all devices
  std::span<const DeviceSummary> summaries;                  ///< by device
  std::vector<std::vector<LaunchId>> collectives;            ///< the launches of each
  std::vector<std::string> pages;                            ///< by device, the name of the case that shows it alone
};

/// The content of such a page, from `<header>` to the data of its script: all launches in lanes by device, what each
/// device holds, a table of devices with their links and waits, and the scenario. `rest` as in run_body().
std::string devices_body(const DevicesOnPage& page, std::size_t rest);

}  // namespace gdsim
