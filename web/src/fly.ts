// Things that move: first where everything was, then where it is, and the difference played backwards (FLIP) with the Web
// Animations API. Cards have no ids on the wire: what is new is paired with what has gone by face and distance, and else
// comes from where the painter says (`data-from`); what has gone is swept to `data-to`.

const PLAY_MS = 220;
const DRAW_MS = 260;
const SWEEP_MS = 300;
const EASE = "cubic-bezier(.2, .7, .3, 1)";

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

interface Thing extends Spot {
  readonly face: string;
  readonly element: HTMLElement;
}

export type Picture = Map<string, Thing>;

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The middle and the width of an element, whatever its rotation. */
function spot(element: HTMLElement): Spot {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: element.offsetWidth || box.width };
}

/** Where everything that can fly is now. */
export function capture(root: ParentNode = document): Picture {
  const picture: Picture = new Map();
  for (const element of root.querySelectorAll<HTMLElement>("[data-fly]")) {
    picture.set(element.dataset.fly ?? "", { ...spot(element), face: element.dataset.face ?? "", element });
  }
  return picture;
}

/** Pairs everything new with the nearest thing of the same face that has gone. */
export function pair<T extends { face: string; x: number; y: number }>(fresh: readonly T[], gone: readonly T[]): Map<T, T> {
  const left = new Set(gone);
  const pairs = new Map<T, T>();
  for (const one of fresh) {
    let best: T | undefined;
    for (const other of left) {
      if (other.face !== one.face || one.face === "") continue;
      if (!best || distance(one, other) < distance(one, best)) best = other;
    }
    if (best) {
      left.delete(best);
      pairs.set(one, best);
    }
  }
  return pairs;
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Animates from the picture before to what is drawn now. */
export function play(before: Picture, root: ParentNode = document): void {
  if (calm()) return;
  const now = capture(root);
  const fresh = [...now].filter(([key]) => !before.has(key)).map(([, thing]) => thing);
  const gone = [...before].filter(([key]) => !now.has(key)).map(([, thing]) => thing);
  const pairs = pair(fresh, gone);
  for (const [key, thing] of now) {
    const was = before.get(key);
    if (was && distance(was, thing) > 1) move(thing, was, PLAY_MS);
  }
  for (const thing of fresh) {
    const from = pairs.get(thing) ?? anchor(thing.element.dataset.from, root);
    if (from) move(thing, from, thing.element.dataset.from === "pile" ? DRAW_MS : PLAY_MS);
  }
  const paired = new Set(pairs.values());
  for (const thing of gone) {
    const to = paired.has(thing) ? null : anchor(thing.element.dataset.to, root);
    if (to) sweep(thing, to);
  }
}

function anchor(name: string | undefined, root: ParentNode): Spot | null {
  const element = name ? root.querySelector<HTMLElement>(`[data-anchor="${CSS.escape(name)}"]`) : null;
  return element ? spot(element) : null;
}

// `translate` and `scale` of their own: the element's `transform` (the fan) stays as it is.
function move(thing: Thing, from: Spot, duration: number): void {
  const scale = Math.max(0.2, Math.min(3, from.width / (thing.width || 1)));
  const near = Math.abs(scale - 1) < 0.02;
  thing.element.animate(
    [
      { translate: `${from.x - thing.x}px ${from.y - thing.y}px`, ...(near ? {} : { scale: String(scale) }), zIndex: 50 },
      { translate: "0 0", ...(near ? {} : { scale: "1" }), zIndex: 50 },
    ],
    { duration, easing: EASE },
  );
}

function sweep(thing: Thing, to: Spot): void {
  const ghost = thing.element.cloneNode(true) as HTMLElement;
  for (const name of ["data-fly", "data-anchor", "id"]) ghost.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  const height = thing.width * 1.4;
  Object.assign(ghost.style, {
    position: "fixed",
    left: `${thing.x - thing.width / 2}px`,
    top: `${thing.y - height / 2}px`,
    width: `${thing.width}px`,
    height: `${height}px`,
    margin: "0",
    zIndex: "60",
    pointerEvents: "none",
  });
  document.body.append(ghost);
  const scale = Math.max(0.2, Math.min(1, (to.width || 30) / (thing.width || 1)));
  const flight = ghost.animate(
    [
      { translate: "0 0", scale: "1", opacity: 1 },
      { translate: `${to.x - thing.x}px ${to.y - thing.y}px`, scale: String(scale), opacity: 0.2 },
    ],
    { duration: SWEEP_MS, easing: "ease-in" },
  );
  flight.onfinish = () => ghost.remove();
  flight.oncancel = () => ghost.remove();
}
