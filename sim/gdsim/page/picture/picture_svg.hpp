#pragma once

#include <gdsim/analysis/comparison.hpp>
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/report/sink.hpp>

#include <cstdint>
#include <string>
#include <string_view>
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
/// documents: light or dark as the reader prefers, readable without colors.
void write_picture_svg(const RunView& view, Sink& sink, const PictureOverlay& overlay = {});

/// One of several runs in a picture.
struct PicturePanel {
  std::string name;
  RunView view;
};

/// Writes devices that ran together as one SVG: each as above, one below the other, on one time axis.
void write_panels_svg(const std::string& title, std::vector<PicturePanel> panels, Sink& sink);

/// One SVG of a fixed width that grows downwards: stretched plots with labels around them that are not stretched.
class PictureFrame {
 public:
  static constexpr std::uint64_t kWidth = 880;
  static constexpr std::uint64_t kLeft = 92;
  static constexpr std::uint64_t kPlotPixels = 720;

  /// The position of a unit of the time axis, in pixels.
  static std::uint64_t pixel_of(std::uint64_t unit) { return kLeft + unit * kPlotPixels / kPlotWidth; }

  /// Adds a plot of `pixels` height at the current place, without its first `cut` units, and moves below it.
  void plot(std::string_view shapes, std::uint64_t height, std::uint64_t pixels, std::uint64_t cut = 0);
  void text(std::uint64_t x, std::uint64_t y, std::string_view anchor, std::string_view words);
  /// Adds the sample for class `name` with its explanation as the next entry of the legend at the current place. Moves
  /// down when a line is full.
  void legend_entry(std::string_view name, std::string_view words);
  /// The next entry is the first one of another legend.
  void begin_legend() { legend_x_ = kLeft; }
  void raw(std::string_view svg) { body_ += svg; }
  void move_down(std::uint64_t pixels) { y_ += pixels; }
  std::uint64_t y() const { return y_; }

  /// Returns the whole document. Screen readers read role `img` as a unit, and `group` element by element.
  std::string finish(std::string_view title, std::string_view description, std::string_view role = "img") const;

 private:
  std::string body_;
  std::uint64_t y_ = 0;
  std::size_t plots_ = 0;
  std::uint64_t legend_x_ = kLeft;
};

/// `<style>...</style>` of a picture.
std::string style_element(const PageAsset& style);

}  // namespace gdsim
