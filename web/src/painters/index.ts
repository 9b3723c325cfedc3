// One painter per game, fetched when it is wanted.
import type { Component } from "svelte";

import type { Table } from "../table.svelte";

export type Painter = Component<{ table: Table }>;
type Loader = () => Promise<{ default: Painter }>;

const board: Loader = () => import("./Board.svelte");
const doudizhu: Loader = () => import("./Doudizhu.svelte");
const PAINTERS: Readonly<Record<string, Loader>> = {
  uno: () => import("./Uno.svelte"),
  belote: () => import("./Belote.svelte"),
  doudizhu,
  mini_doudizhu: doudizhu,
  tictactoe: board,
  connect_four: board,
  hex: board,
};

export async function painter(kind: string): Promise<Painter> {
  return (await (PAINTERS[kind] ?? (() => import("./Sheet.svelte")))()).default;
}
