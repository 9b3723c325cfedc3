// One table as the page knows it: what the server said last, what was sent and not yet acknowledged, what is chosen.
// Nothing is optimistic: a position changes only when the server says so.
import { tick } from "svelte";

import * as fly from "./fly";
import { t } from "./i18n/i18n.svelte";
import { Link, type LinkState } from "./link";
import { order, retry } from "./resync";
import { settings } from "./settings.svelte";
import { VERSION } from "./wire";
import type { Choice, Hello, Move, Over, People, Report, Said, SeatInfo, SeatWish, ServerMessage, TableInfo, View, You } from "./wire";

const LATE_MS = 2000; // an acknowledged move whose view is not here after so long is asked for

/** What a mark on a card, a place or a button says: the advised one, the one that was right, the one that was not. */
export type Mark = "now" | "good" | "bad";

export interface LogLine {
  readonly id: number;
  readonly move?: Move | null;
  readonly seat?: number | null;
  readonly said?: Said;
  readonly deal?: number;
}

/** What a painter and the parts around it need of a table; the gallery has one without a server. */
export class Table {
  readonly id: string;
  info = $state.raw<TableInfo | null>(null);
  you = $state.raw<You | null>(null);
  view = $state.raw<View | null>(null);
  over = $state.raw<Over | null>(null);
  phrases = $state.raw<string[]>([]);
  log = $state.raw<LogLine[]>([]);
  link = $state<LinkState>("connecting");
  stopped = $state<string | null>(null);
  /** Nobody may watch: there are seats, but no view. */
  hidden = $state(false);
  /** When the clock of the view was right, in milliseconds of `performance.now`. */
  heardAt = $state.raw(0);
  /** The action that was sent and is not acknowledged yet. */
  pending = $state.raw<{ cid: string; action: number } | null>(null);
  /** Why something was refused, or cannot be done: said once, until the next view. */
  notice = $state.raw<{ text: string; at: number } | null>(null);
  refusal = $state.raw<{ code: string; at: number } | null>(null);
  /** Keys of the cards and places that are chosen so far. */
  chosen = $state.raw<string[]>([]);
  /** What the kibitzer thinks of the decision `thoughtOf`, deal and turn. */
  report = $state.raw<Report | null>(null);
  thoughtOf = $state.raw<string | null>(null);
  /** The decision that it was asked about, and why it says nothing. */
  asked = $state.raw<string | null>(null);
  silence = $state.raw<string | null>(null);
  /** What stands where one would be asked to play, while a deal is only looked at. */
  caption = $state.raw<string | null>(null);
  /** Marks of choices, by action. */
  marks = $state.raw<ReadonlyMap<number, Mark>>(new Map());
  bubbles = $state.raw<ReadonlyMap<number, { phrase: string; n: number }>>(new Map());

  readonly seat = $derived(this.you?.seat ?? null);
  readonly seats = $derived(this.info?.seats ?? []);
  readonly position = $derived(this.over?.position ?? this.view?.position ?? null);
  readonly choices: Choice[] = $derived(this.pending || this.over || this.caption !== null ? [] : (this.view?.choices ?? []));
  readonly myTurn = $derived(this.choices.length > 0);
  readonly me = $derived(this.seat === null ? undefined : this.who(this.seat));
  /** The decision, as deal and turn. */
  readonly moment = $derived(this.view ? `${this.view.deal}.${this.view.turn}` : null);
  /** The marks by what the choices touch: "hand:r-5" as often as it is touched. */
  readonly marked = $derived.by(() => {
    const found: { key: string; mark: Mark }[] = [];
    for (const [action, mark] of this.marks) {
      const touches = (this.view?.choices ?? []).find((choice) => choice.action === action)?.touches ?? [];
      for (const key of touches) found.push({ key, mark });
    }
    return found;
  });
  /** Whether another person is at the table, to speak with. */
  readonly company = $derived((this.info?.watchers ?? 0) > (this.seat === null ? 1 : 0) || this.seats.some((one) => one.kind === "person" && one.seat !== this.seat));
  /** Whether some seats play together. */
  readonly partners = $derived(new Set(this.seats.map((one) => one.team)).size < this.seats.length);
  readonly kind = $derived(this.info?.game.split(":")[0] ?? "");

  #link: Link | null = null;
  #token: string | null;
  #thinks = new Set<string>(); // cids of questions to the kibitzer
  #have: number | null = null;
  #count = 0;

  constructor(id: string, token: string | null) {
    this.id = id;
    this.#token = token;
  }

