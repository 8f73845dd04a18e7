#pragma once

#include <string>

namespace gdsim::testing {

/// Returns the difference between `found` and the approved text tests/golden/NAME; empty if they are equal. With
/// GDSIM_APPROVE=1 in the environment, `found` becomes the approved text: see tools/approve.
std::string difference_to_golden(const std::string& name, const std::string& found);

/// difference_to_golden() for an approved file anywhere in the tree, by its path from the top.
std::string difference_to_approved(const std::string& path, const std::string& found);

/// Returns a page without the hashes in its content security policy, which depend on the embedded contents.
std::string without_hashes(const std::string& page);

}  // namespace gdsim::testing
