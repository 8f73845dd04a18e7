#pragma once

#include <string>
#include <vector>

namespace gdsim {

/// The notes of several cases without duplicates. A note about the clocks of a run names its cases.
class CaseNotes {
 public:
  /// `on_clocks`: the notes in `notes` about the clocks of the run.
  void add(const std::string& name, const std::vector<std::string>& notes, const std::vector<std::string>& on_clocks);

  /// Returns the notes in the order in which they were first added. A note that all cases have does not name them.
  std::vector<std::string> texts() const;

 private:
  struct Note {
    std::string text;
    bool is_on_clocks = false;
    std::vector<std::string> names;
  };
  std::vector<Note> notes_;
  std::size_t cases_ = 0;
};

}  // namespace gdsim