  connect(url: string): void {
    this.#link = new Link(url, {
      hello: () => this.#hello(),
      message: (message) => void this.hear(message),
      state: (state, code) => {
        this.link = state;
        if (code) this.stopped = code;
      },
    });
  }

  close(): void {
    this.#link?.close();
  }

  /** Plays an action; what is chosen stays lifted until the answer is here. */
  play(choice: Choice): void {
    const view = this.view;
    if (!view || this.pending) return;
    const cid = newId();
    settings.set("taught", true);
    this.pending = { cid, action: choice.action };
    if (this.chosen.length === 0) this.chosen = choice.touches;
    this.#link?.send({ type: "act", cid, turn: view.turn, action: choice.action });
  }

  wish(want: SeatWish["want"], seat: number | null = null, level: string | null = null): void {
    this.#link?.send({ type: "seat", cid: newId(), want, seat, level });
  }

  /** Asks the kibitzer about the decision, or tells it to be silent. */
  think(on: boolean): void {
    if (on === (this.asked === this.moment)) return;
    this.asked = on ? this.moment : null;
    this.silence = null;
    const cid = newId();
    this.#thinks.add(cid);
    this.#link?.send({ type: "think", cid, on });
  }

  mark(marks: ReadonlyMap<number, Mark>): void {
    this.marks = marks;
  }

  say(phrase: string): void {
    this.#link?.send({ type: "say", cid: newId(), phrase });
  }

  choose(keys: string[]): void {
    this.chosen = keys;
    this.notice = null;
  }

  tell(text: string): void {
    this.notice = { text, at: ++this.#count };
  }

  who(seat: number): SeatInfo | undefined {
    return this.seats.find((one) => one.seat === seat);
  }

  name(seat: number): string {
    return seat === this.seat ? t("table.you") : this.who(seat)?.name || t("table.open");
  }

  async hear(message: ServerMessage): Promise<void> {
    switch (message.type) {
      case "welcome":
        this.you = message.you;
        this.info = message.table;
        this.phrases = message.phrases;
        this.hidden = false;
        this.asked = null; // another connection, or another seat: nobody listens there yet
        if (message.you.seat !== null) settings.sat(this.id);
        break;
      case "people":
        this.#people(message);
        break;
      case "view":
        await this.#show(message);
        break;
      case "said":
        this.#heard(message);
        break;
      case "refused":
        this.#refused(message.cid, message.code);
        break;
      case "over":
        await this.flip(() => {
          this.over = message;
          this.#settle();
        });
        break;
      case "ack":
        this.#acked(message.cid, message.n);
        break;
      case "thought":
        if (`${message.deal}.${message.turn}` !== this.moment) break;
        this.report = message.report;
        this.thoughtOf = this.moment;
        break;
      case "pong":
        break;
    }
  }

  #hello(): Hello {
    return { type: "hello", version: VERSION, table: this.id, token: this.#token, have: this.#have };
  }

  #people(message: People): void {
    if (!this.info) return;
    const { status, deal, seats, watchers, thoughts } = message;
    this.info = { ...this.info, status, deal, seats, watchers, thoughts };
  }

  async #show(view: View): Promise<void> {
    if (order(this.#have, view.n) === "old") return;
    const fresh = view.n !== this.#have;
    this.#have = view.n;
    await this.flip(() => {
      if (this.over && this.over.deal !== view.deal) this.over = null;
      this.view = view;
      this.heardAt = performance.now();
      this.#settle();
      this.notice = null;
      this.refusal = null;
      this.#write(view, fresh);
    });
  }

  #write(view: View, fresh: boolean): void {
    if (view.history) {
      const lines: LogLine[] = [{ id: ++this.#count, deal: view.deal }];
      for (const move of view.history) lines.push({ id: ++this.#count, move, seat: move.seat });
      this.log = lines;
    } else if (fresh && view.cause.kind === "move") {
      this.log = [...this.log, { id: ++this.#count, move: view.cause.move, seat: view.cause.seat }];
    }
  }

  #heard(said: Said): void {
    if (settings.get("muted").includes(said.person)) return;
    this.log = [...this.log, { id: ++this.#count, said }];
    if (said.seat === null) return;
    const seat = said.seat;
    this.bubbles = new Map(this.bubbles).set(seat, { phrase: said.phrase, n: said.n });
    setTimeout(() => {
      if (this.bubbles.get(seat)?.n !== said.n) return;
      const left = new Map(this.bubbles);
      left.delete(seat);
      this.bubbles = left;
    }, 5000);
  }

  /** What was known already is acknowledged once more, without a new view: nothing is pending then. */
  #acked(cid: string, n: number): void {
    this.#thinks.delete(cid);
    if (this.pending?.cid !== cid) return;
    if ((this.#have ?? -1) >= n) this.#settle();
    else setTimeout(() => this.pending?.cid === cid && this.#link?.resync(), LATE_MS);
  }

  #settle(): void {
    this.pending = null;
    this.chosen = [];
  }

  #refused(cid: string | null, code: string): void {
    if (code === "no_watching") this.hidden = true;
    if (cid !== null && this.#thinks.delete(cid)) return void (this.silence = code);
    this.refusal = { code, at: ++this.#count };
    if (this.pending?.cid !== cid || retry(code)) return;
    this.#settle();
    if (code === "old_turn" || code === "illegal" || code === "not_your_turn") this.#link?.resync();
  }

  /** Changes something, and lets what moves fly. */
  async flip(change: () => void): Promise<void> {
    const before = fly.capture();
    change();
    await tick();
    fly.play(before);
  }
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Whether a click plays at once: by mouse and keyboard it does; a finger first lifts the card, since cards overlap and
 * fingers are wide.
 */
export function direct(event: MouseEvent): boolean {
  if (event.detail === 0) return true; // Enter or Space
  return !settings.get("confirm") && !matchMedia("(hover: none)").matches;
}
