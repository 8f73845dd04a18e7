// What can be clicked can be reached and pressed by keyboard, and is announced, for the script of the page.
const gdsimSelection = (() => {
  "use strict";

  /// An element that is no button becomes one: for Tab, Enter and Space, and for screen readers.
  const makeButton = (element, label, action) => {
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", label);
    element.tabIndex = 0;
    element.addEventListener("click", action);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      action();
    });
  };

  /// A row stays a row: the text of its header becomes a button, and a click anywhere in the row is one on it.
  const makeRowButton = (row, label, action) => {
    const header = row.cells[0];
    const button = document.createElement("button");
    button.type = "button";
    button.className = "zoom";
    button.setAttribute("aria-label", label);
    button.append(...header.childNodes);
    header.append(button);
    row.addEventListener("click", action);
  };

  /// A place for what screen readers say once something was chosen; nothing that follows the pointer goes there.
  const makeStatus = (parent) => {
    const status = document.createElement("p");
    status.id = "said";
    status.className = "unseen";
    status.setAttribute("role", "status");
    parent.append(status);
    return (text) => { status.textContent = text; };
  };

  return {makeButton, makeRowButton, makeStatus};
})();
