#pragma once

#include <string>
#include <vector>

namespace gdsim {

/// Notes of several cases, or devices, each once. Some, as those about the clocks of a run, say of which cases they
/// are.
class CaseNotes {
 public:
  /// `named`: those of `notes` that say of which cases they are.
  void add(const std::string& name, const std::vector<std::string>& notes, const std::vector<std::string>& named);

  /// In the order in which they were first added. Notes that all cases have do not name them.
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
