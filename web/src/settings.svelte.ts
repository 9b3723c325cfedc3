// What the page remembers on this device: who one is, and how it should look and sound.
import { i18n, isLanguage, preferred, type Language } from "./i18n/i18n.svelte";
import { PICTURES, type Person } from "./wire";

export type Theme = "auto" | "light" | "dark";

interface Saved {
  token: string | null;
  person: Person | null;
  theme: Theme;
  language: Language | null;
  sound: boolean;
  notify: boolean;
  confirm: boolean;
  muted: string[];
  /** Whether the kibitzer says what it thinks, where a table allows it. */
  kibitzer: boolean;
  /** Whether a card was played on this device: the first game explains itself. */
  taught: boolean;
  /** Tables where one has sat, the latest first. */
  tables: string[];
  /** Problems that were solved on this device. */
  solved: string[];
}

const PLACE = "kibitz";
const FRESH: Saved = {
  token: null,
  person: null,
  theme: "auto",
  language: null,
  sound: false,
  notify: false,
  confirm: false,
  muted: [],
  kibitzer: false,
  taught: false,
  tables: [],
  solved: [],
};
const REMEMBERED = 12; // tables

function load(): Saved {
  try {
    return { ...FRESH, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Saved>) };
  } catch {
    return { ...FRESH }; // no storage, or nothing that we wrote: begin anew
  }
}

class Settings {
  /** For a guest who has not chosen one. */
  readonly picture = Math.floor(Math.random() * PICTURES);
  #saved = $state<Saved>(load());

  get<K extends keyof Saved>(key: K): Saved[K] {
    return this.#saved[key];
  }

  set<K extends keyof Saved>(key: K, value: Saved[K]): void {
    this.#saved[key] = value;
    try {
      localStorage.setItem(PLACE, JSON.stringify(this.#saved));
    } catch {
      // private windows may refuse: the settings last as long as the page
    }
    if (key === "theme") this.applyTheme();
  }

  sat(table: string): void {
    if (this.#saved.tables[0] !== table) this.set("tables", [table, ...this.#saved.tables.filter((one) => one !== table)].slice(0, REMEMBERED));
  }

  /** Before the first picture: theme and language. */
  async begin(): Promise<void> {
    this.applyTheme();
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.applyTheme());
    const chosen = this.#saved.language;
    await i18n.use(isLanguage(chosen) ? chosen : preferred(navigator.languages));
  }

  async speak(language: Language): Promise<void> {
    this.set("language", language);
    await i18n.use(language);
  }

  applyTheme(): void {
    const wanted = this.#saved.theme;
    const light = wanted === "light" || (wanted === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
    document.documentElement.dataset.theme = light ? "light" : "dark";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", light ? "#f7faf7" : "#0d2122");
  }
}

export const settings = new Settings();
