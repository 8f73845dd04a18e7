#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::fuzz {

/// Inputs made of others by small changes, without regard to what they reach: pieces left out, repeated, moved or taken
/// from another input, words and numbers put in, bytes changed. The same seed gives the same inputs on every machine.
class Mutations {
 public:
  /// `inputs` is not empty.
  Mutations(std::vector<std::string> inputs, std::uint64_t seed);

  /// At most kMaxBytes.
  std::string next();

  static constexpr std::size_t kMaxBytes = 3'000;

 private:
  /// Below `bound`, which is not 0.
  std::size_t draw(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  std::string piece_of(std::string_view text);
  void change(std::string& text);

  std::vector<std::string> inputs_;
  std::vector<std::string> words_;
  std::mt19937_64 random_;
};

}  // namespace gdsim::fuzz
