// A position without a table: painters draw it like any other, and what is played goes to whoever shows it.
import { t } from "./i18n/i18n.svelte";
import { Table } from "./table.svelte";
import type { Choice, Move, SeatInfo } from "./wire";

export interface Shown {
  readonly game: string;
  readonly position: Record<string, unknown>;
  readonly seat: number;
  readonly to_act: number | null;
  readonly players: number;
  readonly teams: readonly number[];
  readonly text: string;
  readonly choices: Choice[];
  readonly history?: Move[];
}

export class Scene extends Table {
  #n = 0;
  readonly #onplay: (choice: Choice) => void;

  constructor(onplay: (choice: Choice) => void) {
    super("", null);
    this.#onplay = onplay;
    this.link = "open";
  }

  override play(choice: Choice): void {
    this.choose([]);
    this.#onplay(choice);
  }

  async show(shown: Shown): Promise<void> {
    const seats = Array.from({ length: shown.players }, (_, seat): SeatInfo => ({
      seat, kind: "bot", name: t("setup.seat", { n: seat + 1 }), picture: null, person: null, level: null, here: true,
      bot_plays: false, ready: false, agrees: false, points: 0, team: shown.teams[seat] ?? seat,
    }));
    this.info = {
      id: "", game: shown.game, options: {}, players: shown.players, series: null, clock_s: null, public: false, watching: false,
      mode: "practice", thoughts: false, status: "playing", deal: 0, seats, watchers: 0, created: 0, named: null,
    };
    this.you = { person: null, seat: shown.seat, host: false, token: null };
    await this.hear({
      type: "view", n: ++this.#n, deal: 0, turn: this.#n, hash: "", seat: shown.seat, to_act: shown.to_act,
      cause: { kind: "sync", by: null, seat: null, move: null },
      position: shown.position, text: shown.text, choices: shown.choices, history: shown.history ?? [], clock: null,
    });
  }
}
