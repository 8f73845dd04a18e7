#pragma once

#include <string>
#include <vector>

namespace gdsim {

/// The notes of several cases, or devices, without duplicates. Some, as those about the clocks of a run, name their
/// cases.
class CaseNotes {
 public:
  /// `named`: the notes in `notes` that name their cases.
  void add(const std::string& name, const std::vector<std::string>& notes, const std::vector<std::string>& named);

  /// Returns the notes in the order in which they were first added. A note that all cases have does not name them.
  std::vector<std::string> texts() const;

 private:
  struct Note {
    std::string text;
    bool is_named = false;
    std::vector<std::string> names;
  };
  std::vector<Note> notes_;
  std::size_t cases_ = 0;
};

}  // namespace gdsim
