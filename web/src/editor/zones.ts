// What can be set up of a position, by game: the members that a person chooses, and what follows from them. No rules: the
// server says what cannot be. Pure.
import { doudizhuOrder } from "../faces/french";
import { unoFace } from "../faces/uno";
import type { Key } from "../i18n/i18n.svelte";

export type Position = Readonly<Record<string, unknown>>;
export type Hand = string[] | { count: number };

export interface Zone {
  /** The member of the position, as faults name it. */
  readonly key: string;
  readonly label: Label;
  readonly field: Field;
}

/** Words for a zone: a key of the page's, and the seat or the like that it is about. */
export interface Label {
  readonly key: Key;
  readonly seat?: number;
}

export type Field =
  | { readonly kind: "cards"; readonly cards: string[]; readonly set: (cards: string[]) => Position }
  | { readonly kind: "card"; readonly card: string | null; readonly empty: boolean; readonly set: (card: string | null) => Position }
  | { readonly kind: "hidden"; readonly hand: Hand; readonly fixed: boolean; readonly set: (hand: Hand) => Position }
  | { readonly kind: "choice"; readonly value: string; readonly values: readonly string[]; readonly words: "colour" | "suit" | "seat" | "direction" | "phase"; readonly set: (value: string) => Position };

const TEXT_HANDS = ["doudizhu", "mini_doudizhu"]; // whose cards are texts of ranks
const KEPT: Readonly<Record<string, readonly string[]>> = {
  uno: ["seat", "to_act", "direction", "target", "discards", "hands"],
  belote: ["seat", "to_act", "phase", "trump", "turned", "taker", "hands"],
  doudizhu: ["seat", "to_act", "phase", "landlord_seat", "talon", "bids", "played", "last", "last_seat", "hands"],
  mini_doudizhu: ["seat", "to_act", "to_beat", "played", "hands"],
};
/** Members of play, which a new set-up begins without. Options of the game stay. */
const PLAY = [
  "phase", "turn", "pending", "before", "bluff", "drawn", "idle", "winner", "memory", "seen", "reshuffled", "remainder", "reshuffles", "held",
  "pile", "stream", "trick", "points", "tricks", "barred", "talon", "moves", "bombs", "announced", "last", "last_seat", "played", "bids", "taker", "trump",
];

export function hands(position: Position): Hand[] {
  const held = (position.hands ?? []) as (string | string[] | { count: number })[];
  return held.map((one) => (typeof one === "string" ? [...one] : Array.isArray(one) ? [...one] : { count: one.count }));
}

function listed(position: Position, member: string): string[][] {
  const found = (position[member] ?? []) as (string | string[])[];
  return found.map((one) => [...one]);
}

const size = (hand: Hand): number => (Array.isArray(hand) ? hand.length : hand.count);

/** The cards that a position shows, to count what is left of the deck. */
export function used(position: Position): Map<string, number> {
  const found = new Map<string, number>();
  const add = (cards: readonly string[]): void => cards.forEach((card) => found.set(card, (found.get(card) ?? 0) + 1));
  hands(position).forEach((hand) => Array.isArray(hand) && add(hand));
  listed(position, "played").forEach(add);
  if (position.game === "uno") add(((position.discards ?? [position.target]) as string[]).map(bare));
  if (position.game === "belote" && typeof position.turned === "string" && position.phase !== "play") add([position.turned]);
  return found;
}

/** A card without the colour that was named for a wild. */
export function bare(card: string): string {
  const face = unoFace(card);
  return face.wild ? face.trait : card;
}

/** The seat that sees the position: its own, or of a whole one the seat to act. */
export function seatOf(position: Position): number {
  return (position.seat ?? position.to_act ?? 0) as number;
}

/** With what follows from the members that were chosen. */
export function complete(position: Position, deck: Readonly<Record<string, number>>): Position {
  const game = String(position.game);
  const kept = KEPT[game] ?? [];
  const made: Record<string, unknown> = Object.fromEntries(Object.entries(position).filter(([name]) => !PLAY.includes(name) || kept.includes(name)));
  const held = hands(position);
  const whole = held.every(Array.isArray);
  if (whole) delete made.seat;
  else made.seat = seatOf(position);
  if (game === "uno") {
    const total = Object.values(deck).reduce((sum, n) => sum + n, 0);
    made.phase = "play";
    made.discards = [bare(String(made.target))];
    if (!whole) made.pile = { count: total - 1 - held.reduce((sum, hand) => sum + size(hand), 0) };
  }
  if (game === "belote") belote(made, held);
  if (game === "doudizhu") doudizhu(made, held);
  if (game === "mini_doudizhu") {
    const played = listed(made, "played");
    if (!made.to_beat) delete made.to_beat;
    held.forEach((hand, seat) => !Array.isArray(hand) && (hand.count = 7 - (played[seat]?.length ?? 0)));
  }
  made.hands = held.map((hand) => (Array.isArray(hand) && TEXT_HANDS.includes(game) ? hand.join("") : hand));
  return made;
}

