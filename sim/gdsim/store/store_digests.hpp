#pragma once

#include <gdsim/points/point_result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

struct StoredStudy;

// By which a store sees that what it reads is what was written. A digest speaks for a whole row, and for what the row
// belongs to. It protects against damage, not against deception. Thread-safe.

/// Of a result: of which scenario, models and program (`content`), at which point.
std::string result_digest(std::string_view content, std::string_view point, const PointResult& result);

/// Of the fact that a study has the result of `point` under this number.
std::string point_digest(std::string_view study, std::uint64_t ordinal, std::string_view point);

/// Of all that is stored about a study beside its points.
std::string study_digest(const StoredStudy& study);

/// As many digits as a double has.
std::string exact_text(double value);

}  // namespace gdsim
