import { beforeEach, describe, expect, it } from "vitest";

import { Link, type LinkState } from "../src/link";
import type { ServerMessage } from "../src/wire";

/** A socket whose other side is the test. */
class Socket {
  readyState = 1;
  sent: { type: string; cid?: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: Socket[];
let waiting: { run: () => void; ms: number }[];
let heard: ServerMessage[];
let states: LinkState[];
let link: Link;
const last = (): Socket => sockets.at(-1) as Socket;
const acts = (socket: Socket): (string | undefined)[] => socket.sent.filter((one) => one.type === "act").map((one) => one.cid);
const act = (cid: string) => ({ type: "act", cid, turn: 1, action: 2 }) as const;

/** Lets all that waits for at most so long happen. */
function pass(ms: number): void {
  const due = waiting.filter((one) => one.ms <= ms);
  waiting = waiting.filter((one) => one.ms > ms);
  for (const one of due) one.run();
}

function open(): void {
  last().onopen?.();
  last().hear({ type: "welcome" });
}

beforeEach(() => {
  [sockets, waiting, heard, states] = [[], [], [], []];
  link = new Link(
    "ws://here",
    {
      hello: () => ({ type: "hello", version: 1, table: "t", token: null, have: null }),
      message: (message) => heard.push(message),
      state: (state) => states.push(state),
    },
    {
      socket: () => {
        sockets.push(new Socket());
        return last() as unknown as WebSocket;
      },
      later: (run, ms) => {
        const one = { run, ms };
        waiting.push(one);
        return () => (waiting = waiting.filter((other) => other !== one));
      },
      random: () => 0.5,
    },
  );
});

describe("link", () => {
  it("sends nothing before it is welcome, and then everything", () => {
    link.send(act("a"));
    last().onopen?.();
    expect(last().sent.map((one) => one.type)).toEqual(["hello"]);
    last().hear({ type: "welcome" });
    expect(acts(last())).toEqual(["a"]);
  });

  it("sends again what was not acknowledged when the line was cut, and nothing else", () => {
    open();
    link.send(act("a"));
    last().hear({ type: "ack", cid: "a", n: 1 });
    link.send(act("b"));
    last().close();
    pass(1000);
    open();
    expect(sockets).toHaveLength(2);
    expect(acts(last())).toEqual(["b"]);
  });

  it.each([null, "a"])("sends again what came too fast (cid %s), without a word", (cid) => {
    open();
    link.send(act("a"));
    for (const code of ["too_fast", "busy"]) last().hear({ type: "refused", cid, code });
    expect(acts(last())).toEqual(["a"]);
    pass(1000);
    expect(acts(last())).toEqual(["a", "a"]);
    last().hear({ type: "ack", cid: "a", n: 1 });
    pass(1000);
    expect(acts(last())).toEqual(["a", "a"]);
    expect(heard.map((one) => one.type)).toEqual(["welcome", "ack"]);
  });

  it("says that the server cannot save, and goes on trying", () => {
    open();
    link.send(act("a"));
    last().hear({ type: "refused", cid: "a", code: "storage" });
    expect(heard.at(-1)).toMatchObject({ code: "storage" });
    pass(1000);
    expect(acts(last())).toEqual(["a", "a"]);
  });

  it("connects again where the hello came at a bad moment, and stops where it never will do", () => {
    last().onopen?.();
    last().hear({ type: "refused", cid: null, code: "storage" });
    pass(1000);
    expect(sockets).toHaveLength(2);
    last().onopen?.();
    last().hear({ type: "refused", cid: null, code: "no_table" });
    pass(100_000);
    expect(sockets).toHaveLength(2);
    expect(states.at(-1)).toBe("stopped");
  });
});
