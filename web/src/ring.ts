// Where the seats lie: on an ellipse where there is room, in rows along the top where there is not. Pure.

export interface Around {
  /** Percent of the ring's width and height. */
  readonly x: number;
  readonly y: number;
}

/** The seats that are drawn around the table, in the order of play from the left of the seat below. */
export function order(players: number, me: number | null): number[] {
  const first = me === null ? 0 : me + 1;
  const count = me === null ? players : players - 1;
  return Array.from({ length: count }, (_, k) => (first + k) % players);
}

/** Half of the ellipse for those around a player, all of it where nobody sits below. */
export function around(count: number, whole: boolean): Around[] {
  return Array.from({ length: count }, (_, k) => {
    const degrees = whole ? 270 - (360 * k) / count : 180 - (180 * (k + 0.5)) / count;
    const angle = (degrees * Math.PI) / 180;
    const y = whole ? 46 - 38 * Math.sin(angle) : 66 - 56 * Math.sin(angle);
    return { x: round(50 + 41 * Math.cos(angle)), y: round(y) };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
