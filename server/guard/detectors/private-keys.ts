import { latin1 } from "./byte-classes";
import type { Match, Window } from "./rule";

export const PRIVATE_KEY = {
  id: "private_key",
  category: "secret",
  severity: "critical",
  title: "Private key",
  remedy: "Delete the object and replace the key pair.",
} as const;

export const PRIVATE_KEY_LITERALS = ["-----BEGIN ", "PuTTY-User-Key-File-"] as const;

const BEHIND_LITERAL_BYTES = 600;
const HEADER = /^-----BEGIN (?:[A-Z0-9]{2,20} ){0,2}PRIVATE KEY(?: BLOCK)?-----/;
const PUTTY_HEADER = /^PuTTY-User-Key-File-\d: /;
/** Line ends, also as they are written in JSON, and the headers of encrypted keys. */
const BETWEEN = /\\[nrt]|\s|^[A-Za-z-]+: .*$/gm;
const CONTENT = /^[A-Za-z0-9+/=]{64,}/;
const PUTTY_CONTENT = /Private-Lines: \d+\s+([A-Za-z0-9+/=]{40,})/;

/** A private key in PEM, OpenSSH, PGP or PuTTY form, with at least the beginning of its content. */
export function privateKeyAt({ bytes }: Window, at: number): Match | undefined {
  const text = latin1(bytes, at, at + BEHIND_LITERAL_BYTES);
  if (PUTTY_HEADER.test(text)) {
    const long = latin1(bytes, at, at + 4 * BEHIND_LITERAL_BYTES);
    return PUTTY_CONTENT.test(long) ? match(at, long.length) : undefined;
  }
  const [header] = HEADER.exec(text) ?? [];
  if (header === undefined) return undefined;
  const content = text.slice(header.length).replace(BETWEEN, "");
  const end = text.indexOf("-----END");
  return CONTENT.test(content) ? match(at, end < 0 ? text.length : end) : undefined;
}

const match = (start: number, length: number): Match => ({
  rule: PRIVATE_KEY.id,
  start,
  end: start + length,
  confidence: "high",
});
