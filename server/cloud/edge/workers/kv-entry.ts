import { z } from "zod";
import { findProject } from "../../../identity/projects/find-project";
import { ServiceError } from "../../../kernel/errors";
import { type Mode, modeOf } from "../../../operation/actor";
import { EXAMPLE_TIME } from "../../../operation/example";
import type { EdgeCtx } from "./edge-ctx";
import type { KvNamespaceOwner } from "./kv.sql";

export const KvEncoding = z.enum(["utf8", "base64"]);

export const KvKeyRecord = z
  .object({ key: z.string(), expires_at: z.iso.datetime().nullable().describe("null: it does not expire") })
  .meta({ id: "EdgeKvKey" });
export type KvKeyRecord = z.infer<typeof KvKeyRecord>;

export const KvEntry = KvKeyRecord.extend({
  value: z.string(),
  encoding: KvEncoding.describe("How `value` is written: `base64` for bytes that are no UTF-8 text"),
}).meta({ id: "EdgeKvEntry" });
export type KvEntry = z.infer<typeof KvEntry>;

export const kvKeyExample: KvKeyRecord = { key: "user/42", expires_at: EXAMPLE_TIME };
export const kvEntryExample: KvEntry = { ...kvKeyExample, value: '{"name":"Ada"}', encoding: "utf8" };

export function toKvEntry(key: string, { value, expiresAt }: { value: Buffer; expiresAt: Date | null }): KvEntry {
  const text = value.toString("utf8");
  const isText = Buffer.from(text, "utf8").equals(value);
  return {
    key,
    value: isText ? text : value.toString("base64"),
    encoding: isText ? "utf8" : "base64",
    expires_at: expiresAt?.toISOString() ?? null,
  };
}

/** The namespace that a request names: of a key's own project and mode, or of a person's. Throws `not_found` for the project. */
export async function kvPlaceOf(
  { db, actor, clock }: Pick<EdgeCtx, "db" | "actor" | "clock">,
  { namespace, project, mode }: { namespace: string; project?: string | undefined; mode?: Mode | undefined },
): Promise<KvNamespaceOwner> {
  const { id: projectId } = await findProject(db, actor, project);
  return { tenantId: actor.tenantId, projectId, mode: modeOf(actor, mode), namespace, now: clock.now() };
}

export const noSuchKey = (key: string): ServiceError =>
  new ServiceError("not_found", `The namespace has no key "${key.slice(0, 80)}".`, { param: "key" });

export const noSuchNamespace = (namespace: string): ServiceError =>
  new ServiceError("not_found", `No KV namespace is named "${namespace}"; the first put creates one.`, {
    param: "namespace",
  });
