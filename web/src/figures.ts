// What a judgement says, in the reader's language: payoffs in the game's unit, and reasons from their parts. Pure.
import { i18n, t, type Key } from "./i18n/i18n.svelte";
import type { Unit, Why } from "./wire";
import { actionLabel, cardName } from "./words";

const Z = 1.96; // standard errors to either side of a 95% interval
export type Tone = "good" | "mistake" | "unlucky" | "lucky" | "unclear";

/** A share as "38%"; small ones with a digit more. */
export function percent(share: number): string {
  const shown = Math.abs(share) < 0.0005 ? 0 : share; // a rounding error below zero is no "-0%"
  const digits = Math.abs(shown) < 0.0095 ? 1 : 0;
  return new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: digits }).format(shown);
}

function figure(value: number, decimals: number): string {
  const shown = Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value;
  return new Intl.NumberFormat(i18n.language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(shown);
}

const span = (unit: Unit): number => unit.won - unit.lost;
const points = (unit: Unit, shown: string): string => (unit.word ? t("unit.points", { n: shown }) : shown);

/** What a payoff is worth: "wins 38%", "+12.3 points", "4.0 points ahead". */
export function worth(unit: Unit, value: number): string {
  if (unit.kind === "wins") return t(unit.draws ? "unit.scores" : "unit.wins", { p: percent((value - unit.lost) / span(unit)) });
  if (unit.kind === "lead") return t(value < 0 ? "unit.behind" : "unit.ahead", { n: figure(Math.abs(value), unit.decimals) });
  return points(unit, (unit.signed && value > 0 ? "+" : "") + figure(value, unit.decimals));
}

/** Half of a 95% interval, from a standard error: "± 2%"; empty where none is known or all is exact. */
export function half(unit: Unit, error: number | null): string {
  if (error === null || error === 0) return "";
  return `± ${unit.kind === "wins" ? percent((Z * error) / span(unit)) : figure(Z * error, unit.decimals)}`;
}

/** A loss without its unit: "9.4", "4%". */
export function less(unit: Unit, value: number): string {
  return unit.kind === "wins" ? percent(value / span(unit)) : figure(value, unit.decimals);
}

/** The unit of losses, for after the figure: "points", "of the games". */
export function lossUnit(unit: Unit): string {
  return unit.kind === "wins" ? t("unit.games") : unit.word ? t("unit.pointsWord") : "";
}

function gains(unit: Unit, value: number, verb: boolean): string {
  const n = unit.kind === "wins" ? less(unit, Math.abs(value)) : points(unit, less(unit, Math.abs(value)));
  const way = value < 0 ? "less" : "more";
  return verb ? t(unit.kind === "wins" ? `why.wins.${way}` : `why.gets.${way}`, { n }) : t(`why.${way}`, { n });
}

/** The sentence of a reason. */
export function because(kind: string, unit: Unit, why: Why, name: (seat: number) => string): string {
  const label = (text: string): string => actionLabel(kind, text, name);
  const [best, rival, share] = [label(why.best), label(why.rival), percent(why.share)];
  if (why.fact === "follow") return t("why.follow", { name: name(why.seat), n: why.cards, share, best, rival, then: percent(why.then) });
  const what =
    why.fact === "card" || why.fact === "pair" ? cardName(kind, why.what) : why.fact === "no_suit" ? t(`suit.${why.what}` as Key) : why.fact === "no_colour" ? t(`colour.${why.what}` as Key).toLowerCase() : "";
  const fact = i18n.maybe(`fact.${why.fact}`, "", { name: name(why.seat), what });
  if (!fact) return why.says;
  return t("why.fact", { share, fact, best, rival, then: gains(unit, why.then, true), otherwise: gains(unit, why.otherwise, false) });
}
