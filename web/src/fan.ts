// Where the cards of a hand lie, from their number and the width there is. Pure.

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly turn: number;
}

export interface Plan {
  readonly card: number;
  readonly height: number;
  readonly rows: number;
  readonly places: readonly Place[];
}

const RATIO = 112 / 80;
const TURN = 2.5; // degrees a card
const LIFT = 36; // room above for cards that are lifted
const LEAST = 24; // of every card to tap

/** `low`: a phone on its side, where height is what is short. */
export function arrange(count: number, width: number, low = false): Plan {
  if (count === 0 || width === 0) return { card: 92, height: low ? 110 : 150, rows: 1, places: [] };
  const largest = low ? 54 : width < 600 ? Math.min(78, width / 4.7) : Math.min(width > 1200 ? 116 : 96, width / 9);
  const card = Math.max(low ? 44 : 56, Math.round(count > 22 && width < 700 ? largest * 0.85 : largest));
  const comfortable = low ? LEAST + 2 : width < 600 ? 38 : 30;
  if (count === 1 || (width - card - 24) / (count - 1) >= comfortable) return fan(count, width, card, low ? 20 : LIFT);
  return lines(count, width, low && count < 24 ? 48 : card, low);
}

function fan(count: number, width: number, card: number, lift: number): Plan {
  const turn = count === 1 ? 0 : Math.min(TURN, (lift < LIFT ? 10 : 26) / (count - 1));
  const middle = (count - 1) / 2;
  const height = card * RATIO;
  const lean = height * Math.sin((middle * turn * Math.PI) / 180); // how far the outermost card leans out
  const step = count === 1 ? 0 : Math.min(card * 0.72, (width - card - 2 * Math.max(8, lean)) / (count - 1));
  // Cards at the ends sink as on a circle that has the fan's turn for every step.
  const radius = step > 0 ? step / ((turn * Math.PI) / 180) : 0;
  const places = Array.from({ length: count }, (_, i) => {
    const off = i - middle;
    const sink = radius * (1 - Math.cos((off * turn * Math.PI) / 180));
    return { x: round(width / 2 + off * step - card / 2), y: round(lift + sink), turn: round(off * turn) };
  });
  const sunk = Math.max(...places.map((place) => place.y));
  return { card, height: Math.round(sunk + height + 10), rows: 1, places };
}

function lines(count: number, width: number, card: number, low: boolean): Plan {
  const space = width - card - 12;
  let rows = 2;
  while (space / (Math.ceil(count / rows) - 1) < LEAST && rows < 6) rows++;
  const each = Math.ceil(count / rows);
  const step = Math.min(card * 0.92, space / Math.max(1, each - 1));
  const drop = card * RATIO * (low ? 0.52 : 0.64);
  const places = Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / each);
    const inRow = Math.min(each, count - row * each);
    const x = width / 2 + ((i % each) - (inRow - 1) / 2) * step - card / 2;
    return { x: round(x), y: round(22 + row * drop), turn: 0 };
  });
  return { card, height: Math.round(22 + (rows - 1) * drop + card * RATIO + 6), rows, places };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
