// Actions, cards and moves in words, in the reader's language.
import { frenchFace, SIGNS, isSuit } from "./faces/french";
import { unoFace } from "./faces/uno";
import { i18n, t, type Key } from "./i18n/i18n.svelte";

/** A game's name; a rulesheet's comes from its file: "gdl:blind_tictactoe". */
export function gameTitle(game: string): string {
  const plain = game.replace(/^gdl:/, "").replace(/_/g, " ");
  return i18n.maybe(`game.${game}`, plain.charAt(0).toUpperCase() + plain.slice(1));
}

/** "Red 7", "10 of hearts" are long: on the page a French card is its index and suit sign, to be read aloud in full. */
export function cardName(kind: string, card: string): string {
  return kind === "uno" ? unoName(card) : frenchName(card);
}

function unoName(card: string): string {
  const face = unoFace(card);
  const trait = i18n.maybe(`uno.${face.trait}`, face.trait);
  if (face.wild && !face.colour) return trait;
  if (face.wild) return t("uno.named", { card: trait, colour: t(`colour.${face.colour ?? "r"}`) });
  return t("uno.card", { colour: t(`hue.${face.colour ?? "r"}`), trait });
}

function frenchName(card: string): string {
  const face = frenchFace(card);
  if (face.joker) return t(face.red ? "card.bigJokerName" : "card.smallJokerName");
  const rank = i18n.maybe(`rankName.${face.rank}`, face.rank);
  return face.suit ? t("card.name", { rank, suit: t(`suit.${face.suit}`) }) : rank;
}

/** Short, for the eye: "10♥". */
export function cardSign(card: string): string {
  const face = frenchFace(card);
  if (face.joker) return t(face.red ? "card.bigJokerName" : "card.smallJokerName");
  return i18n.rank(face.rank) + (face.suit ? SIGNS[face.suit] : "");
}

/** What stands on the button of an action. */
export function actionLabel(kind: string, text: string, name: (seat: number) => string): string {
  const [head = "", tail] = text.split("-", 2);
  if (head === "take" && isSuit(tail)) return t("action.take", { suit: SIGNS[tail], name: t(`suit.${tail}`) });
  if (head === "bid") return tail === "0" ? t("action.bid0") : t("action.bid", { n: Number(tail) });
  if (head === "swap" && tail !== undefined) return t("action.swapWith", { name: name(Number(tail)) });
  if (head === "name" && tail !== undefined) return i18n.maybe(`colour.${tail}`, text);
  if (kind === "uno" && tail !== undefined) return unoName(text);
  if (kind === "belote" && /^(?:\d+|[JQKA])[shdc]$/.test(text)) return cardSign(text);
  if (kind === "doudizhu" && text === "pass") return t("action.passBeat");
  const known = i18n.maybe(`action.${text}`, "");
  if (known) return known;
  return kind === "doudizhu" || kind === "mini_doudizhu" ? comboWords(text) : sheetWords(text);
}

/** "34567" as "3 4 5 6 7", "T" as "10". */
export function comboWords(text: string): string {
  return [...text].map((rank) => cardSign(rank)).join(" ");
}

/** A term of a rulesheet without its parentheses: "(mark 1 2)" as "mark 1 2". */
export function sheetWords(text: string): string {
  return text.replace(/[()]/g, " ").replace(/_/g, " ").replace(/\s+/g, " ").trim();
}

/** A line of the log: what a seat did. */
export function moveWords(kind: string, text: string, who: string, mine: boolean, name: (seat: number) => string): string {
  const say = (key: Key, params: Record<string, string | number> = {}): string => {
    const own = `${key}.you`;
    return mine && i18n.maybe(own, "") ? i18n.maybe(own, "", params) : t(key, { name: who, ...params });
  };
  const [head = "", tail] = text.split("-", 2);
  const plain: Record<string, Key> = {
    draw: "log.draw",
    play: "log.playDrawn",
    keep: "log.keep",
    challenge: "log.challenge",
    accept: "log.accept",
    uno: "log.uno",
    silent: "log.silent",
    catch: "log.catch",
    pass: "log.pass",
    swap: "log.swap",
  };
  const key = plain[text];
  if (key) return say(key);
  if (head === "take" && isSuit(tail)) return say("log.take", { suit: SIGNS[tail] });
  if (head === "bid") return tail === "0" ? say("log.bid0") : say("log.bid", { n: Number(tail) });
  if (head === "swap" && tail !== undefined) return say("log.swapWith", { other: name(Number(tail)) });
  if (head === "name" && tail !== undefined) return say("log.name", { colour: i18n.maybe(`colour.${tail}`, tail) });
  return say("log.play", { card: actionLabel(kind, text, name) });
}
