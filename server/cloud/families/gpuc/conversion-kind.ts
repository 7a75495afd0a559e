import { type ModelConversion, Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { type Json, storedJson } from "../../../identity/stored-json";
import type { Actor } from "../../../operation/actor";
import { assertScope } from "../../../operation/authorize";
import { creatorCtx } from "../../core/kinds/creator-ctx";
import { type Kind, type Observation, type Observed, SELDOM_SECONDS } from "../../core/kinds/kind";
import type { StoredBucket } from "../../data/buckets/bucket";
import { findBucket } from "../../data/buckets/find-bucket";
import type { StoredRequest } from "../../data/model-conversions/model-conversions.sql";
import type { ConversionProgress, ConversionResult } from "../../data/models/conversion";
import { parseSourceModel, parseTargetUri } from "../../data/models/parse-model-uri";
import { ConversionSpec } from "./conversion-spec";

export const conversionKind = (parts: () => Omit<ActorCtx, "actor" | "request">): Kind<ConversionSpec> => ({
  spec: ConversionSpec,
  settled: true,
  driftSeconds: SELDOM_SECONDS,
  authorizeSpec: async (ctx, spec) => {
    assertMayCopy(ctx.actor);
    await requestOf(ctx, spec);
  },
  plan: ({ source_model, target_uri, dtype, shards }, name) => [
    { step: "read", what: `${source_model} is read once, as "${name}"`, proof: "observed.progress counts its bytes" },
    {
      step: "write",
      what: `${shards} ${shards === 1 ? "shard" : "shards"}${dtype ? ` of ${dtype}` : ""} and an index below ${target_uri}`,
      proof: "An S3 client lists them",
    },
    { step: "verify", what: "The SHA-256 of the source", proof: "observed.source_sha256" },
  ],
  provision: async (desired) => {
    const ctx = creatorCtx(parts(), desired);
    const { rid: id, tenantId, generation } = desired;
    const request = storedJson(await requestOf(ctx, desired.spec)) as Prisma.InputJsonObject;
    const fresh = { generation, request, paused: false };
    // Another spec begins again from the start, and so does one that failed; a suspended conversion goes on.
    await ctx.db.modelConversion.deleteMany({
      where: { id, OR: [{ generation: { not: generation } }, { failure: { not: Prisma.DbNull } }] },
    });
    await ctx.db.modelConversion.upsert({
      where: { id },
      create: { id, tenantId, ...fresh },
      update: { paused: false },
    });
    return observationOf(await ctx.db.modelConversion.findUnique({ where: { id } }));
  },
  observe: async (all) => {
    const rows = await parts().db.modelConversion.findMany({ where: { id: { in: all.map(({ rid }) => rid) } } });
    return new Map(rows.map((row) => [row.id, observationOf(row)]));
  },
  // What it has written belongs to the tenant and stays.
  remove: async ({ rid }) => {
    await parts().db.modelConversion.deleteMany({ where: { id: rid } });
    return true;
  },
  suspend: async ({ rid }) => {
    await parts().db.modelConversion.updateMany({ where: { id: rid, finishedAt: null }, data: { paused: true } });
    return true;
  },
  tryIt: ({ spec }) => {
    const { bucket, prefix } = parseTargetUri(spec.target_uri);
    return [{ title: "List what it wrote", command: `svc storage list-objects --bucket ${bucket} --prefix ${prefix}` }];
  },
});

/** It reads and writes objects on behalf of the caller. */
function assertMayCopy(actor: Actor): void {
  assertScope(actor, "storage:read");
  assertScope(actor, "storage:write");
}

/** Where from and where to, with the ids of buckets. Throws `not_found` for a bucket that the caller may not see. */
async function requestOf(
  ctx: Pick<ActorCtx, "db" | "actor">,
  { source_model, target_uri, dtype, shards, sha256, bytes_total }: ConversionSpec,
): Promise<StoredRequest> {
  const [source, target] = [parseSourceModel(source_model), parseTargetUri(target_uri)];
  const { id: targetId } = await bucketOf(ctx, target.bucket);
  const from =
    source.kind === "https"
      ? { url: source.url }
      : { bucketId: (await bucketOf(ctx, source.bucket)).id, key: source.key };
  return {
    source: from,
    target: { bucketId: targetId, prefix: target.prefix },
    dtype,
    shards,
    sha256: sha256?.toLowerCase(),
    bytesTotal: bytes_total,
  };
}

const bucketOf = (ctx: Pick<ActorCtx, "db" | "actor">, bucket: string): Promise<StoredBucket> =>
  findBucket(ctx, { bucket });

function observationOf(row: ModelConversion | null): Observation {
  if (!row) return { is: "absent" };
  const observed = observedOf(row);
  if (row.failure) {
    const { message } = row.failure as { message: string };
    return { is: "faulty", observed, message };
  }
  return { is: row.finishedAt ? "present" : "changing", observed };
}

function observedOf(row: ModelConversion): Observed {
  const progress = row.progress as ConversionProgress | null;
  const result = row.result as ConversionResult | null;
  const status = row.failure ? "failed" : row.finishedAt ? "completed" : row.startedAt ? "running" : "queued";
  return {
    status,
    progress: progress && {
      bytes_read: progress.bytesRead,
      bytes_total: progress.bytesTotal,
      shards: progress.shards.length,
      shards_total: progress.shardsTotal,
    },
    failure: row.failure as Json,
    ...(result && {
      source_sha256: result.sourceSha256,
      source_bytes: result.sourceBytes,
      tensors: result.tensors,
      files: result.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
      seconds: result.seconds,
    }),
  };
}
