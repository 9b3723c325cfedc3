// The words of the page in the reader's language. English is always here; the others are fetched when they are wanted.
import { en } from "./en";

export type Key = keyof typeof en;
export type Words = Record<Key, string>;
export type Params = Record<string, string | number>;
export const LANGUAGES = { en: "English", fr: "Français", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

const loaders: Record<Language, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  fr: () => import("./fr").then((module) => module.fr),
  zh: () => import("./zh").then((module) => module.zh),
};

export function isLanguage(text: string | null | undefined): text is Language {
  return text != null && text in LANGUAGES;
}

/** The first of the browser's languages that we speak. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    const short = language.toLowerCase().split("-")[0];
    if (isLanguage(short)) return short;
  }
  return "en";
}

/** Which of "one|other" a number takes; French says "0 carte". */
export function plural(language: Language, text: string, n: number): string {
  const forms = text.split("|");
  const one = language === "fr" ? n < 2 : n === 1;
  return (one ? forms[0] : forms.at(-1)) ?? text;
}

export function fill(language: Language, text: string, params: Params | undefined): string {
  if (!params) return text;
  const form = typeof params.n === "number" && text.includes("|") ? plural(language, text, params.n) : text;
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => (name in params ? String(params[name]) : whole));
}

class I18n {
  language = $state<Language>("en");
  #words = $state.raw<Words>(en);

  async use(language: Language): Promise<void> {
    const words = await loaders[language]();
    this.#words = words;
    this.language = language;
    if (typeof document !== "undefined") document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  }

  t = (key: Key, params?: Params): string => fill(this.language, this.#words[key], params);

  /** A key that is put together from outside (a game's name, a code): the fallback where there are no words for it. */
  maybe = (key: string, fallback: string, params?: Params): string =>
    key in this.#words ? this.t(key as Key, params) : fallback;

  /** The letter on a court card: French cards say V, D, R. */
  rank = (rank: string): string => this.maybe(`rank.${rank}`, rank);

  number = (value: number): string => new Intl.NumberFormat(this.language).format(value);
}

export const i18n = new I18n();
export const t = i18n.t;
