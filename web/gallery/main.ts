// Tables without a server, for looking at: /gallery/?scene=uno10&theme=light&lang=fr
import "../src/app.css";

import { mount } from "svelte";

import Symbols from "../src/faces/Symbols.svelte";
import { i18n, isLanguage } from "../src/i18n/i18n.svelte";
import TableView from "../src/pages/TableView.svelte";
import { settings } from "../src/settings.svelte";
import { Table } from "../src/table.svelte";
import type { Over, TableInfo, View, You } from "../src/wire";
import scenes from "./scenes.json";

const query = new URLSearchParams(location.search);
const scene = scenes.find((one) => one.name === query.get("scene")) ?? scenes[0];
const lang = query.get("lang");
await settings.begin();
settings.set("theme", query.get("theme") === "light" ? "light" : "dark");
await i18n.use(isLanguage(lang) ? lang : "en");

const table = new Table("gallery", null);
const view = scene?.view as unknown as View;
await table.hear({
  type: "welcome",
  version: 1,
  you: scene?.you as You,
  table: scene?.info as unknown as TableInfo,
  phrases: ["hello", "good_luck", "well_played", "thanks"],
});
await table.hear(view);
if (scene?.over) {
  const payoffs = scene.payoffs ?? [];
  const best = Math.max(...payoffs);
  const over: Over = {
    type: "over", n: 2, deal: 0, payoffs, winners: payoffs.flatMap((p, i) => (p === best ? [i] : [])), gained: payoffs, points: payoffs,
    held: 0, resigned: null, series_over: false, series_winners: [], seed: "1", salt: "2", hash: view.hash, commitment: "a deal of the gallery",
    dealt: null, position: scene.end,
  };
  await table.hear(over);
}
table.link = "open";
const target = document.getElementById("app") as HTMLElement;
mount(Symbols, { target });
mount(TableView, { target, props: { table } });
