import { randomBytes } from "node:crypto";
import { seal, unseal } from "../../../kernel/secrets";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** How long the secret before a rotation still signs. Specification, "Limits". */
export const PREVIOUS_SECRET_MS = 24 * 60 * 60 * 1000;

/** `whsec_` and base64 of 32 random bytes, the format of Standard Webhooks. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The key of a Standard Webhooks signature: the bytes after the prefix. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), "base64");

export const sealSecret = (key: Buffer, webhookId: string, secret: string): string =>
  seal(key, secret, contextOf(webhookId));

/** Throws if the secret was sealed with another key, which an installation with another SVC_SECRET has. */
export function unsealSecret(key: Buffer, webhookId: string, sealed: string): string {
  const secret = unseal(key, sealed, contextOf(webhookId));
  if (secret === undefined) throw new Error("The signing secret was stored under another SVC_SECRET.");
  return secret;
}

const contextOf = (webhookId: string): string => `webhook secret ${webhookId}`;
