#pragma once

#include <stop_token>

namespace gdsim::cli {

/// From now on, the first SIGINT or SIGTERM asks runs to end at the next instant, with all their files. One that
/// comes half a second later or more ends the program at once. Returns what the first requests. Called once, before any
/// other thread begins.
std::stop_token watch_for_interruption();

}  // namespace gdsim::cli
