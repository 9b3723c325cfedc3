// What an action touches, read from its text, for a server that does not say.
import { isColour } from "./faces/uno";

const CARD = /^(?:[rgby]-\w+|\d+[shdc]|[JQKA][shdc]|[3-9TJQKA2BR]+)$/;

export function guess(kind: string, text: string): string[] {
  if (kind === "uno") return uno(text);
  if (kind === "belote") return /^(?:take|pass)/.test(text) ? [] : [`hand:${text}`];
  if (kind === "doudizhu" || kind === "mini_doudizhu") return CARD.test(text) ? [...text].map((rank) => `hand:${rank}`) : [];
  if (kind === "connect_four") return [`column:${text}`];
  if (kind === "tictactoe" || kind === "hex") return text === "swap" ? [] : [`cell:${text}`];
  return [];
}

function uno(text: string): string[] {
  if (text === "draw") return ["pile"];
  if (text.startsWith("swap-")) return [`seat:${text.slice(5)}`];
  const [colour, trait] = text.split("-", 2);
  if (!isColour(colour) || trait === undefined) return [];
  return trait.startsWith("wild") ? [`hand:${trait}`, `colour:${colour}`] : [`hand:${text}`];
}
