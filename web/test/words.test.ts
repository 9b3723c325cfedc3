import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { en } from "../src/i18n/en";
import { fr } from "../src/i18n/fr";
import { fill, plural, preferred } from "../src/i18n/i18n.svelte";
import { zh } from "../src/i18n/zh";

const marks = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(Object.entries({ fr, zh }))("%s", (_, words) => {
  it("has every key and no other", () => expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort()));
  it("fills in the same things", () => {
    for (const [key, text] of Object.entries(en)) expect([key, marks(words[key as keyof typeof en])]).toEqual([key, marks(text)]);
  });
});

it("has no key that nothing uses", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.(svelte|ts)$/.test(name) && !/i18n.(en|fr|zh)/.test(name));
  const source = files.map((name) => readFileSync(`src/${name}`, "utf8")).join("\n");
  // Put together from what the server says: names of games, levels, options, codes, cards and actions.
  const outside = /^(game|about|level|option|code|phrase|colour|hue|suit|rank|rankName|action|uno|settings\.theme|fault|editor\.(?:tab|phase|stone|effort)|fact|verdict|setup\.mode|why|review\.(?:gave|luck))\.|^problem\.degree|\.you$|^table\.(kibitzer|log|rules)$/;
  expect(Object.keys(en).filter((key) => !outside.test(key) && !source.includes(`"${key}"`))).toEqual([]);
});

it("has words for every code of the server", () => {
  const wire = readFileSync("src/wire.ts", "utf8");
  const codes = [...(/export type Code =([^]*?)\n\n/.exec(wire)?.[1] ?? "").matchAll(/'(\w+)'/g)].map((found) => found[1]);
  expect(codes.length).toBeGreaterThan(20);
  for (const code of codes) expect(en).toHaveProperty([`code.${code}`]);
});

it("chooses the browser's language", () => {
  expect(preferred(["de-CH", "fr-CH", "en"])).toBe("fr");
  expect(preferred(["zh-TW"])).toBe("zh");
  expect(preferred(["de"])).toBe("en");
});

it("counts", () => {
  expect(plural("en", "card|cards", 0)).toBe("cards");
  expect(plural("fr", "carte|cartes", 0)).toBe("carte");
  expect(fill("en", "{n} card|{n} cards", { n: 3 })).toBe("3 cards");
});

it("has no static style attribute, which the Content-Security-Policy would block", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".svelte"));
  for (const name of files) expect([name, / style="[^{]/.test(readFileSync(`src/${name}`, "utf8"))]).toEqual([name, false]);
});
