#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Hashes texts to a short text, which is equal for equal texts and different for others: SHA-1, as a UUID of version
/// 5.
class ContentHash {
 public:
  ContentHash& add(std::string_view text);
  std::string finish() const;

 private:
  std::string gathered_;
};

}  // namespace gdsim
