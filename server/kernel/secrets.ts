import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose of a derived key; one root secret never serves two purposes directly. */
export type KeyPurpose =
  | "cursor"
  | "address"
  | "user"
  | "encryption"
  | "jwt"
  | "log_in"
  | "pixel"
  | "idempotency"
  | "backup"
  | "channel-ref"
  | "s3"
  | "objects"
  | "nodes"
  | "shield"
  | "secrets"
  | "workspaces"
  | "agent-tasks";

/** A 32-byte key for one purpose, by HKDF-SHA256 (RFC 5869) from the installation's root secret. */
export const deriveKey = (root: string, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync("sha256", root, "svc", purpose, 32));

/** A 32-byte key that depends on both `key` and `text`, also by HKDF. */
export const deriveSubkey = (key: Buffer, text: string): Buffer => Buffer.from(hkdfSync("sha256", key, text, "", 32));

/** Hex SHA-256: how random tokens and keys are stored. They carry at least 128 bits, so no slow hash is needed. */
export const sha256 = (text: string): string => hash("sha256", text);

/** Hex HMAC-SHA256 cut to 128 bits: a stable pseudonym of `text` that only the key's owner can compute. */
export const keyedHash = (key: Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest("hex").slice(0, 32);

/** AES-256-GCM: base64url of nonce, tag and ciphertext. `context` is authenticated with it. */
export function seal(key: Buffer, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** The text that was passed to `seal`, or undefined for anything that was not sealed with this key and context. */
export function unseal(key: Buffer, sealed: string, context: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString("base64url") !== sealed) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
