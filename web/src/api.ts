// The server's HTTP API.
import { settings } from "./settings.svelte";
import type { AskPlayOn, AskPosition, AskThink, Described, Gallery, GameProblems, Games, Guide, Identity, Lobby, NewTable, Person, Phrase, Ratings, Report, TableInfo } from "./wire";

/** A refused request, with the server's code. */
export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const token = settings.get("token");
  const headers: Record<string, string> = { ...(token ? { authorization: `Bearer ${token}` } : {}) };
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Refusal("network");
  }
  if (answer.status === 204) return undefined as T;
  const found = (await answer.json().catch(() => ({}))) as unknown;
  if (!answer.ok) throw new Refusal((found as { code?: string }).code ?? "network");
  return found as T;
}

export const api = {
  games: () => ask<Games>("GET", "/games"),
  lobby: () => ask<Lobby>("GET", "/tables"),
  table: (id: string) => ask<TableInfo>("GET", `/tables/${encodeURIComponent(id)}`),
  guide: (game: string, language: string) => ask<Guide>("GET", `/guides/${encodeURIComponent(game)}?language=${language}`),
  make: (table: NewTable) => ask<TableInfo>("POST", "/tables", table),
  playOn: (wanted: AskPlayOn) => ask<TableInfo>("POST", "/play-on", wanted),
  position: (asked: AskPosition) => ask<Described>("POST", "/position", asked),
  think: (asked: AskThink) => ask<Report>("POST", "/think", asked),
  gallery: () => ask<Gallery>("GET", "/problems"),
  problems: (game: string) => ask<GameProblems>("GET", `/problems/${encodeURIComponent(game)}`),
  ratings: (game: string) => ask<Ratings>("GET", `/ratings/${encodeURIComponent(game)}`),
  phrase: () => ask<Phrase>("POST", "/me/phrase"),
  recover: async (phrase: string) => keep(await ask<Identity>("POST", "/recover", { phrase })),
  exported: () => ask<unknown>("GET", "/me/export"),
  forget: async () => {
    await ask<unknown>("DELETE", "/me");
    settings.set("token", null);
    settings.set("person", null);
  },
  /** Makes the guest, or changes its name and picture. */
  be: async (name: string, picture: number): Promise<void> => {
    if (settings.get("token")) settings.set("person", await ask<Person>("PUT", "/me", { name, picture }));
    else keep(await ask<Identity>("POST", "/people", { name, picture }));
  },
};

function keep(identity: Identity): void {
  settings.set("token", identity.token);
  settings.set("person", identity.person);
}

export function socketUrl(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

export function code(problem: unknown): string {
  return problem instanceof Refusal ? problem.code : "network";
}
