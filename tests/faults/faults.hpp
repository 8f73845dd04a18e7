#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gdsim::testing {

/// A folder before a fault, and what may be there after it.
struct FaultJob {
  std::function<void(const std::filesystem::path&)> prepare;                    ///< what is there before
  std::function<std::vector<std::string>(const std::filesystem::path&)> words;  ///< the command
  std::function<void(const std::filesystem::path&, const Ran&)> check;          ///< old or new is whole
  std::function<void(const std::filesystem::path&)> check_repeated;             ///< after it ran again, undisturbed
};

/// Runs the job once for each call that changes files and each way in which it may go wrong, and once again after each
/// that killed it, and every eighth other.
/// Returns how many faults were injected.
std::size_t inject_everywhere(const FaultJob& job);

}  // namespace gdsim::testing
