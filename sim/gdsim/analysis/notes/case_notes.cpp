#include <gdsim/analysis/notes/case_notes.hpp>

#include <algorithm>

namespace gdsim {

void CaseNotes::add(const std::string& name, const std::vector<std::string>& notes,
                    const std::vector<std::string>& named) {
  ++cases_;
  for (const std::string& text : notes) {
    auto found = std::find_if(notes_.begin(), notes_.end(), [&](const Note& note) { return note.text == text; });
    if (found == notes_.end()) {
      const bool is_named = std::find(named.begin(), named.end(), text) != named.end();
      found = notes_.insert(notes_.end(), Note{text, is_named, {}});
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
    const bool is_of_some = note.is_named && note.names.size() < cases_;
    texts.push_back(is_of_some ? names + ": " + note.text : note.text);
  }
  return texts;
}

}  // namespace gdsim
