/** A text area with line numbers, Tab, and a line whose number is marked. */

const INDENT = "    ";

export class Editor {
  constructor(area, gutter) {
    Object.assign(this, { area, gutter, leaves: false });
    area.addEventListener("input", () => this.mark(0));
    area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));
    area.addEventListener("keydown", (event) => this.press(event));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.mark(0);
  }

  /** Mark a line, from 1, and show it; 0 marks none. */
  mark(line) {
    const { area, gutter } = this;
    const lines = this.text.split("\n");
    const numbers = lines.map((_, i) => {
      const number = document.createElement(i + 1 === line ? "mark" : "span");
      return Object.assign(number, { textContent: `${i + 1}\n` });
    });
    gutter.replaceChildren(...numbers);
    if (lines[line - 1] !== undefined) {
      const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
      area.focus();
      area.setSelectionRange(start, start);
      area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 6);
    }
    gutter.scrollTop = area.scrollTop;
  }

  /** Let Tab indent, but leave after Esc; Enter begins a line where the last one began, or
   * further in after a colon. */
  press(event) {
    const { key, isComposing } = event;
    const before = this.text.slice(0, this.area.selectionStart);
    const isTab = key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey;
    const isEnter = key === "Enter" && !isComposing && !event.ctrlKey && !event.metaKey;
    if (isEnter || (isTab && !this.leaves)) {
      event.preventDefault();
      const deeper = /:\s*$/.test(before) ? INDENT : "";
      const text = isEnter ? `\n${/[ \t]*(?=[^\n]*$)/.exec(before)[0]}${deeper}` : INDENT;
      document.execCommand("insertText", false, text); // which the browser can undo
    }
    this.leaves = key === "Escape";
  }
}
