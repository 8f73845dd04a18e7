#include <gdsim/scenario/workload/read_l1_accesses.hpp>

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <string>

namespace gdsim {
namespace {

void read_access(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values) {
  const MapReader map(node, "l1", keys::kL1Access, values);
  if (!map.is_usable()) return;
  L1Access access;
  const std::size_t before = values.problems().size();
  map.read_required("source_line", access.source_line, &ValueReader::whole32, 1U);
  map.read("instruction", access.instruction, &ValueReader::text);
  map.read("requests", access.requests, &ValueReader::whole, 1U, kMaxL1Lines);
  map.read_required("lines", access.lines, &ValueReader::whole, 1U, kMaxL1Lines);
  map.read("coalesced", access.coalesced, &ValueReader::whole, 1U, kMaxL1Lines);
  map.read("sectors", access.sectors, &ValueReader::whole, 0U, kMaxL1Lines);
  map.read("excess_sectors", access.excess_sectors, &ValueReader::whole, 0U, kMaxL1Lines);
  if (access.coalesced && *access.coalesced > access.lines && values.problems().size() == before)
    values.fail(*map.find("coalesced"), "coalesced",
                "is " + std::to_string(*access.coalesced) + ", more than the " + std::to_string(access.lines) +
                    " of `lines`; with neighbouring addresses an access occupies no more lines, as in `coalesced: " +
                    std::to_string(access.lines) + "`");
  if (values.problems().size() == before) accesses.push_back(std::move(access));
}

}  // namespace

void read_l1_accesses(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values) {
  if (!node.is_sequence()) {
    if (const auto lines = values.whole(node, "l1", 1U, kMaxL1Lines)) accesses.emplace_back().lines = *lines;
    return;
  }
  if (values.list(node, "l1") == nullptr) return;
  if (node.items.empty())
    values.fail(node, "l1", "is empty; a number of lines or an access is needed, as in `l1: 66`, or leave `l1` out");
  if (node.items.size() > kMaxL1Accesses)
    values.fail(node, "l1",
                "has " + std::to_string(node.items.size()) + " accesses; a step may have " +
                    std::to_string(kMaxL1Accesses) + ", or write their lines in all, as in `l1: 66`");
  for (const YamlNode& item : node.items) read_access(item, accesses, values);
}

}  // namespace gdsim
