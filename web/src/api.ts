// The server's HTTP API.
import { settings } from "./settings.svelte";
import type { AskPlayOn, AskPosition, AskThink, Described, Gallery, GameProblems, Games, Guide, Identity, Lobby, Named, NewTable, OwnGames, Person, Phrase, Ratings, Replay, Report, ReviewState, TableInfo } from "./wire";

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
  replay: (id: string, deal: number, seat: number | null, look: boolean) =>
    ask<Replay>("GET", `${finished(id, deal)}/replay?${new URLSearchParams({ ...(seat === null ? {} : { seat: String(seat) }), ...(look ? { look: "true" } : {}) }).toString()}`),
  review: (id: string, deal: number, seat: number) => ask<ReviewState>("GET", `${finished(id, deal)}/review?seat=${seat}`),
  record: (id: string, deal: number) => ask<Record<string, unknown>>("GET", finished(id, deal)),
  share: (id: string, deal: number) => ask<unknown>("POST", `${finished(id, deal)}/share`),
  playOn: (from: AskPlayOn) => ask<TableInfo>("POST", "/play-on", from),
  ownGames: () => ask<OwnGames>("GET", "/me/games"),
  named: (id: string) => ask<Named>("GET", `/named/${encodeURIComponent(id)}`),
  guide: (game: string, language: string) => ask<Guide>("GET", `/guides/${encodeURIComponent(game)}?language=${language}`),
  make: (table: NewTable) => ask<TableInfo>("POST", "/tables", table),
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

function finished(id: string, deal: number): string {
  return `/tables/${encodeURIComponent(id)}/deals/${deal}`;
}

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