function belote(made: Record<string, unknown>, held: Hand[]): void {
  const play = made.phase === "play";
  if (play) {
    made.to_act = 0;
    made.trump ??= String(made.turned).slice(-1);
    made.taker ??= 0;
  } else {
    delete made.trump;
    delete made.taker;
    made.to_act = seatOf(made);
  }
  held.forEach((hand) => !Array.isArray(hand) && (hand.count = play ? 8 : 5));
}

function doudizhu(made: Record<string, unknown>, held: Hand[]): void {
  if (made.phase === "bid") {
    for (const name of ["landlord_seat", "played", "last", "last_seat", "talon"]) delete made[name];
    const seat = seatOf(made);
    made.bids = held.map((_, other) => (other < seat ? 0 : -1));
    made.to_act = seat;
    held.forEach((hand) => !Array.isArray(hand) && (hand.count = 17));
    return;
  }
  made.phase = "play";
  made.landlord_seat ??= 0;
  made.talon ??= "";
  const landlord = Number(made.landlord_seat);
  made.bids = held.map((_, seat) => (seat < landlord ? 0 : seat === landlord ? 3 : -1));
  const played = listed(made, "played");
  if (!made.last) {
    delete made.last;
    delete made.last_seat;
  } else made.last_seat ??= (seatOf(made) + 2) % 3;
  made.to_act = seatOf(made);
  held.forEach((hand, seat) => !Array.isArray(hand) && (hand.count = (seat === landlord ? 20 : 17) - (played[seat]?.length ?? 0)));
}

/** The zones of a position, in the order in which one sets up a game. */
export function zones(position: Position): Zone[] {
  switch (position.game) {
    case "uno":
      return uno(position);
    case "belote":
      return beloteZones(position);
    case "doudizhu":
      return doudizhuZones(position);
    case "mini_doudizhu":
      return miniZones(position);
    default:
      return [];
  }
}

const SEATS = (n: number): string[] => Array.from({ length: n }, (_, seat) => String(seat));

function choice(position: Position, key: string, label: Label["key"], values: readonly string[], words: "colour" | "suit" | "seat" | "direction" | "phase", fallback: string, more?: (value: string) => Position): Zone {
  const number = words === "seat" || words === "direction";
  const set = more ?? ((value: string): Position => ({ ...position, [key]: number ? Number(value) : value }));
  return { key, label: { key: label }, field: { kind: "choice", value: String(position[key] ?? fallback), values, words, set } };
}

/** The own hand first, then the others. */
function handZones(position: Position, fixed: boolean): Zone[] {
  const held = hands(position);
  const own = seatOf(position);
  const set = (seat: number, hand: Hand): Position => ({ ...position, seat: own, hands: held.map((one, other) => (other === seat ? hand : one)) });
  const mine = held[own];
  const zone = (hand: Hand, seat: number): Zone => ({ key: `hands.${seat}`, label: { key: "editor.other", seat }, field: { kind: "hidden", hand, fixed, set: (made) => set(seat, made) } });
  return [
    { key: `hands.${own}`, label: { key: "editor.hand" }, field: { kind: "cards", cards: Array.isArray(mine) ? mine : [], set: (cards) => set(own, cards) } },
    ...held.flatMap((hand, seat) => (seat === own ? [] : [zone(hand, seat)])),
  ];
}

/** Another seat is mine: the hand goes along. */
function sitAt(position: Position): (value: string) => Position {
  return (value) => {
    const held = hands(position);
    const [from, to] = [seatOf(position), Number(value)];
    const other = held[to] ?? { count: 0 };
    return { ...position, seat: to, to_act: to, hands: held.map((hand, seat) => (seat === to ? (held[from] ?? other) : seat === from ? (Array.isArray(other) ? other : { count: 0 }) : hand)) };
  };
}

function uno(position: Position): Zone[] {
  const target = String(position.target ?? "r-0");
  const face = unoFace(target);
  const top = (card: string | null): Position => ({ ...position, target: card && unoFace(card).wild ? `${face.colour ?? "r"}-${card}` : card });
  const colour: Zone[] = face.wild
    ? [{ key: "target", label: { key: "editor.colour" }, field: { kind: "choice", value: face.colour ?? "r", values: ["r", "g", "b", "y"], words: "colour", set: (value) => ({ ...position, target: `${value}-${face.trait}` }) } }]
    : [];
  const [mine, ...others] = handZones(position, false);
  const way = hands(position).length > 2 ? [choice(position, "direction", "editor.direction", ["1", "-1"], "direction", "1")] : [];
  return [...(mine ? [mine] : []), { key: "target", label: { key: "editor.target" }, field: { kind: "card", card: bare(target), empty: false, set: top } }, ...colour, ...others, ...way];
}

