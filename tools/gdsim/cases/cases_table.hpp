#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/record/run_record.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// The cases of a scenario side by side, one row each.
class CasesTable {
 public:
  /// `answer` is that of the run of one device.
  void add(const ScenarioCase& one, const RunRecord& record, const std::optional<Answer>& answer = {});
  /// A case that the device refuses.
  void add_refused(const ScenarioCase& one);
  std::size_t size() const { return rows_.size(); }

  /// For a person.
  std::string text() const;
  /// `cases.csv`: the case, a column per value set, duration, occupancies, outcome.
  void write_csv(Sink& sink) const;
  /// `summary.json` of the folder that holds the cases: their names, and the files beside it.
  void write_summary(const std::string& title, const FolderFacts& folder, Sink& sink) const;

 private:
  struct Figures {
    std::optional<Duration> duration;  ///< nullopt: the program of a kernel is a placeholder
    Ratio peak_occupancy;              ///< percent
    Ratio mean_occupancy;              ///< percent
    std::string phases;                ///< threads, for a person
    std::string_view finding;          ///< its kind; `-`: not known
  };
  struct Row {
    std::string name;
    std::vector<std::pair<std::string, std::string>> values_set;
    std::string outcome;             ///< `completed`, `stalled`, `interrupted`, `refused: slm_too_large`
    std::optional<Figures> figures;  ///< nullopt for a refused case
  };

  std::vector<std::string> paths() const;

  std::vector<Row> rows_;
};

}  // namespace gdsim::cli
