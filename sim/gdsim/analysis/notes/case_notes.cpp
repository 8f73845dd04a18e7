#include <gdsim/analysis/notes/case_notes.hpp>

#include <algorithm>

namespace gdsim {

void CaseNotes::add(const std::string& name, const std::vector<std::string>& notes,
                    const std::vector<std::string>& on_clocks) {
  ++cases_;
  for (const std::string& text : notes) {
    auto found = std::find_if(notes_.begin(), notes_.end(), [&](const Note& note) { return note.text == text; });
    if (found == notes_.end()) {
      const bool is_on_clocks = std::find(on_clocks.begin(), on_clocks.end(), text) != on_clocks.end();
      found = notes_.insert(notes_.end(), Note{text, is_on_clocks, {}});
    }
    if (found->names.empty() || found->names.back() != name) found->names.push_back(name);
  }
}

std::vector<std::string> CaseNotes::texts() const {
  constexpr std::size_t max_named = 4;
  std::vector<std::string> texts;
  for (const Note& note : notes_) {
    std::string names;
    for (std::size_t i = 0; i < note.names.size() && i < max_named; ++i)
      names += (names.empty() ? "" : ", ") + note.names[i];
    if (note.names.size() > max_named) names += " and " + std::to_string(note.names.size() - max_named) + " more";
    const bool is_named = note.is_on_clocks && note.names.size() < cases_;
    texts.push_back(is_named ? names + ": " + note.text : note.text);
  }
  return texts;
}

}  // namespace gdsim
