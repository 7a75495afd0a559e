import type { ActorCtx } from "../../../identity/identity-ctx";
import type { Actor } from "../../../operation/actor";
import { assertScope } from "../../../operation/authorize";
import { creatorCtx } from "../../core/kinds/creator-ctx";
import { type Kind, SELDOM_SECONDS } from "../../core/kinds/kind";
import type { StoredBucket } from "../../data/buckets/bucket";
import { findBucket } from "../../data/buckets/find-bucket";
import { readConversions, storeConversion } from "../../data/model-conversions/conversion-rows";
import type { StoredRequest } from "../../data/model-conversions/model-conversions.sql";
import { parseSourceModel, parseTargetUri } from "../../data/models/parse-model-uri";
import { ConversionSpec } from "./conversion-spec";

/** A conversion of a model, which runs once. */
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
    await storeConversion(ctx, desired, await requestOf(ctx, desired.spec));
    return (await readConversions(ctx, [desired.rid])).get(desired.rid) ?? { is: "absent" };
  },
  observe: (all) =>
    readConversions(
      parts(),
      all.map(({ rid }) => rid),
    ),
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
