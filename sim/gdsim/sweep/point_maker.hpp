#pragma once

#include <gdsim/points/point_space.hpp>
#include <gdsim/scenario/cases/scenario_template.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Makes the scenario of each point of a study. The scenario file is read once, the models once per thread.
class PointMaker {
 public:
  /// `given_text` is the scenario if it is in no file; `file` is then its name. Throws InputError if the file cannot be
  /// read, or if an axis names a key that cannot be set. `read` must outlive this.
  PointMaker(const std::filesystem::path& file, const std::optional<std::string>& given_text, const ReadOptions& read,
             const std::vector<Axis>& axes);

  /// Throws InputError if an axis names a key that no scenario has, independently of its values.
  void require_known_keys();
  /// Makes the scenario of a point. Throws InputError if it cannot be read or its device refuses it. Thread-safe.
  Scenario make(const PointSpace& space, std::uint64_t ordinal);
  /// Returns the scenario with its own values.
  Scenario make_own();
  /// Returns the text that determines the results of a point, besides its scenario: it does not depend on the names of
  /// axes.
  std::string point_text(const PointSpace& space, std::uint64_t ordinal) const;

  /// Returns the title; a text for people if the scenario has none.
  std::string title() { return pool_.title(); }
  /// Returns the names for conditions besides the axes: the parameters.
  std::vector<std::pair<std::string, double>> constants();
  /// Returns the index of the scenario's own value, by axis; nullopt if an axis does not have it.
  std::vector<std::optional<std::size_t>> own_values();
  /// Returns the words of the vendor of the scenario's device; if an axis chooses the device, those of no vendor.
  Terms words();
  /// Returns a hash of all files that were read: the scenario, its overrides and the models that it or an axis names.
  std::string content_hash(const std::string& program);
  /// Returns every file that was read so far. Thread-safe.
  const FileRegister& inputs() const { return pool_.inputs(); }

 private:
  TemplatePool pool_;
  std::vector<std::vector<ScenarioValue>> values_;  ///< by axis
  std::vector<std::size_t> path_order_;             ///< axes by their full paths
};

}  // namespace gdsim
