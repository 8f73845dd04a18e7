#include "mutations.hpp"

#include "words.hpp"
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <utility>

namespace gdsim::fuzz {
namespace {

constexpr std::size_t kMaxChanges = 4;  // of one input
constexpr std::size_t kMaxPiece = 80;   // bytes

}  // namespace

Mutations::Mutations(std::vector<std::string> inputs, std::uint64_t seed) : inputs_(std::move(inputs)), random_(seed) {
  for (const std::string& word : words()) words_.push_back(word);
}

std::string Mutations::next() {
  std::string text = inputs_[draw(inputs_.size())];
  for (std::size_t changes = 1 + draw(kMaxChanges); changes > 0; --changes) change(text);
  if (text.size() > kMaxBytes) text.resize(kMaxBytes);
  return text;
}

std::string Mutations::piece_of(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text.substr(draw(text.size()), 1 + draw(kMaxPiece)));
}

void Mutations::change(std::string& text) {
  const std::size_t at = draw(text.size() + 1);
  switch (draw(6)) {
    case 0: text.erase(at, 1 + draw(kMaxPiece)); return;
    case 1: text.insert(at, piece_of(text)); return;
    case 2: text.insert(at, piece_of(inputs_[draw(inputs_.size())])); return;
    case 3: text.insert(at, words_[draw(words_.size())]); return;
    case 4:
      if (at < text.size()) text[at] = static_cast<char>(draw(256));
      return;
    default: {  // another number in the place of the next one
      const auto begin = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_digit);
      const auto end = std::find_if_not(begin, text.end(), is_digit);
      const unsigned bits = 1 + static_cast<unsigned>(draw(64));
      text.replace(begin, end, std::to_string(random_() >> (64 - bits)));
      return;
    }
  }
}

}  // namespace gdsim::fuzz
