// A position on its way to the editor, from a problem or a file.
let carried: Record<string, unknown> | null = null;

export function carry(position: Record<string, unknown>): void {
  carried = position;
}

/** Once. */
export function taken(): Record<string, unknown> | null {
  const found = carried;
  carried = null;
  return found;
}
