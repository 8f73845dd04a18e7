#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/html/served_page.hpp>
#include <gdsim/report/sink.hpp>

namespace gdsim {

/// Writes a run as one self-contained HTML page: pictures as SVG, tables, the scenario; with JavaScript, zoom and exact
/// values under the pointer. The page makes no network requests and forbids them. A `served` page may send requests to
/// its server only.
void write_html_report(const RunView& view, Sink& sink, const ServedPage* served = nullptr);

}  // namespace gdsim
