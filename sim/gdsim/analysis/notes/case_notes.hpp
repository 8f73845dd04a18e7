#pragma once

#include <string>
#include <vector>

namespace gdsim {

/// Notes of several cases, each once. One about the clocks of a run says of which cases it is.
class CaseNotes {
 public:
  /// `on_clocks`: those of `notes` that are about the clocks of the run.
  void add(const std::string& name, const std::vector<std::string>& notes, const std::vector<std::string>& on_clocks);

  /// In the order in which they were first added. Notes that all cases have do not name them.
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
