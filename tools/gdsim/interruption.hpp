#pragma once

#include <atomic>

namespace gdsim::cli {

/// From now on, the first SIGINT or SIGTERM asks runs to end at the next instant, with all their files. One that
/// comes half a second later or more ends the program at once. Returns what the first sets.
const std::atomic<bool>& watch_for_interruption();

}  // namespace gdsim::cli
