#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A page that a server sends, and replaces when its scenario changes. Its script requests `changes`. It reloads the
/// page once there is a page with another number. Meanwhile it shows what is wrong with the scenario.
struct ServedPage {
  std::uint64_t number = 0;  ///< counts the pages of one server from 1; 0: no page yet
};

/// `<body>` of such a page, and the empty element of its notice. Only the title, of all users' text, precedes it.
std::string served_body(const ServedPage& page);

/// Puts a notice, escaped, into a page that begins with served_body(): what is wrong with the scenario.
std::string with_notice(std::string page, std::string_view notice);

/// The page before the first run has ended. It begins with served_body(), too.
std::string page_before_first_run(std::string_view title);

/// Writes a run as one self-contained HTML page: pictures as SVG, tables, the scenario; with JavaScript, zoom and exact
/// values under the pointer. The page makes no network requests and forbids them. A `served` page may send requests to
/// its server only.
void write_html_report(const RunView& view, Sink& sink, const ServedPage* served = nullptr);

}  // namespace gdsim
