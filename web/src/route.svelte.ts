// Where one is, in the address's fragment, which browsers send to nobody: "#/t/TABLE/TOKEN".
class Route {
  parts = $state.raw<string[]>(read());

  constructor() {
    addEventListener("hashchange", () => (this.parts = read()));
  }
}

function read(): string[] {
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

export function go(...parts: string[]): void {
  location.hash = `#/${parts.map(encodeURIComponent).join("/")}`;
}

export const route = new Route();
