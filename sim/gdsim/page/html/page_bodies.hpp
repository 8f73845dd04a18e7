#pragma once

#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/page_data.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
std::string body_of(const RunView& view, const BodyParts& parts, std::size_t bytes_left);

/// All that a page shows of a run, from its header to the data of its script. `rest` is the size in bytes of the other
/// parts of the page: the number of listed launches is limited so that the page does not grow too large.
std::string run_body(const RunView& view, std::size_t bytes_left);

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
std::string devices_body(const DevicesOnPage& page, std::size_t bytes_left);

/// Several runs on one page, such as those of a scenario's cases: a table of all, and one run in full, chosen by its
/// name. Without JavaScript the first is shown. If a case's body does not fit into kMaxCasesPage, only the table lists
/// the case; a note gives the number of such cases.
class CasesPage {
 public:
  explicit CasesPage(std::string title) : title_(std::move(title)) {}

  void add(const std::string& name, const RunView& view);
  /// Adds several devices that ran together as one case, `all devices` if it has no name, and then each device alone,
  /// which only its table links to.
  void add_devices(const std::string& name, DevicesOnPage devices);
  /// Adds a case that the device refuses, and why.
  void add_refused(const std::string& name, const std::string& why);
  /// `served` is as in write_html_report().
  void write(Sink& sink, const ServedPage* served = nullptr) const;

 private:
  struct Figures {
    Duration duration;
    Ratio peak_occupancy;  ///< percent
    Ratio mean_occupancy;  ///< percent
  };
  struct Row {
    std::string name;
    std::string outcome;
    std::optional<Figures> figures;  ///< nullopt: it was refused
    std::string body;                ///< run_body(); empty: left out
    bool is_listed = true;           ///< in the table
  };

  void add(Row row, const RunRecord& record, std::string body, bool has_scripts);

  std::string unused_name(const std::string& wanted, const std::vector<std::string>& more) const;
  /// Returns true for each row whose body is on the page. What is not listed takes what room is left.
  std::vector<bool> fitting_rows() const;
  std::string table(const std::vector<bool>& fits) const;
  std::string bodies(const std::vector<bool>& fits) const;

  std::string title_;
  std::vector<Row> rows_;
  std::size_t bytes_ = 0;  ///< of the bodies of listed rows
  std::size_t left_out_ = 0;
  bool has_scripts_ = false;  ///< a case has data for scripts
};

/// Bytes of all bodies on the page together. Only the body of the first row may exceed it.
inline constexpr std::size_t kMaxCasesPage = 6'000'000;

/// The address of a case on its page, `#case=NAME`, as the script of pages of several cases reads it.
std::string case_address(std::string_view name);

}  // namespace gdsim
