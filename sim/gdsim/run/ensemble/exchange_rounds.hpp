#pragma once

#include <gdsim/run/ensemble/link_transfers.hpp>
#include <gdsim/workload/workload.hpp>

#include <vector>

// Rule, to the picosecond: collectives.
//
// A collective is a launch on each of its devices. Each of these launches holds its cores until the exchange has ended.
// The exchange begins once all threads of all of them are resident. It goes in rounds; a round begins when the last
// transfer of the previous round has ended. In a ring of N devices, each device sends bytes / N, rounded up, to the
// next device in every round: N - 1 rounds for reduce_scatter and for all_gather, 2 (N - 1) for all_reduce. In a binary
// tree, device i of the list has i's children 2i + 1 and 2i + 2: for broadcast, all bytes go down level by level from
// the first device; for all_reduce, they go up level by level before. The work of reducing takes no time of its own;
// after the exchange, each thread ends after one cycle of its device's clock. Chunks of one round do not overlap those
// of the next, so that latency counts in full in every round.

namespace gdsim {

using ExchangeRound = std::vector<LinkTransfers::Transfer>;

/// Returns the rounds of a collective, with `of` = 0 in each transfer; empty for a collective of one device.
std::vector<ExchangeRound> exchange_rounds(const Collective& collective);

}  // namespace gdsim
