// Renders a lesson's Markdown: headings, paragraphs, lists, tables, code blocks, and <details>.
"use strict";

const Worksheet = (() => {
  const made = (tag, ...content) => {
    const element = document.createElement(tag);
    element.append(...content);
    return element;
  };

  /// Text with `code`, **strong**, *emphasis* and [links](elsewhere), which are shown without their targets.
  function inline(text) {
    const content = [];
    let from = 0;
    for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|!?\[([^\]]*)\]\([^)]*\)/g)) {
      content.push(text.slice(from, match.index));
      const [all, code, strong, emphasis, link] = match;
      const kinds = {code, strong, em: emphasis};
      const kind = Object.keys(kinds).find((name) => kinds[name] !== undefined);
      content.push(kind === undefined ? link : made(kind, kinds[kind]));
      from = match.index + all.length;
    }
    return [...content, text.slice(from)];
  }

  /// Wide blocks can be scrolled, also by keyboard.
  const scrolled = (text) => Object.assign(made("pre", text), {tabIndex: 0});

  /// Rows of a table: the first is its header, and the second separates it.
  function table(lines) {
    const rowOf = (line, tag) =>
      made("tr", ...line.split("|").slice(1, -1).map((cell) => made(tag, ...inline(cell.trim()))));
    const head = rowOf(lines[0], "th");
    for (const cell of head.cells) cell.scope = "col";
    return made("table", made("thead", head), made("tbody", ...lines.slice(2).map((line) => rowOf(line, "td"))));
  }

  /// Items that begin with `- `, each in one line or more.
  const list = (lines) =>
    made("ul", ...lines.join("\n").split(/^- /m).slice(1).map((item) => made("li", ...inline(item.replaceAll("\n", " ")))));

  /// The elements of a text.
  function elements(text) {
    const found = [];
    let fold = null; // the open <details>
    let lines = [];
    const add = (element) => (fold ? fold.append(element) : found.push(element));
    const end = () => {
      if (lines.length > 0 && lines[0].startsWith("|")) add(table(lines));
      else if (lines.length > 0 && lines[0].startsWith("- ")) add(list(lines));
      else if (lines.length > 0) add(made("p", ...inline(lines.join(" "))));
      lines = [];
    };
    for (const [i, part] of text.split(/^```.*\n/m).entries()) {
      if (i % 2 === 1) {
        add(scrolled(part));
        continue;
      }
      for (const line of part.split("\n")) {
        const heading = /^#+ (.*)/.exec(line);
        const opened = /^<details><summary>([^<]*)<\/summary>$/.exec(line);
        const isClosed = line === "</details>";
        if (heading || opened || isClosed || line.trim() === "") end();
        if (opened) found.push((fold = made("details", made("summary", opened[1]))));
        else if (isClosed) fold = null;
        else if (heading) add(made("h2", ...inline(heading[1])));
        else if (line.trim() !== "") lines.push(line);
      }
      end();
    }
    return found;
  }

  return {elements};
})();
