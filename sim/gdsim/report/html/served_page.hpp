#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A page that a server gives out and replaces as its scenario changes. Its script requests `changes`: it
/// loads the page anew once there is one of another number, and shows meanwhile what is wrong with the scenario.
struct ServedPage {
  std::uint64_t number = 0;  ///< of the pages of one server, from 1; 0: there was none yet
};

/// `<body>` of such a page, and the empty place of its notice, which nothing that a user wrote precedes but the title.
std::string served_body(const ServedPage& page);

/// A page that begins with served_body(), with a notice in its place, escaped: what is wrong with the scenario.
std::string with_notice(std::string page, std::string_view notice);

/// What is served before the first run has ended. It has served_body(), too.
std::string page_before_first_run(std::string_view title);

}  // namespace gdsim
