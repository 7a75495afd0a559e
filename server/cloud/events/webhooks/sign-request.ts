import { createHmac } from "node:crypto";
import { secretBytes } from "./webhook-secret";

interface Signed {
  /** The id of the event, the same for each attempt. */
  id: string;
  body: Buffer;
  /** The current secret, then the previous one while it still signs. */
  secrets: readonly string[];
  at: Date;
}

/**
 * The headers that authenticate a request: `X-SVC-Timestamp` and `X-SVC-Signature` of the specification, which is
 * Stripe's scheme (HMAC-SHA256 of `<unix>.<body>`, keyed with the whole text of the secret), and the three headers of
 * Standard Webhooks (HMAC-SHA256 of `<id>.<unix>.<body>`, keyed with the bytes after `whsec_`).
 */
export function signatureHeaders({ id, body, secrets, at }: Signed): Record<string, string> {
  const unix = String(Math.floor(at.getTime() / 1000));
  const ours = secrets.map((secret) => `v1=${hmac(secret, [`${unix}.`, body]).toString("hex")}`);
  const standard = secrets.map(
    (secret) => `v1,${hmac(secretBytes(secret), [`${id}.${unix}.`, body]).toString("base64")}`,
  );
  return {
    "x-svc-timestamp": unix,
    "x-svc-signature": [`t=${unix}`, ...ours].join(","),
    "webhook-id": id,
    "webhook-timestamp": unix,
    "webhook-signature": standard.join(" "),
  };
}

function hmac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
