#pragma once

#include <gdsim/base/read_budget.hpp>
#include <gdsim/import/byte_view.hpp>

#include <string>
#include <vector>

namespace gdsim {

inline constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";
/// The same for compressed bundles.
inline constexpr std::string_view kPackedBundleMagic = "CCOB";

/// One entry of a bundle that clang made.
struct BundleEntry {
  std::string target;  ///< `hipv4-amdgcn-amd-amdhsa--gfx90a`
  ByteView content;
};

/// The entries that are not empty of one bundle, or of several, one after the other. Throws InputError.
std::vector<BundleEntry> read_bundles(const ByteView& bytes);

/// The contents of compressed bundles, one after the other, each of which is a bundle. Throws InputError.
std::vector<std::string> unpacked_bundles(const ByteView& bytes, ReadBudget& budget);

}  // namespace gdsim
