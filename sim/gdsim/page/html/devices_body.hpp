#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/run_view.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

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