function beloteZones(position: Position): Zone[] {
  const turned = typeof position.turned === "string" ? position.turned : null;
  const play: Zone[] = position.phase === "play"
    ? [choice(position, "trump", "editor.trump", ["s", "h", "d", "c"], "suit", "s"), choice(position, "taker", "editor.taker", SEATS(4), "seat", "0")]
    : [];
  return [
    choice(position, "phase", "editor.phase", ["first", "second", "play"], "phase", "first"),
    choice(position, "seat", "editor.seat", SEATS(4), "seat", String(seatOf(position)), sitAt(position)),
    { key: "turned", label: { key: "editor.turned" }, field: { kind: "card", card: turned, empty: false, set: (card) => ({ ...position, turned: card }) } },
    ...play,
    ...handZones(position, true),
  ];
}

function playedZones(position: Position, players: number): Zone[] {
  const played = listed(position, "played");
  const at = (seat: number): string[] => played[seat] ?? [];
  const set = (seat: number) => (cards: string[]): Position => ({ ...position, played: Array.from({ length: players }, (_, other) => (other === seat ? cards : at(other)).join("")) });
  return SEATS(players).map((_, seat) => ({ key: `played.${seat}`, label: { key: "editor.played", seat }, field: { kind: "cards", cards: at(seat), set: set(seat) } }));
}

const sorted = (cards: string[]): string => [...cards].sort((a, b) => doudizhuOrder(b) - doudizhuOrder(a)).join("");

function doudizhuZones(position: Position): Zone[] {
  const head = [choice(position, "phase", "editor.phase", ["bid", "play"], "phase", "play"), choice(position, "seat", "editor.seat", SEATS(3), "seat", String(seatOf(position)), sitAt(position))];
  if (position.phase === "bid") return [...head, ...handZones(position, true)];
  const last = typeof position.last === "string" ? [...position.last] : [];
  const seats = SEATS(3).filter((seat) => Number(seat) !== seatOf(position));
  return [
    ...head,
    choice(position, "landlord_seat", "editor.landlord", SEATS(3), "seat", "0"),
    { key: "talon", label: { key: "editor.talon" }, field: { kind: "cards", cards: [...String(position.talon ?? "")], set: (cards) => ({ ...position, talon: cards.join("") }) } },
    ...handZones(position, true),
    ...playedZones(position, 3),
    { key: "last", label: { key: "editor.beat" }, field: { kind: "cards", cards: last, set: (cards) => ({ ...position, last: sorted(cards) }) } },
    ...(last.length > 0 ? [choice(position, "last_seat", "editor.beatBy", seats, "seat", seats[0] ?? "0")] : []),
  ];
}

function miniZones(position: Position): Zone[] {
  const beat = typeof position.to_beat === "string" ? [...position.to_beat] : [];
  return [
    ...handZones(position, true),
    ...playedZones(position, 2),
    { key: "to_beat", label: { key: "editor.beat" }, field: { kind: "cards", cards: beat, set: (cards) => ({ ...position, to_beat: sorted(cards) }) } },
  ];
}

/** Whether some, but not all, hands of others are open: a position has all of them, or none. */
export function half(position: Position): boolean {
  const others = hands(position).filter((_, seat) => seat !== seatOf(position));
  const open = others.filter(Array.isArray).length;
  return open > 0 && open < others.length;
}

// ---- boards

/** A stone on a cell of a board, or none; where stones fall, on top of its column, or the topmost of it taken away. */
export function placed(position: Position, cell: { row: number; column: number }, stone: "x" | "o" | ".", falls: boolean): Position {
  const rows = [...((position.board ?? []) as string[])];
  let row = cell.row;
  if (falls) {
    const top = rows.findIndex((text) => text[cell.column] !== ".");
    row = stone === "." ? top : (top < 0 ? rows.length : top) - 1;
  }
  const text = rows[row];
  if (text === undefined) return position;
  rows[row] = text.slice(0, cell.column) + stone + text.slice(cell.column + 1);
  return board({ ...position, board: rows });
}

/** Whose turn it is follows from the stones, and whose view it is from the turn. */
export function board(position: Position): Position {
  const stones = ((position.board ?? []) as string[]).join("");
  const turn = [...stones].filter((stone) => stone === "x").length > [...stones].filter((stone) => stone === "o").length ? 1 : 0;
  const made: Record<string, unknown> = { ...position, to_act: turn };
  delete made.seat;
  return made;
}
