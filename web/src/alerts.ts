// It is your turn: in the title, and where it is wanted as a sound and a notification. No files: the sound is made here.
import { t } from "./i18n/i18n.svelte";
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

/** Two soft notes; one for what others do. */
export function chime(mine: boolean): void {
  if (!settings.get("sound")) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [i, pitch] of (mine ? [523, 784] : [392]).entries()) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.frequency.value = pitch;
    tone.type = "sine";
    loudness.gain.setValueAtTime(0, start + i * 0.11);
    loudness.gain.linearRampToValueAtTime(mine ? 0.12 : 0.05, start + i * 0.11 + 0.01);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + i * 0.11 + 0.25);
    tone.connect(loudness).connect(context.destination);
    tone.start(start + i * 0.11);
    tone.stop(start + i * 0.11 + 0.3);
  }
}

export function notify(game: string): void {
  if (!settings.get("notify") || !document.hidden || Notification.permission !== "granted") return;
  new Notification(t("notify.turn"), { body: game, tag: "kibitz-turn" });
}
