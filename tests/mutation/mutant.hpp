#pragma once

// Put before every source of a copy of the tree in which mutants were planted (mutants.py): each mutant is an
// expression that asks whether it is the one that is switched on.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace gdsim_mutation {

constexpr int kMaxMutants = 1'024;

/// GDSIM_MUTANT: the mutant that is on; 0 if none is.
inline int active() {
  static const int number = [] {
    const char* text = std::getenv("GDSIM_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return number;
}

/// Writes the mutants that were reached into the file GDSIM_MUTANTS_REACHED, behind what is there.
class Reached {
 public:
  ~Reached() {
    const char* name = std::getenv("GDSIM_MUTANTS_REACHED");
    std::FILE* file = name == nullptr ? nullptr : std::fopen(name, "a");
    if (file == nullptr) return;
    for (int i = 0; i < kMaxMutants; ++i)
      if (numbers_[static_cast<std::size_t>(i)]) std::fprintf(file, "%d\n", i);
    std::fclose(file);
  }
  void note(int number) { numbers_[static_cast<std::size_t>(number)] = true; }

 private:
  std::array<bool, kMaxMutants> numbers_{};
};

inline bool is_on(int number) {
  static const bool is_recording = std::getenv("GDSIM_MUTANTS_REACHED") != nullptr;
  if (is_recording) {
    static Reached reached;
    reached.note(number);
  }
  return active() == number;
}

}  // namespace gdsim_mutation

/// Never on where the compiler computes.
constexpr bool gdsim_mutant(int number) { return !std::is_constant_evaluated() && gdsim_mutation::is_on(number); }
