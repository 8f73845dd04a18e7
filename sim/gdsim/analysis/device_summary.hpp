#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// One of several devices that ran together, in one row.
struct DeviceSummary {
  std::string name;  ///< under `devices:`
  std::string model;
  std::uint64_t launches = 0;
  Duration busy;               ///< in which one of its launches was in flight
  Ratio mean_occupancy;        ///< percent of its contexts, over the time of all devices
  Duration waited_for_others;  ///< its parts of collectives were resident, and those of other devices were not yet
  Duration linked;             ///< data went over links to or from it
  UInt128 bytes_sent = 0;      ///< over links
  std::optional<Ratio> rate;   ///< percent of what its port could send in the time of all devices; nullopt: no link
  std::string finding;         ///< its first words; empty: none
};

/// `1.23 GB`; `-` if there are none.
std::string sent_words(UInt128 bytes);

/// Returns the rows as lines of a table for a terminal, with a header.
std::string device_table_text(std::span<const DeviceSummary> devices);

}  // namespace gdsim
