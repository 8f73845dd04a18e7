// A text with colours, line numbers, problems at their lines, and completion.
"use strict";

/// Longer texts and lines have no colours, so that any text from a link is drawn at once.
const maxColoured = 200_000;
const maxColouredLine = 500;

class Editor {
  /// `complete(before, all)` answers as Completion.complete(); `onChange` is called after each change by the user.
  constructor(root, {complete, onChange}) {
    this.area = root.querySelector("textarea");
    this.colours = root.querySelector(".colours");
    this.numbers = root.querySelector(".numbers");
    this.list = root.querySelector(".choices");
    this.complete = complete;
    this.problems = new Map();
    this.choices = [];
    this.area.addEventListener("input", () => {
      this.draw();
      this.offer(false);
      onChange();
    });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => this.press(event));
    this.area.addEventListener("blur", () => this.close());
    this.area.addEventListener("click", () => this.close());
    // The list takes no focus, so that the caret stays.
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const item = event.target.closest("[role=option]");
      if (item) this.take([...this.list.children].indexOf(item));
    });
  }

  get text() {
    return this.area.value;
  }
  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTo(0, 0);
    this.close();
    this.draw();
  }

  /// Shows problems `{line, message}` at their lines.
  show(problems) {
    this.problems.clear();
    for (const {line, message} of problems) {
      const others = this.problems.get(line);
      this.problems.set(line, others === undefined ? message : `${others}; ${message}`);
    }
    this.area.setAttribute("aria-invalid", String(problems.length > 0));
    this.draw();
  }

  goTo(line, column) {
    const before = this.text.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(column - 1, 0);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    this.area.scrollTop = Math.max(0, (line - 4) * this.lineHeight());
  }

  draw() {
    const isLong = this.text.length > maxColoured;
    this.area.classList.toggle("plain", isLong);
    const lines = isLong ? [] : this.text.split("\n");
    this.colours.replaceChildren(
      ...lines.map((line, i) => {
        const row = document.createElement("div");
        row.append(...Editor.coloured(line), "\u200b");
        const problem = this.problems.get(i + 1);
        if (problem !== undefined) {
          row.className = "bad";
          const note = document.createElement("span");
          note.className = "note";
          note.textContent = problem;
          row.append(note);
        }
        return row;
      }),
    );
    this.numbers.textContent = lines.map((_, i) => i + 1).join("\n");
    this.follow();
  }

  /// Splits a line into pieces of text with the colours of their kinds.
  static coloured(line) {
    if (line.length > maxColouredLine) return [line];
    const parts = /("(?:[^"\\]|\\.)*"|'[^']*')|((?:^|\s)#.*$)|([^\s{}[\],:"'#][^{}[\],:"'#]*)(?=:(?:\s|$))|((?:^|(?<=[\s[{,]))-?[0-9][0-9.]*)/g;
    const kinds = ["text", "comment", "key", "number"];
    const pieces = [];
    let from = 0;
    for (const match of line.matchAll(parts)) {
      pieces.push(line.slice(from, match.index));
      const piece = document.createElement("span");
      piece.className = kinds[match.slice(1).findIndex((group) => group !== undefined)];
      piece.textContent = match[0];
      pieces.push(piece);
      from = match.index + match[0].length;
    }
    pieces.push(line.slice(from));
    return pieces;
  }

  follow() {
    this.colours.style.transform = `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.area.scrollTop}px)`;
  }

  lineHeight() {
    return parseFloat(getComputedStyle(this.area).lineHeight);
  }

  /// Opens the list of completions. If the user did not ask, opens it only for a word that was begun.
  offer(wasAsked) {
    const caret = this.area.selectionStart;
    const {begun, choices} = this.complete(this.text.slice(0, caret), this.text);
    const atEnd = !/^[A-Za-z0-9_]/.test(this.text.slice(caret));
    if (choices.length === 0 || !atEnd || (!wasAsked && begun === "")) {
      this.close();
      return;
    }
    this.begun = begun;
    this.choices = choices.slice(0, 60);
    this.list.replaceChildren(
      ...this.choices.map(({text, note}) => {
        const item = document.createElement("li");
        item.setAttribute("role", "option");
        const word = document.createElement("b");
        word.textContent = text;
        item.append(word, " ", note);
        return item;
      }),
    );
    const row = this.text.slice(0, caret).split("\n");
    const top = row.length * this.lineHeight() - this.area.scrollTop;
    this.list.style.top = `${top + 4}px`;
    this.list.style.left = `calc(${Math.max(row.at(-1).length - begun.length, 0)}ch - ${this.area.scrollLeft}px + 3.5rem)`;
    this.list.hidden = false;
    this.choose(0);
  }

  close() {
    this.list.hidden = true;
    this.choices = [];
  }

  choose(index) {
    this.chosen = (index + this.choices.length) % this.choices.length;
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({block: "nearest"});
  }

  take(index) {
    const {text} = this.choices[index];
    const caret = this.area.selectionStart;
    this.close();
    this.area.setSelectionRange(caret - this.begun.length, caret);
    const written = text.endsWith(":") ? `${text} ` : text;
    // Only this command makes a change that can be undone.
    if (!document.execCommand("insertText", false, written)) this.area.setRangeText(written, caret - this.begun.length, caret, "end");
    this.close();
  }

  press(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.offer(true);
      return;
    }
    if (this.list.hidden) return;
    const actions = {
      ArrowDown: () => this.choose(this.chosen + 1),
      ArrowUp: () => this.choose(this.chosen - 1),
      Enter: () => this.take(this.chosen),
      Tab: () => this.take(this.chosen),
      Escape: () => this.close(),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
