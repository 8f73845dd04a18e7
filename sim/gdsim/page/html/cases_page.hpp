#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/run_body.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

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
