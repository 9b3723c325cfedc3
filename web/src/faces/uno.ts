// What a card of Uno looks like, as data: the drawing is in Uno.svelte.
export type Colour = "r" | "g" | "b" | "y";
export const COLOURS: readonly Colour[] = ["r", "g", "b", "y"];
/** Every colour has its shape, so that colour is never the only sign. */
export const SHAPES: Readonly<Record<Colour, string>> = { r: "circle", g: "square", b: "triangle", y: "diamond" };
export const PAINT: Readonly<Record<Colour | "wild", string>> = {
  r: "#d8453f",
  g: "#2c9a68",
  b: "#2f6bd8",
  y: "#e8b51c",
  wild: "#23272b",
};

export interface UnoFace {
  /** The printed colour; of a wild the named one, or null. */
  readonly colour: Colour | null;
  readonly trait: string;
  readonly wild: boolean;
}

/** Reads "r-5", "g-skip", "wild", "b-wild_draw_4". */
export function unoFace(card: string): UnoFace {
  const [first, second] = card.split("-", 2);
  const trait = second ?? first ?? "";
  const colour = second !== undefined && isColour(first) ? first : null;
  return { colour, trait, wild: trait.startsWith("wild") };
}

export function isColour(text: string | undefined): text is Colour {
  return text !== undefined && (COLOURS as readonly string[]).includes(text);
}

/** What stands in the corner: a figure, or the name of a symbol. */
export function unoIndex(trait: string): { text: string } | { symbol: string } {
  if (trait === "skip" || trait === "reverse") return { symbol: trait };
  if (trait === "draw_2") return { text: "+2" };
  if (trait === "wild_draw_4") return { text: "+4" };
  if (trait === "wild") return { text: "" };
  return { text: trait };
}

const TRAITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "skip", "reverse", "draw_2", "wild", "wild_draw_4"];

/** By colour, then by number; wilds last. */
export function unoOrder(card: string): number {
  const face = unoFace(card);
  const trait = TRAITS.indexOf(face.trait);
  return face.wild ? 1000 + trait : COLOURS.indexOf(face.colour ?? "r") * 20 + trait;
}
