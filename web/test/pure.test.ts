import jsQR from "jsqr";
import { describe, expect, it } from "vitest";

import { exactly, matching, touchable } from "../src/choose";
import { arrange } from "../src/fan";
import { pair } from "../src/fly";
import { letters, step, stepGrid } from "../src/keys";
import { parse } from "../src/lib/markdown";
import { qr } from "../src/lib/qr";
import { backoff, fate, order, retry } from "../src/resync";

describe("resync", () => {
  it("draws what is new or the same, never what is older", () => {
    expect(order(null, 0)).toBe("apply");
    expect(order(4, 4)).toBe("apply");
    expect(order(4, 9)).toBe("apply");
    expect(order(4, 3)).toBe("old");
  });
  it("waits longer and longer, within bounds", () => {
    expect(backoff(0, 0)).toBe(225);
    expect(backoff(3, 0.5)).toBe(2400);
    expect(backoff(99, 1)).toBe(12_500);
  });
  it("knows what passes by itself", () => {
    expect(fate("no_table")).toBe("stop");
    expect(fate("busy")).toBe("again");
    expect(retry("storage")).toBe(true);
    expect(retry("illegal")).toBe(false);
  });
});

describe("choose", () => {
  const choice = (action: number, ...touches: string[]) => ({ action, text: String(action), touches });
  const choices = [choice(1, "hand:3"), choice(2, "hand:3", "hand:3"), choice(3, "hand:4", "hand:3"), choice(4)];
  it("filters by what is touched, counting equal cards", () => {
    expect(matching(choices, ["hand:3"]).map((one) => one.action)).toEqual([1, 2, 3]);
    expect(matching(choices, ["hand:3", "hand:3"]).map((one) => one.action)).toEqual([2]);
    expect(exactly(choices, ["hand:3", "hand:4"])?.action).toBe(3);
    expect(exactly(choices, ["hand:4"])).toBeUndefined();
  });
  it("says what leads on", () => {
    expect(touchable(choices)).toEqual(new Set(["hand:3", "hand:4"]));
    expect(touchable(choices, ["hand:4"])).toEqual(new Set(["hand:3"]));
  });
});

describe("the hand", () => {
  it.each([1, 2, 7, 12, 17, 20, 25, 40])("shows 24 px of each of %i cards, inside the width", (count) => {
    for (const width of [348, 378, 740, 930, 1500]) {
      const plan = arrange(count, width);
      expect(plan.places).toHaveLength(count);
      plan.places.forEach((place, i) => {
        expect(place.x).toBeGreaterThanOrEqual(0);
        expect(place.x + plan.card).toBeLessThanOrEqual(width);
        const next = plan.places[i + 1];
        if (next && next.y === place.y) expect(next.x - place.x).toBeGreaterThanOrEqual(24);
      });
    }
  });
});

it("pairs what is new with the nearest of its face that has gone", () => {
  const near = { face: "a", x: 1, y: 0 };
  const far = { face: "a", x: 9, y: 0 };
  const other = { face: "b", x: 0, y: 0 };
  const fresh = { face: "a", x: 0, y: 0 };
  expect(pair([fresh], [far, near, other]).get(fresh)).toBe(near);
});

it("walks and gives letters", () => {
  expect([step("ArrowRight", 2, 3), step("ArrowLeft", 0, 3), step("End", 0, 3), step("x", 0, 3)]).toEqual([0, 2, 2, null]);
  expect([stepGrid("ArrowDown", 1, 3, 9), stepGrid("ArrowUp", 1, 3, 9), stepGrid("ArrowRight", 2, 3, 9)]).toEqual([4, 1, 2]);
  expect(letters(["Draw", "Défausse", "不出"])).toEqual(["d", "e", "1"]);
});

it("reads the Markdown of guides", () => {
  const blocks = parse("# Uno\n\nPlay **one** card\nor draw.\n\n- a\n- b\n  more\n\n| x | y |\n|---|---|\n| 1 | <b> |\n");
  expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "list", "table"]);
  expect(blocks[1]).toEqual({ kind: "paragraph", text: [{ kind: "text", text: "Play " }, { kind: "strong", text: "one" }, { kind: "text", text: " card or draw." }] });
});

it.each([10, 60, 100, 150, 200, 250])("makes QR codes of %i characters that can be read", (length) => {
  const text = "https://example.org/#/t/".padEnd(length, "aB3_").slice(0, length);
  const rows = qr(text);
  const size = (rows.length + 8) * 4;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (rows[Math.floor(y / 4) - 4]?.[Math.floor(x / 4) - 4]) pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3);
    }
  }
  expect(jsQR(pixels, size, size)?.data).toBe(text);
});
