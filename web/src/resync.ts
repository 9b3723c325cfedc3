// Every decision about order and loss, in one place and pure: what to do with a numbered message, whether to connect or to
// send again, and how long to wait before.

export type Verdict = "apply" | "old";

/**
 * What to do with a view of number `n` when the last one drawn was `have`. Views are whole, so a gap is no problem: the
 * newest view always wins, and only an older one is left alone. Without one before (`have` null) everything is new.
 */
export function order(have: number | null, n: number): Verdict {
  return have === null || n >= have ? "apply" : "old";
}

/** Milliseconds before attempt `attempt` (from 0): quick at first, at most ten seconds, spread so that not all come at once. */
export function backoff(attempt: number, random: number): number {
  const base = Math.min(10_000, 300 * 2 ** Math.min(attempt, 6));
  return Math.round(base * (0.75 + random / 2));
}

export type Fate = "again" | "stop";

/** Whether a refusal is about to pass, so that connecting again makes sense. */
export function fate(code: string): Fate {
  return ["no_table", "bad_token", "banned", "version", "no_watching", "closed"].includes(code) ? "stop" : "again";
}

/** Whether a refused message should be sent once more by itself. */
export function retry(code: string): boolean {
  return code === "busy" || code === "storage" || code === "too_fast" || code === "closing";
}
