import { createHash } from "node:crypto";
import type { HostedResponse as HostedRow, Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { storedJson } from "../../../identity/stored-json";
import { deriveSubkey, keyedHash } from "../../../kernel/secrets";
import type { Blocker, DesiredResource, Kind, Observation } from "../../core/kinds/kind";
import type { EdgeRunner } from "./edge-runner";
import type { HostedResponse } from "./hosted-response";

/** What hosts of resources need. */
export interface HostParts extends Pick<ActorCtx, "db" | "clock"> {
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

/** The mechanics of kinds whose effect is a response at a host of its own, `https://<name>-<secret>.<edge domain>/`. */
export const hostedKind = <S>(parts: () => HostParts, { responseOf, blockerOf, proof }: Hosted<S>): Mechanics<S> => ({
  blockerOf: async (spec) => blockerOf?.(spec) ?? (parts().edge.urlOf("x") === null ? NO_DOMAIN : undefined),
  provision: async (desired) => {
    const { db, clock, encryptionKey } = parts();
    const response = storedJson(await responseOf(desired)) as Prisma.InputJsonObject;
    const { rid: id, tenantId } = desired;
    const row = await db.hostedResponse.upsert({
      where: { id },
      create: { id, tenantId, slug: slugOf(encryptionKey, desired), response, updatedAt: clock.now() },
      update: { response, updatedAt: clock.now() },
    });
    return observationOf(parts(), row);
  },
  observe: async (all) => {
    const rows = await parts().db.hostedResponse.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
    return new Map(rows.map((row) => [row.id, observationOf(parts(), row)]));
  },
  remove: ({ rid }) => removeResponse(parts(), rid),
  suspend: ({ rid }) => removeResponse(parts(), rid),
  endpoints: (_wanted, { url }) => (typeof url === "string" ? [{ protocol: "http", url }] : []),
  tryIt: (_wanted, { url }) => (typeof url === "string" ? [{ title: proof, command: `curl -i ${url}` }] : []),
});

const NO_DOMAIN: Blocker = {
  code: "needs_capability",
  message: "This installation has no domain for hosts of tenants.",
  remedy: "The operator sets EDGE_DOMAIN to a domain whose names lead to svc.",
};

async function removeResponse({ db }: HostParts, id: string): Promise<boolean> {
  await db.hostedResponse.deleteMany({ where: { id } });
  return true;
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

function observationOf({ edge }: HostParts, { slug, response }: HostedRow): Observation {
  const url = edge.urlOf(slug);
  if (url === null) return { is: "faulty", observed: {}, message: NO_DOMAIN.message };
  const sent = response as unknown as HostedResponse;
  const shown =
    sent.type === "redirect"
      ? { status: sent.status }
      : { status: 200, bytes: Buffer.byteLength(sent.text), sha256: sha256Of(sent.text) };
  return { is: "present", observed: { url, ...shown } };
}

const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");
