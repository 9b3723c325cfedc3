// What a move is worth, in figures for the reader's language. ± is half of a 95% interval.
import { i18n, t } from "../i18n/i18n.svelte";

/** Of a legal action, as a report or a problem has it. */
export interface Judged {
  readonly text: string;
  readonly value: number | null;
  readonly error: number | null;
  readonly win: number | null;
  readonly win_error: number | null;
  readonly loss: number | null;
  readonly loss_error: number | null;
  /** 0: about as good as the best. */
  readonly group: number;
}

const HALF = 1.96; // standard errors

export interface Bar {
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

/** Where the bars of these moves end, with their whiskers, from 0 to 1. Chances to win as they are; others from the worst to the best. */
export function bars(moves: readonly Judged[]): (Bar | null)[] {
  if (moves.some((move) => move.win !== null)) return moves.map((move) => (move.win === null ? null : bar(move.win, move.win_error, 0, 1)));
  const ends = moves.flatMap((move) => (move.value === null ? [] : [move.value - HALF * (move.error ?? 0), move.value + HALF * (move.error ?? 0)]));
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const room = (most - least || 1) * 0.08;
  return moves.map((move) => (move.value === null ? null : bar(move.value, move.error, least - room, most + room)));
}

function bar(value: number, error: number | null, least: number, most: number): Bar {
  const place = (x: number): number => Math.min(1, Math.max(0, (x - least) / (most - least)));
  const half = HALF * (error ?? 0);
  return { at: place(value), low: place(value - half), high: place(value + half) };
}

/** "38%" and "± 2%", or "+12.3" and "± 1.1". */
export function worth(move: Judged): { value: string; half: string } {
  if (move.win !== null) return { value: percent(move.win), half: halfOf(move.win_error, percent) };
  if (move.value === null) return { value: "–", half: "" };
  return { value: `${move.value > 0 ? "+" : ""}${figure(move.value)}`, half: halfOf(move.error, figure) };
}

/** What is lost by it: chances to win, or points. Empty for the best. */
export function cost(best: Judged, move: Judged): string {
  if (move.win !== null && best.win !== null) return t("thought.costShare", { share: percent(Math.max(0, best.win - move.win)) });
  return move.loss === null ? "" : t("thought.costPoints", { points: figure(move.loss) });
}

/** What the figures mean, of a kind of game. */
export function unit(kind: string, moves: readonly Judged[]): string {
  if (moves.some((move) => move.win !== null)) return t("thought.unitWins");
  return t(kind === "belote" ? "thought.unitLead" : "thought.unitPayoff");
}

function halfOf(error: number | null, form: (x: number) => string): string {
  return error ? `± ${form(HALF * error)}` : "";
}

export function percent(share: number): string {
  const digits = share > 0 && share < 0.0095 ? 1 : 0;
  return new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: digits }).format(share);
}

function figure(value: number): string {
  const digits = Math.abs(value) >= 3 ? 1 : 2;
  return new Intl.NumberFormat(i18n.language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
