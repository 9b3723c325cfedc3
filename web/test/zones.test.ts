import { describe, expect, it } from "vitest";

import { board, complete, half, hands, placed, used, zones, type Position } from "../src/editor/zones";

const UNO: Position = { game: "uno", players: 3, seat: 0, target: "r-5", hands: [["r-7", "g-5"], { count: 2 }, { count: 7 }], memory: [] };
const DECK = { "r-7": 2, "r-5": 2, "g-5": 2, wild: 4 };

describe("cards", () => {
  it("counts what a position shows", () => {
    expect(Object.fromEntries(used(UNO))).toEqual({ "r-7": 1, "g-5": 1, "r-5": 1 });
  });
  it("begins a set-up without what was remembered of play", () => {
    const made = complete(UNO, DECK);
    expect(made).not.toHaveProperty("memory");
    expect(made.pile).toEqual({ count: 10 - 1 - 11 }); // the server says that this cannot be
  });
  it("leaves a wild its named colour, and the deck the card", () => {
    const wild = zones(UNO).find((zone) => zone.key === "target")?.field;
    const made = wild?.kind === "card" ? complete(wild.set("wild"), DECK) : {};
    expect([made.target, made.discards]).toEqual(["r-wild", ["wild"]]);
  });
  it("opens all hands or none", () => {
    const open = { ...UNO, hands: [["r-7"], ["g-5"], { count: 7 }] };
    expect([half(UNO), half(open), half({ ...UNO, hands: [["r-7"], ["g-5"], ["wild"]] })]).toEqual([false, true, false]);
    expect(complete({ ...UNO, hands: [["r-7"], ["g-5"], ["wild"]] }, DECK)).not.toHaveProperty("seat");
  });
  it("takes the hand along to another seat", () => {
    const bid: Position = { game: "belote", seat: 0, phase: "first", turned: "8c", hands: [["Js"], { count: 5 }, { count: 5 }, { count: 5 }] };
    const seat = zones(bid).find((zone) => zone.key === "seat")?.field;
    const moved = seat?.kind === "choice" ? complete(seat.set("2"), {}) : {};
    expect(hands(moved)).toEqual([{ count: 5 }, { count: 5 }, ["Js"], { count: 5 }]);
    expect([moved.seat, moved.to_act]).toEqual([2, 2]);
  });
  it("counts hidden cards from those that were played", () => {
    const made = complete({ game: "doudizhu", seat: 1, phase: "play", landlord_seat: 0, talon: "345", played: ["33", "", "4"], hands: [{ count: 0 }, "5", { count: 0 }] }, {});
    expect(made.hands).toEqual([{ count: 18 }, "5", { count: 16 }]);
    expect(made.bids).toEqual([3, -1, -1]);
  });
});

describe("boards", () => {
  const EMPTY: Position = { game: "connect_four", seat: 0, board: ["...", "...", "..."] };
  it("lets stones fall, and takes the topmost away", () => {
    const one = placed(EMPTY, { row: 0, column: 1 }, "x", true);
    const two = placed(one, { row: 0, column: 1 }, "o", true);
    expect(two.board).toEqual(["...", ".o.", ".x."]);
    expect(placed(two, { row: 0, column: 1 }, ".", true).board).toEqual(["...", "...", ".x."]);
    expect(placed(EMPTY, { row: 0, column: 1 }, ".", true)).toBe(EMPTY);
  });
  it("knows whose turn it is from the stones", () => {
    expect(board({ ...EMPTY, board: ["x..", "...", "..."] })).toMatchObject({ to_act: 1 });
    expect(board(EMPTY)).not.toHaveProperty("seat");
  });
});
