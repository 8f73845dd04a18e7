#pragma once

#include <gdsim/yaml/yaml_node.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gdsim {

/// A word of SYCL, CUDA, HIP, OpenCL or VTune for one of gdsim's keys.
struct Synonym {
  std::string_view word;     ///< in small letters, without `-` and `_`: `blockdim`
  std::string_view key;      ///< gdsim's: `local`
  std::string_view meaning;  ///< of gdsim's key
  std::string_view example;  ///< a value of gdsim's key
  bool keeps_value = true;   ///< the value that was written for the word is valid for gdsim's key, too
};

/// Returns the word in small letters, without `-` and `_`.
std::string plain_word(std::string_view word);

/// Returns the row of the word, in whatever letters, with `-`, `_` or neither; null if it is none that gdsim knows.
const Synonym* synonym_of(std::string_view word);

/// Returns `[16, 16]` for sizes as other ecosystems write them: `16x16`, `16,16`, `(16, 16)`. Empty for any other text.
std::string list_of_sizes(std::string_view text);

/// Returns the hint for a key that is another ecosystem's word: ` gdsim's key is `local`, work-items of a block:
/// `local: 256``, with the written value if that is valid there. Empty if the key is no such word, or if gdsim's key is
/// not in `known`. `mapping` contains the key. `lacking` is a key of gdsim of which the device has nothing.
std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known,
                             std::string_view lacking);

}  // namespace gdsim
