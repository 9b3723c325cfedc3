// Tapping objects filters the choices by what they touch ("hand:r-5", "pile", "seat:2", "cell:b3"). Pure: the page knows
// no rules, only what the server offers.
import type { Choice } from "./wire";

function counts(keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

/** Whether the first, as a multiset, lies in the second. */
export function within(part: readonly string[], whole: readonly string[]): boolean {
  const there = counts(whole);
  for (const [key, n] of counts(part)) if ((there.get(key) ?? 0) < n) return false;
  return true;
}

/** The choices that touch at least all these objects. */
export function matching(choices: readonly Choice[], chosen: readonly string[]): Choice[] {
  return choices.filter((choice) => within(chosen, choice.touches));
}

/** The choice that touches just these objects, if there is one. */
export function exactly(choices: readonly Choice[], chosen: readonly string[]): Choice | undefined {
  return choices.find((choice) => choice.touches.length === chosen.length && within(chosen, choice.touches));
}

/** All objects that lead somewhere, given what is chosen already. */
export function touchable(choices: readonly Choice[], chosen: readonly string[] = []): Set<string> {
  const found = new Set<string>();
  const taken = counts(chosen);
  for (const choice of matching(choices, chosen)) {
    for (const [key, n] of counts(choice.touches)) if (n > (taken.get(key) ?? 0)) found.add(key);
  }
  return found;
}

/** Choices that no object on the table stands for: they become buttons. */
export function loose(choices: readonly Choice[], shown: (zone: string) => boolean): Choice[] {
  return choices.filter((choice) => !choice.touches.some((touch) => shown(touch.split(":")[0] ?? "")));
}
