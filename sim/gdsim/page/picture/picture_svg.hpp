#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/sink.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Writes the simulated run as a picture, with the measured occupancy as a dashed line over the device.
void write_comparison_svg(const RunView& view, const MeasuredOccupancy& measured, Sink& sink);

/// Additional shapes over the device, in the units of its plot, and their legend.
struct PictureOverlay {
  std::string shapes;
  std::string legend;
};

/// Writes a run as one SVG: the device over time with its phases, and its cores as lanes or as a heat map. For
/// documents: light or dark as the reader prefers, readable without colours.
void write_picture_svg(const RunView& view, Sink& sink, const PictureOverlay& overlay = {});

/// One of several runs in a picture.
struct PicturePanel {
  std::string name;
  RunView view;
};

/// Writes devices that ran together as one SVG: each as above, one below the other, on one time axis.
void write_panels_svg(const std::string& title, std::vector<PicturePanel> panels, Sink& sink);

}  // namespace gdsim
