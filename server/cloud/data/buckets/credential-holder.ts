import type { ApiKey as ApiKeyRow } from "../../../engines/postgres/generated/client";
import { ServiceError } from "../../../kernel/errors";
import type { Mode } from "../../../operation/actor";
import type { BucketCtx } from "./bucket-ctx";
import { type CredentialHolder, endOf } from "./s3-credentials";

/** Whose rights a credential has, and when it ends; undefined: it has no end of its own. */
export interface HeldCredential {
  holder: CredentialHolder;
  endsAt: Date | undefined;
}

/**
 * The credential of a key for itself. A caller with the secret from before a rotation gets one of that secret, which ends
 * with the grace period.
 */
export function heldByKey(row: ApiKeyRow, usesPreviousSecret: boolean): HeldCredential {
  const hash = usesPreviousSecret ? (row.previousHash ?? row.hash) : row.hash;
  const endsAtMs = endOf(row, hash);
  const endsAt = Number.isFinite(endsAtMs) ? new Date(endsAtMs) : undefined;
  return { holder: { kind: "key", keyId: row.id, hash }, endsAt };
}

/** The credential that signs URLs for the caller. Throws `unauthorized` if the key or the person is gone. */
export async function heldByActor(
  { db, actor }: Pick<BucketCtx, "db" | "actor">,
  { projectId, mode }: { projectId: string; mode: Mode },
): Promise<HeldCredential> {
  if (actor.kind === "key") {
    const row = await db.apiKey.findUnique({ where: { id: actor.keyId } });
    if (!row) throw gone();
    return heldByKey(row, actor.usesPreviousSecret === true);
  }
  const { userId } = actor;
  const user = await db.user.findUnique({ where: { id: userId } });
  if (!user) throw gone();
  const { passwordHash } = user;
  return { holder: { kind: "person", userId, projectId, mode, passwordHash }, endsAt: undefined };
}

const gone = (): ServiceError => new ServiceError("unauthorized", "This key or account does not exist any more.");
