#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/html/served_page.hpp>
#include <gdsim/report/sink.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Several runs, such as those of a scenario's cases, on one page: a table of all, and one of them in full, which is
/// chosen by its name. Without JavaScript, that is the first. A case whose body does not fit into kMaxCasesPage is
/// listed only in the table; a note reports how many.
class CasesPage {
 public:
  explicit CasesPage(std::string title) : title_(std::move(title)) {}

  void add(const std::string& name, const RunView& view);
  /// A case that the device refuses, and why.
  void add_refused(const std::string& name, const std::string& why);
  /// `served`: as write_html_report().
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
    std::optional<Figures> figures;  ///< nothing: it was refused
    std::string body;                ///< run_body(); empty: left out
  };

  std::string table() const;
  std::string bodies() const;

  std::string title_;
  std::vector<Row> rows_;
  std::size_t bytes_ = 0;  ///< of all bodies
  std::size_t left_out_ = 0;
  bool has_scripts_ = false;  ///< a case has data for scripts
};

/// Bytes of all bodies together. Only the body of the first row may exceed it.
inline constexpr std::size_t kMaxCasesPage = 6'000'000;

}  // namespace gdsim
