import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { storedJson } from "../../../identity/stored-json";
import { deriveSubkey, keyedHash } from "../../../kernel/secrets";
import type { Blocker, DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import { changeServed, observationWhenServed } from "../../core/served-copies/change-served";
import { type ServedBy, servedBy } from "../../core/served-copies/served-changes.sql";
import type { EdgeRunner } from "./edge-runner";
import { HOSTED_RESPONSES, type HostedResponse } from "./hosted-response";

/** What hosts of resources need. */
export interface HostParts extends Pick<ActorCtx, "db" | "clock"> {
  sql: Pool;
  encryptionKey: Buffer;
  edge: Pick<EdgeRunner, "urlOf">;
}

const LABEL_LENGTH_MAX = 30;

type Mechanics<S> = Pick<Kind<S>, "blockerOf" | "provision" | "observe" | "remove" | "suspend" | "endpoints" | "tryIt">;

interface Hosted<S> {
  /** What the host sends for a resource. Throws a ServiceError for what cannot be made now. */
  responseOf: (desired: DesiredResource<S>) => Promise<HostedResponse>;
  /** What the spec itself lacks. */
  blockerOf?: (spec: S) => Blocker | undefined;
  /** The title of its command, such as "Follow it". */
  proof: string;
}

/**
 * The mechanics of kinds whose effect is a response at a host of its own, `https://<name>-<secret>.<edge domain>/`. It is
 * ready when every process sends it, and gone when none does.
 */
export const hostedKind = <S>(parts: () => HostParts, { responseOf, blockerOf, proof }: Hosted<S>): Mechanics<S> => ({
  blockerOf: async (spec) => blockerOf?.(spec) ?? (parts().edge.urlOf("x") === null ? NO_DOMAIN : undefined),
  provision: async (desired, signal) => {
    const response = await responseOf(desired);
    const { key, by } = await changeHosted(parts(), { desired, response }, signal);
    return observationOf(parts(), { slug: key, response, by });
  },
  observe: async (all) => {
    const { db, sql } = parts();
    const rows = await db.hostedResponse.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
    const by = await servedBy(sql, { topic: HOSTED_RESPONSES, keys: rows.map(({ slug }) => slug) });
    return new Map(
      rows.map(({ id, slug, response }) => [
        id,
        observationOf(parts(), { slug, response: response as unknown as HostedResponse, by: by.get(slug) }),
      ]),
    );
  },
  remove: (desired, signal) => removeResponse(parts(), desired, signal),
  suspend: (desired, signal) => removeResponse(parts(), desired, signal),
  endpoints: (_wanted, { url }) => (typeof url === "string" ? [{ protocol: "http", url }] : []),
  tryIt: (_wanted, { url }) => (typeof url === "string" ? [{ title: proof, command: `curl -i ${url}` }] : []),
});

const NO_DOMAIN: Blocker = {
  code: "needs_capability",
  message: "This installation has no domain for hosts of tenants.",
  remedy: "The operator sets EDGE_DOMAIN to a domain whose names lead to svc.",
};

/** Nothing is left of it when no process sends it any more. */
async function removeResponse(parts: HostParts, desired: DesiredResource, signal: AbortSignal): Promise<boolean> {
  const { by } = await changeHosted(parts, { desired }, signal);
  return by !== "some";
}

/** Stores the response of a resource, or deletes it without one. Returns its host, and who sends that by now. */
async function changeHosted(
  { db, sql, clock, encryptionKey }: HostParts,
  { desired, response }: { desired: DesiredResource; response?: HostedResponse },
  signal: AbortSignal,
) {
  const { rid: id, tenantId } = desired;
  const key = slugOf(encryptionKey, desired);
  const write = async (tx: Prisma.TransactionClient): Promise<boolean> => {
    if (!response) return (await tx.hostedResponse.deleteMany({ where: { id } })).count > 0;
    const stored = { response: storedJson(response) as Prisma.InputJsonObject, updatedAt: clock.now() };
    await tx.hostedResponse.upsert({ where: { id }, create: { id, tenantId, slug: key, ...stored }, update: stored });
    return true;
  };
  return { key, by: await changeServed({ db, sql }, { topic: HOSTED_RESPONSES, key, write }, signal) };
}

/** It follows from the id, so that a repetition makes no second host, and nobody can guess it. */
function slugOf(encryptionKey: Buffer, { rid, name }: Pick<DesiredResource, "rid" | "name">): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LABEL_LENGTH_MAX)
    .replace(/^-+|-+$/g, "");
  return `${label || "r"}-${keyedHash(deriveSubkey(encryptionKey, "hosts of resources"), rid)}`;
}

interface Sent {
  slug: string;
  response: HostedResponse;
  by: ServedBy | undefined;
}

function observationOf({ edge }: HostParts, { slug, response, by = "none" }: Sent): Observation {
  const url = edge.urlOf(slug);
  if (url === null) return { is: "faulty", observed: {}, message: NO_DOMAIN.message };
  const shown =
    response.type === "redirect"
      ? { status: response.status }
      : { status: 200, bytes: Buffer.byteLength(response.text), sha256: sha256Of(response.text) };
  return observationWhenServed(by, { url, ...shown });
}

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");
