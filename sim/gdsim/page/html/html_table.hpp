#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/page/markup.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {

/// The text of a cell, and what the pointer shows in addition.
struct Cell {
  Cell(std::string words, std::string more = {}) : text(std::move(words)), title(std::move(more)) {}  // NOLINT: as text

  std::string text;
  std::string title;
  std::string markup = {};  ///< instead of the text, if not empty
  std::string value = {};   ///< sort key; empty: the text
};

/// A duration as in a terminal, with all digits under the pointer.
template <class Time>
Cell time_cell(Time time) {
  const std::string rounded = to_rounded_text(time);
  const std::string exact = to_text(time);
  return {rounded, rounded == exact ? "" : exact};
}

template <class Time>
Cell time_or_dash(CompactOptional<Time> time) {
  return time ? time_cell(*time) : Cell("–");
}

/// A table. All columns after the first `text_columns` hold numbers. The page's script sorts a table that has an id and
/// whose cells have values to sort by.
class HtmlTable {
 public:
  HtmlTable(std::string_view caption, std::initializer_list<std::string> header, std::size_t text_columns,
            std::string_view id = {})
      : text_columns_(text_columns) {
    text_ = table_box(caption) + "<table" + (id.empty() ? "" : " id=\"" + std::string(id) + "\"") + "><caption>" +
            markup_text(caption) + "</caption><thead><tr>";
    std::size_t column = 0;
    for (const std::string& name : header)
      text_ += "<th scope=\"col\"" + kind(column++) + ">" + markup_text(name) + "</th>";
    text_ += "</tr></thead><tbody>\n";
  }

  /// The first cell is the row's header.
  void row(std::initializer_list<Cell> cells, std::string_view attributes = {}) {
    text_ += "<tr" + std::string(attributes) + ">";
    std::size_t column = 0;
    for (const Cell& cell : cells) {
      const std::string_view element = column == 0 ? "th" : "td";
      text_ += fmt::format("<{}{}{}{}>{}</{}>", element, column == 0 ? " scope=\"row\"" : "", kind(column),
                           title(cell) + value(cell), content(cell), element);
      ++column;
    }
    text_ += "</tr>\n";
  }

  std::string finish() const { return text_ + "</tbody></table></div>\n"; }

 private:
  static std::string title(const Cell& cell) {
    return cell.title.empty() ? "" : " title=\"" + markup_text(cell.title) + "\"";
  }

  static std::string value(const Cell& cell) {
    return cell.value.empty() ? "" : " data-value=\"" + markup_text(cell.value) + "\"";
  }

  /// A text that would make its row very high has a box of its own, which scrolls.
  static std::string content(const Cell& cell) {
    constexpr std::size_t long_text = 160;
    const std::string markup = cell.markup.empty() ? markup_text(cell.text) : cell.markup;
    return cell.text.size() <= long_text ? markup : "<div class=\"long\" tabindex=\"0\">" + markup + "</div>";
  }

  std::string kind(std::size_t column) const { return column < text_columns_ ? " class=\"name\"" : ""; }

  std::size_t text_columns_;
  std::string text_;
};

}  // namespace gdsim
