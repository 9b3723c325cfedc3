/** Whether the deal is the one that was announced: SHA-256 of the commitment is the fingerprint. Null: cannot be told here. */
export async function fair(commitment: string, hash: string): Promise<boolean | null> {
  // Browsers have the function on secure pages and on this machine only.
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(commitment));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("") === hash;
}
