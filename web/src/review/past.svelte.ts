// A finished deal as a table that can be looked at: the same painters draw it, step by step, from any seat.
import { Table, type LogLine } from "../table.svelte";
import { moveWords } from "../words";
import type { Choice, Replay, Step } from "../wire";

export class Past extends Table {
  /** The deal from the seats that were asked for; null is all hands. */
  replay = $state.raw<Replay | null>(null);
  at = $state(0);
  /** What a move does while one tries; otherwise nothing can be played. */
  attempt: ((choice: Choice) => void) | null = null;

  readonly last = $derived((this.replay?.steps.length ?? 1) - 1);
  readonly step: Step | undefined = $derived(this.replay?.steps[this.at]);

  constructor(id: string) {
    super(id, null);
    this.caption = "";
    this.link = "open";
  }

  override play(choice: Choice): void {
    this.attempt?.(choice);
  }

  /** Another deal, or another view of it; `seat` sits below. */
  open(replay: Replay, seat: number): void {
    this.replay = replay;
    this.info = {
      id: replay.table, game: replay.game, options: replay.options, players: replay.seats.length, series: replay.series, clock_s: null, public: false,
      watching: true, mode: "casual", thoughts: false, status: "over", deal: replay.deal, seats: replay.seats, watchers: 0, created: replay.finished, named: replay.named,
    };
    this.you = { person: null, seat, host: false, token: null };
    this.#draw(Math.min(this.at, replay.steps.length - 1));
  }

  /** To the position after so many moves; a step forward lets the card fly. */
  async go(at: number): Promise<void> {
    const next = Math.max(0, Math.min(this.last, at));
    if (next === this.at + 1) await this.flip(() => this.#draw(next));
    else this.#draw(next);
  }

  /** What led to a position, in words. */
  says(at: number): string {
    const move = this.replay?.steps[at]?.move;
    if (!move) return "";
    return moveWords(this.kind, move.text, this.name(move.seat), move.seat === this.seat && this.replay?.mine === this.seat, (seat) => this.name(seat));
  }

  /** "You" is only who looks at the own game. */
  override name(seat: number): string {
    return this.replay && this.replay.mine !== seat ? (this.who(seat)?.name ?? "") : super.name(seat);
  }

  #draw(at: number): void {
    const replay = this.replay;
    const step = replay?.steps[at];
    if (!replay || !step) return;
    this.at = at;
    this.chosen = [];
    this.notice = null;
    const log: LogLine[] = replay.steps.slice(1, at + 1).map((one, i) => ({ id: i + 1, move: one.move, seat: one.move?.seat ?? null }));
    this.log = log;
    this.view = {
      type: "view", n: at, deal: replay.deal, turn: at, hash: "", seat: this.seat ?? 0, to_act: step.to_act, position: step.position, text: step.text,
      cause: { kind: at === 0 ? "deal" : "move", by: null, seat: step.move?.seat ?? null, move: step.move }, choices: step.choices, history: null, clock: null,
    };
  }
}
