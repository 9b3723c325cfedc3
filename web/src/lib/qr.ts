// QR codes of short links: byte mode, error correction L, versions 1 to 10 (up to 271 bytes). ISO/IEC 18004.

// Per version: bytes of data, bytes of error correction per block, blocks.
const SIZES: readonly (readonly [number, number, number])[] = [
  [19, 7, 1], [34, 10, 1], [55, 15, 1], [80, 20, 1], [108, 26, 1],
  [136, 18, 2], [156, 20, 2], [194, 24, 2], [232, 30, 2], [274, 18, 4],
];
const ALIGNED: readonly (readonly number[])[] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];

/** Rows of dark (true) and light modules, without the quiet zone. */
export function qr(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const version = SIZES.findIndex(([data], i) => bytes.length + (i < 9 ? 2 : 3) <= data) + 1;
  if (version === 0) throw new Error("too long for a QR code");
  const words = interleave(dataWords(bytes, version), version);
  const size = version * 4 + 17;
  const fixed = frame(size, version);
  let best: boolean[][] | null = null;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const tried = fill(fixed, words, mask);
    const cost = penalty(tried);
    if (cost < least) [best, least] = [tried, cost];
  }
  return best ?? [];
}

function dataWords(bytes: readonly number[], version: number): number[] {
  const room = SIZES[version - 1]?.[0] ?? 0;
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words: number[] = [];
  for (let i = 0; i < bits.length; i += 8) words.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; words.length < room; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

function interleave(words: readonly number[], version: number): number[] {
  const [, extra, blocks] = SIZES[version - 1] ?? [0, 0, 1];
  const short = Math.floor(words.length / blocks);
  const long = words.length % blocks;
  const parts: number[][] = [];
  for (let i = 0, at = 0; i < blocks; i++) {
    const length = short + (i >= blocks - long ? 1 : 0);
    parts.push(words.slice(at, at + length));
    at += length;
  }
  const checks = parts.map((part) => remainder(part, extra));
  const mixed: number[] = [];
  for (let i = 0; i <= short; i++) for (const part of parts) if (i < part.length) mixed.push(part[i] ?? 0);
  for (let i = 0; i < extra; i++) for (const check of checks) mixed.push(check[i] ?? 0);
  return mixed;
}

/** Multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/** Reed–Solomon: what is left when the block is divided by the generator polynomial. */
function remainder(data: readonly number[], degree: number): number[] {
  let divisor = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    const next = [...divisor, 0];
    divisor.forEach((value, k) => (next[k + 1] = (next[k + 1] ?? 0) ^ times(value, root)));
    divisor = next;
  }
  const rest = Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let k = 0; k < degree; k++) rest[k] = (rest[k] ?? 0) ^ times(divisor[k + 1] ?? 0, factor);
  }
  return rest;
}

type Cells = (boolean | null)[][];

/** Finders, timing, alignment, version; null where data may go, false where the format will be. */
function frame(size: number, version: number): Cells {
  const cells: Cells = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const set = (x: number, y: number, dark: boolean): void => {
    const row = cells[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let y = -4; y <= 4; y++) {
      for (let x = -4; x <= 4; x++) {
        const ring = Math.max(Math.abs(x), Math.abs(y));
        set(cx + x, cy + y, ring !== 2 && ring !== 4);
      }
    }
  }
  const spots = ALIGNED[version - 1] ?? [];
  const last = spots.length - 1;
  spots.forEach((cx, i) =>
    spots.forEach((cy, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) set(cx + x, cy + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
    }),
  );
  for (let i = 0; i < 9; i++) {
    if (i !== 6) {
      set(8, i, false);
      set(i, 8, false);
    }
    if (i < 8) {
      set(8, size - 1 - i, false);
      set(size - 1 - i, 8, false);
    }
  }
  if (version >= 7) {
    const bits = (version << 12) | golay(version);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, ((bits >> i) & 1) === 1);
      set(b, a, ((bits >> i) & 1) === 1);
    }
  }
  return cells;
}

function golay(version: number): number {
  let rest = version;
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  return rest;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function fill(fixed: Cells, words: readonly number[], mask: number): boolean[][] {
  const size = fixed.length;
  const cells = fixed.map((row) => row.map((cell) => cell ?? false));
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (fixed[y]?.[x] !== null) continue;
        const dark = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit++;
        const row = cells[y];
        if (row) row[x] = dark !== (MASKS[mask]?.(x, y) ?? false);
      }
    }
  }
  return format(cells, mask);
}

function format(cells: boolean[][], mask: number): boolean[][] {
  const size = cells.length;
  const data = (1 << 3) | mask; // 1: error correction L
  let rest = data;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const set = (x: number, y: number, i: number): void => {
    const row = cells[y];
    if (row) row[x] = ((bits >> i) & 1) === 1;
  };
  for (let i = 0; i < 6; i++) set(8, i, i);
  set(8, 7, 6);
  set(8, 8, 7);
  set(7, 8, 8);
  for (let i = 9; i < 15; i++) set(14 - i, 8, i);
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, i);
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, i);
  const row = cells[size - 8];
  if (row) row[8] = true;
  return cells;
}

/** How hard a pattern is to read: long runs and blocks of one colour. */
function penalty(cells: boolean[][]): number {
  const size = cells.length;
  let cost = 0;
  const at = (x: number, y: number): boolean => cells[y]?.[x] ?? false;
  for (const turn of [false, true]) {
    for (let a = 0; a < size; a++) {
      let run = 0;
      for (let b = 0; b < size; b++) {
        const same = b > 0 && (turn ? at(a, b) === at(a, b - 1) : at(b, a) === at(b - 1, a));
        run = same ? run + 1 : 1;
        if (run === 5) cost += 3;
        else if (run > 5) cost += 1;
      }
    }
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) {
      if (at(x, y) === at(x + 1, y) && at(x, y) === at(x, y + 1) && at(x, y) === at(x + 1, y + 1)) cost += 3;
    }
  }
  const dark = cells.flat().filter(Boolean).length / size ** 2;
  return cost + Math.floor(Math.abs(dark - 0.5) * 20) * 10;
}
