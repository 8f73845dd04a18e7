#pragma once

#include <gdsim/points/point_result.hpp>

#include <cstdint>
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

struct StoredStudy;

// Digests by which a store checks that its data are unchanged. A digest covers a whole row, and the owner of the row.
// It protects against damage, not against manipulation. Thread-safe.

/// Returns the digest of a result of a scenario with its models and program (`content`), at a point.
std::string result_digest(std::string_view content, std::string_view point, const PointResult& result);

/// Returns the digest of a study's reference, under this number, to the result of `point`.
std::string point_digest(std::string_view study, std::uint64_t ordinal, std::string_view point);

/// Returns the digest of all data of a study besides its points.
std::string study_digest(const StoredStudy& study);

/// Returns the value with all digits of a double.
std::string exact_text(double value);

}  // namespace gdsim
