// The socket of one table: hello, acknowledgements, resending, pings. No Svelte here.
import { backoff, fate, retry } from "./resync";
import type { ClientMessage, Hello, ServerMessage } from "./wire";

export type Outgoing = Exclude<ClientMessage, { type: "hello" } | { type: "ping" } | { type: "resync" }>;
export type LinkState = "connecting" | "open" | "lost" | "stopped";

export interface Handlers {
  hello(): Hello;
  message(message: ServerMessage): void;
  state(state: LinkState, code: string | null): void;
}

/** What a link needs of its surroundings; tests bring their own. */
export interface Surroundings {
  socket(url: string): WebSocket;
  later(run: () => void, ms: number): () => void;
  random(): number;
}

export const browser: Surroundings = {
  socket: (url) => new WebSocket(url),
  later: (run, ms) => {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
  random: Math.random,
};

const PING_MS = 10_000; // quiet lines are cut by some proxies after 30 s or less
const SILENCE_MS = 25_000; // nothing heard for so long: the line is dead
const RETRY_MS = 700;

export class Link {
  #url: string;
  #handlers: Handlers;
  #env: Surroundings;
  #socket: WebSocket | null = null;
  #unacked: Outgoing[] = [];
  #attempt = 0;
  #greeted = false;
  #stopped = false;
  #timers = new Map<string, () => void>();

  constructor(url: string, handlers: Handlers, env: Surroundings = browser) {
    this.#url = url;
    this.#handlers = handlers;
    this.#env = env;
    this.#connect();
  }

  /** Sends, and keeps it until it is acknowledged or refused. */
  send(message: Outgoing): void {
    this.#unacked.push(message);
    if (this.#greeted) this.#write(message);
  }

  /** Asks for everything again. */
  resync(): void {
    if (this.#greeted) this.#write({ type: "resync" });
  }

  close(): void {
    this.#stop(null);
  }

  #connect(): void {
    if (this.#stopped) return;
    this.#handlers.state("connecting", null);
    this.#greeted = false;
    const socket = this.#env.socket(this.#url);
    this.#socket = socket;
    socket.onopen = () => {
      if (socket === this.#socket) this.#write(this.#handlers.hello());
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#hear(String(event.data));
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
    this.#listen();
  }

  #lost(): void {
    this.#socket = null;
    this.#greeted = false;
    this.#clear("silence");
    this.#clear("ping");
    if (this.#stopped) return;
    this.#handlers.state("lost", null);
    const wait = backoff(this.#attempt++, this.#env.random());
    this.#after("connect", wait, () => this.#connect());
  }

  #hear(text: string): void {
    this.#listen();
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === "welcome" && !this.#greeted) this.#greet();
    if (message.type === "ack") this.#settle(message.cid);
    if (message.type === "refused" && this.#refused(message.cid, message.code)) return;
    this.#handlers.message(message);
  }

  /**
   * The server knows us: what it never acknowledged goes out again, in order. It knows the `cid`s that it has, so nothing
   * counts twice, and refuses actions of a turn that has passed.
   */
  #greet(): void {
    this.#greeted = true;
    this.#attempt = 0;
    this.#handlers.state("open", null);
    for (const message of this.#unacked) this.#write(message);
    this.#beat();
  }

  /**
   * True if nobody else needs to know. What passes by itself is sent again: the message that was refused, or, where the server
   * has not read it (`cid` null), all that is not acknowledged; a refused hello by connecting again.
   */
  #refused(cid: string | null, code: string): boolean {
    if (!this.#greeted && fate(code) === "stop") {
      this.#stop(code);
      return false;
    }
    if (!this.#greeted) {
      this.#socket?.close();
      return true;
    }
    if (retry(code)) {
      this.#after(`retry ${cid ?? ""}`, RETRY_MS, () => {
        for (const message of this.#unacked) if (this.#greeted && (cid === null || message.cid === cid)) this.#write(message);
      });
      return code !== "storage"; // the only one that can last: it is said
    }
    if (cid !== null) this.#settle(cid);
    return false;
  }

  #settle(cid: string): void {
    this.#unacked = this.#unacked.filter((message) => message.cid !== cid);
  }

  #beat(): void {
    this.#after("ping", PING_MS, () => {
      this.#write({ type: "ping" });
      this.#beat();
    });
  }

  #listen(): void {
    this.#after("silence", SILENCE_MS, () => {
      const socket = this.#socket;
      this.#lost();
      socket?.close();
    });
  }

  #write(message: ClientMessage): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  #stop(code: string | null): void {
    this.#stopped = true;
    for (const name of [...this.#timers.keys()]) this.#clear(name);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#handlers.state("stopped", code);
  }

  #after(name: string, ms: number, run: () => void): void {
    this.#clear(name);
    this.#timers.set(
      name,
      this.#env.later(() => {
        this.#timers.delete(name);
        run();
      }, ms),
    );
  }

  #clear(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }
}
