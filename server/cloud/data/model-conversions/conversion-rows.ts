import { type ModelConversion, Prisma } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { type Json, storedJson } from "../../../identity/stored-json";
import type { DesiredResource, Observation, Observed } from "../../core/kinds/kind";
import type { ConversionProgress, ConversionResult } from "../models/conversion";
import type { StoredRequest } from "./model-conversions.sql";

/**
 * Stores a conversion, which a round then runs. Another spec begins again from the start, and so does one that failed; a
 * suspended conversion goes on.
 */
export async function storeConversion(
  { db }: Pick<ActorCtx, "db">,
  { rid: id, tenantId, generation }: DesiredResource,
  request: StoredRequest,
): Promise<void> {
  const fresh = { generation, request: storedJson(request) as Prisma.InputJsonObject, paused: false };
  await db.modelConversion.deleteMany({
    where: { id, OR: [{ generation: { not: generation } }, { failure: { not: Prisma.DbNull } }] },
  });
  await db.modelConversion.upsert({
    where: { id },
    create: { id, tenantId, ...fresh },
    update: { paused: false },
  });
}

/** What conversions are, by their ids. */
export async function readConversions(
  { db }: Pick<ActorCtx, "db">,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Observation>> {
  const rows = await db.modelConversion.findMany({ where: { id: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.id, observationOf(row)]));
}

function observationOf(row: ModelConversion): Observation {
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
