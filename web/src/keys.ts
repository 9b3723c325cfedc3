// The keyboard: walking with arrows, letters for buttons. Pure.

/** The next place in a row of `count` after a key, or null if the key does not walk. */
export function step(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowRight":
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowLeft":
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The same on a grid, without leaving it. */
export function stepGrid(key: string, at: number, columns: number, count: number): number | null {
  const column = at % columns;
  switch (key) {
    case "ArrowRight":
      return column + 1 < columns && at + 1 < count ? at + 1 : at;
    case "ArrowLeft":
      return column > 0 ? at - 1 : at;
    case "ArrowDown":
      return at + columns < count ? at + columns : at;
    case "ArrowUp":
      return at >= columns ? at - columns : at;
    case "Home":
      return at - column;
    case "End":
      return Math.min(count - 1, at - column + columns - 1);
    default:
      return null;
  }
}

/** A letter for each label: the first of its own that is free, else a digit. `taken`: letters with another meaning. */
export function letters(labels: readonly string[], taken: readonly string[] = []): (string | null)[] {
  const used = new Set(taken);
  return labels.map((label) => {
    const own = [...label.toLowerCase().normalize("NFD")].filter((char) => /[a-z0-9]/.test(char));
    const free = [...own, ..."123456789"].find((char) => !used.has(char));
    if (free === undefined) return null;
    used.add(free);
    return free;
  });
}

/** Whether a key press belongs to a field or a dialog and not to the table. */
export function elsewhere(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target;
  return target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
}
