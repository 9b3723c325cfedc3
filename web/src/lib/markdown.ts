// The little Markdown of our guides: headings, paragraphs, lists, tables, bold, italics, code. It gives a tree, never HTML:
// whatever a guide contains, the page shows text.

export type Inline = { kind: "text" | "strong" | "em" | "code"; text: string };
export type Block =
  | { kind: "heading"; level: number; text: Inline[] }
  | { kind: "paragraph"; text: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string };

const MARKS = /\*\*(.+?)\*\*|`([^`]+)`|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_(?!\w)|\[([^\]]+)\]\([^)]*\)/g;

export function inline(text: string): Inline[] {
  const found: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) found.push({ kind: "text", text: text.slice(at, match.index) });
    const [whole, strong, code, star, under, link] = match;
    if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (code !== undefined) found.push({ kind: "code", text: code });
    else if (link !== undefined) found.push({ kind: "text", text: link });
    else found.push({ kind: "em", text: star ?? under ?? "" });
    at = match.index + whole.length;
  }
  if (at < text.length) found.push({ kind: "text", text: text.slice(at) });
  return found;
}

const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;

export function parse(source: string): Block[] {
  const lines = source.replace(/\r/g, "").split("\n");
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? "";
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === "") i++;
    else if (heading) {
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: inline(heading[2] ?? "") });
      i++;
    } else if (line.startsWith("```")) i = code(lines, i, blocks);
    else if (line.trim().startsWith("|")) i = table(lines, i, blocks);
    else if (ITEM.test(line)) i = list(lines, i, blocks);
    else i = paragraph(lines, i, blocks);
  }
  return blocks;
}

function code(lines: string[], from: number, blocks: Block[]): number {
  let end = from + 1;
  while (end < lines.length && !lines[end]?.startsWith("```")) end++;
  blocks.push({ kind: "code", text: lines.slice(from + 1, end).join("\n") });
  return end + 1;
}

function table(lines: string[], from: number, blocks: Block[]): number {
  const rows: Inline[][][] = [];
  let i = from;
  for (; lines[i]?.trim().startsWith("|"); i++) {
    const cells = (lines[i] ?? "").trim().replace(/^\||\|$/g, "").split("|");
    if (!cells.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) rows.push(cells.map((cell) => inline(cell.trim())));
  }
  blocks.push({ kind: "table", head: rows[0] ?? [], rows: rows.slice(1) });
  return i;
}

function list(lines: string[], from: number, blocks: Block[]): number {
  const items: string[] = [];
  const ordered = ITEM.exec(lines[from] ?? "")?.[1] !== undefined;
  let i = from;
  for (; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const item = ITEM.exec(line);
    if (item) items.push(item[2] ?? "");
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else break;
  }
  blocks.push({ kind: "list", ordered, items: items.map(inline) });
  return i;
}

function paragraph(lines: string[], from: number, blocks: Block[]): number {
  let i = from;
  const text: string[] = [];
  for (; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line.trim() === "" || /^(#{1,6}\s|```|\s*\|)/.test(line) || (i > from && ITEM.test(line))) break;
    text.push(line.trim());
  }
  blocks.push({ kind: "paragraph", text: inline(text.join(" ")) });
  return Math.max(i, from + 1);
}
