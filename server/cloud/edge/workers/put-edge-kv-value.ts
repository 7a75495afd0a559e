import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { EDGE_INPUT_LIMITS } from "./edge-fields";
import { putKv } from "./kv.sql";
import { KvEncoding, KvKeyRecord, kvEntryExample, kvKeyExample, kvPlaceOf } from "./kv-entry";
import { expiryOf, keyOf, kvExpiry, kvKeyChoice } from "./kv-key";

/** Stores a value; the first one creates the namespace. Throws `invalid_request`, `payload_too_large` and `quota_exceeded`. */
export const putEdgeKvValue = operation({
  id: "putEdgeKvValue",
  summary: "Store the value of a key of a KV namespace",
  description:
    "Every read that begins after the response returns it. A namespace exists from its first value on, and is the one that functions of the project and mode bind by the same name.",
  access: "edge:write",
  stores: true,
  inputLimits: EDGE_INPUT_LIMITS,
  input: z.strictObject({
    ...kvKeyChoice,
    value: z.string().describe("At most 1 MiB, as text or in base64"),
    encoding: KvEncoding.default("utf8").describe("How `value` is written; default `utf8`"),
    ttl_seconds: kvExpiry.ttl.optional().describe("After how many seconds the entry ends, at least 60; default: never"),
  }),
  output: KvKeyRecord,
  example: {
    input: { namespace: "cache", key: kvEntryExample.key, value: kvEntryExample.value, ttl_seconds: 3600 },
    output: kvKeyExample,
  },
  run: async (
    ctx: ActorCtx & Pick<EdgeCtx, "sql" | "storedBytes">,
    { key: written, key_encoding, value: text, encoding, ttl_seconds: ttl, ...choice },
  ) => {
    const key = keyOf({ key: written, key_encoding });
    const owner = await kvPlaceOf(ctx, choice);
    const expiresAt = expiryOf(owner.now, { ttl });
    const value = bytesOf(text, encoding);
    await ctx.storedBytes.assertRoom(owner.tenantId, value.length);
    const added = await putKv(ctx.sql, owner, { key, value, expiresAt, isSmokeRun: false });
    ctx.storedBytes.count(owner.tenantId, "kv", added);
    return { key, expires_at: expiresAt?.toISOString() ?? null };
  },
});

function bytesOf(text: string, encoding: z.output<typeof KvEncoding>): Buffer {
  const bytes = Buffer.from(text, encoding);
  if (encoding === "utf8" || bytes.toString("base64") === text) return bytes;
  throw new ServiceError("invalid_request", "value: expected base64 with padding (RFC 4648), as encoding says.", {
    param: "value",
  });
}
