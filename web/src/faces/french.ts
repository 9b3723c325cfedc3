// French-suited cards as data: "10h", "Js", and for Dou Di Zhu a rank alone ("T", "2", "B", "R"): its cards have no suits
// that mean anything, so none are drawn.
export type Suit = "s" | "h" | "d" | "c";
export const SUITS: readonly Suit[] = ["s", "h", "c", "d"]; // black and red take turns in a hand
export const SIGNS: Readonly<Record<Suit, string>> = { s: "♠", h: "♥", d: "♦", c: "♣" };

export interface FrenchFace {
  readonly rank: string;
  readonly suit: Suit | null;
  readonly red: boolean;
  readonly court: boolean;
  readonly joker: boolean;
}

export function isSuit(text: string | undefined): text is Suit {
  return text !== undefined && text in SIGNS;
}

export function frenchFace(card: string): FrenchFace {
  const last = card.at(-1);
  const suit = card.length > 1 && isSuit(last) ? last : null;
  const rank = suit ? card.slice(0, -1) : card === "T" ? "10" : card;
  const joker = suit === null && (rank === "B" || rank === "R");
  return { rank, suit, red: suit === "h" || suit === "d" || (joker && rank === "R"), court: "JQK".includes(rank), joker };
}

const TRUMP = ["7", "8", "Q", "K", "10", "A", "9", "J"];
const PLAIN = ["7", "8", "9", "J", "Q", "K", "10", "A"];

/** Belote: trumps first, strongest first in each suit. */
export function beloteOrder(card: string, trump: string | null): number {
  const face = frenchFace(card);
  const suit = face.suit ?? "s";
  const ranks = suit === trump ? TRUMP : PLAIN;
  return (suit === trump ? -1 : SUITS.indexOf(suit)) * 20 - ranks.indexOf(face.rank);
}

export const RANKS = "3456789TJQKA2BR";

/** Dou Di Zhu: the strongest first. */
export function doudizhuOrder(card: string): number {
  return -RANKS.indexOf(card);
}
