import type { Counters } from "../../../engines/counters/counters";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { changesOf } from "../../../identity/audit/changes-of";
import { appendAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import type { Actor } from "../../../operation/actor";
import type { RequestMeta } from "../../../operation/request-meta";
import type { Grant } from "../objects/object-access";
import { assertGrantees, bucketGives } from "./access-list";
import { bucketTarget, ownerOf, type StoredBucket, toBucket } from "./bucket";
import { bucketUpdated } from "./bucket.events";
import { assertPublicAccess } from "./bucket-access";
import { publishBucketChange } from "./buckets-by-name";
import { lockedForChange } from "./locked-bucket";

/** What the S3 endpoint does with access lists that no operation of a tenant on its own buckets does. */
export interface AccessLists {
  /** Throws `invalid_request` (reason `unknown_grantee`). `known`: ids that need no look-up. */
  assertGrantees(grants: readonly Grant[], known: readonly string[]): Promise<void>;
  /**
   * Replaces the list of a bucket for a caller of another tenant, whom the list that it replaces must let do so. The audit
   * log of the bucket's tenant names the other tenant. Throws `forbidden`, and what `updateBucket` throws for lists.
   */
  replaceAsGrantee(
    bucket: Pick<StoredBucket, "id" | "name">,
    by: { actor: Actor; request: RequestMeta },
    acl: readonly Grant[],
  ): Promise<void>;
}

interface AccessListsParts {
  db: PrismaClient;
  clock: Clock;
  counters: Counters;
}

export const createAccessLists = ({ db, clock, counters }: AccessListsParts): AccessLists => ({
  assertGrantees: (grants, known) => assertGrantees(db, grants, known),
  replaceAsGrantee: async ({ id, name }, { actor, request }, acl) => {
    await db.$transaction(async (tx) => {
      const before = await lockedForChange(tx, id, name);
      if (!bucketGives(before, "write_acp", { actor, isOwn: false })) throw forbidden();
      assertPublicAccess(before, { acl });
      await assertGrantees(tx, acl, [before.tenantId, actor.tenantId]);
      const data = { acl: acl.map((grant) => ({ ...grant })), publicRead: false, updatedAt: clock.now() };
      const row = await tx.bucket.update({ where: { id }, data });
      const after = toBucket(row);
      const changes = changesOf(toBucket(before), after);
      const events = [newEvent(bucketUpdated, { ...after, changed: Object.keys(changes) }, ownerOf(row))];
      const origin = { tenantId: row.tenantId, at: clock.now(), actor: { type: "visitor" as const }, request };
      const details = { changes, by_tenant: actor.tenantId };
      await appendAudit(tx, origin, { action: "bucket.updated", targets: [bucketTarget(row)], details, events });
    });
    await publishBucketChange(counters, name);
  },
});

const forbidden = (): ServiceError =>
  new ServiceError("forbidden", "The access list of the bucket does not let you replace it.", {
    details: { reason: "not_granted" },
  });
