/** `svc` signs with the text of the secret, Standard Webhooks (standardwebhooks.com) with the bytes that it encodes. */
export type Scheme = "svc" | "standard";

/** What is signed: the raw body with the time of the attempt, and with the id in Standard Webhooks. */
export interface Signed {
  scheme: Scheme;
  id: string;
  timestamp: string;
  body: Uint8Array;
}

/** HMAC-SHA256 as the headers have it: hexadecimal for svc, base64 for Standard Webhooks. */
export async function signatureOf({ scheme, id, timestamp, body }: Signed, secret: string): Promise<string> {
  const prefix = scheme === "svc" ? `${timestamp}.` : `${id}.${timestamp}.`;
  const head = new TextEncoder().encode(prefix);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const bytes = scheme === "svc" ? new TextEncoder().encode(secret) : decodedSecret(secret);
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return scheme === "svc" ? hex(mac) : btoa(String.fromCharCode(...mac));
}

/** Compares in a time that depends on the lengths only. */
export function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

/** @throws TypeError for anything that is not the secret of a webhook; the message does not contain it. */
export function assertSecret(secret: unknown): asserts secret is string {
  if (typeof secret === "string" && /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && isBase64(secret)) return;
  throw new TypeError(
    "secret must be the secret of a webhook: whsec_ and base64, without spaces or line breaks. Is the variable that holds it set?",
  );
}

/** As those of svc: 32 random bytes. */
export const newSecret = (): string =>
  SECRET_PREFIX + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

const SECRET_PREFIX = "whsec_";

function isBase64(secret: string): boolean {
  try {
    return decodedSecret(secret).length > 0;
  } catch {
    return false;
  }
}

const decodedSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (character) => character.charCodeAt(0));

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
