import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { operation } from "../../cloud-operation";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { BYPASS_GOVERNANCE, bypassField } from "./bucket-lock";
import { findBucket } from "./find-bucket";
import { metadataExample, objectExample } from "./object.example";
import { keyInPath, ObjectMetadata, ObjectRetention, toObjectMetadata, versionId } from "./object-fields";

export const UpdateObjectLock = z.strictObject({
  ...bucketChoice,
  key: keyInPath,
  version_id: versionId,
  retention: ObjectRetention.nullable().optional().describe("Until when the version is kept; null removes it"),
  legal_hold: z.boolean().optional().describe("Whether the version is kept until this is switched off"),
  bypass_governance_retention: bypassField.describe("Shortens, changes or removes a retention in governance mode"),
});

const retentionExample = { mode: "governance" as const, until: "2027-11-20T09:00:00.000Z" };

/**
 * Changes what keeps a version from being deleted. Throws `not_found` for the bucket, key or version, `forbidden` (reason
 * `object_locked`), `conflict` (reason `no_object_lock`) and `invalid_request` (reason `retain_until_passed`).
 */
export const updateObjectLock = operation({
  id: "updateObjectLock",
  summary: "Change the retention and the legal hold of an object",
  description:
    "A version with a retention that has not ended, or with a legal hold, is not deleted by anything or anyone. What is left out stays. A retention is only extended; in `governance` mode a request with `bypass_governance_retention` can also shorten, change and remove it, unless the policy of the bucket denies `s3:BypassGovernanceRetention`. 409 with the reason `no_object_lock` where the bucket has no `object_lock`.",
  access: "storage:write",
  input: UpdateObjectLock,
  output: ObjectMetadata,
  example: {
    input: { bucket: bucketExample.name, key: objectExample.key, retention: retentionExample },
    output: { ...metadataExample, retention: retentionExample },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, input) => {
    const { key, version_id, retention, legal_hold, bypass_governance_retention } = input;
    const bucket = await findBucket(ctx, input);
    const actions = [
      ...(retention === undefined ? [] : ["s3:PutObjectRetention"]),
      ...(legal_hold === undefined ? [] : ["s3:PutObjectLegalHold"]),
      ...(bypass_governance_retention ? [BYPASS_GOVERNANCE] : []),
    ];
    const lock = {
      retention: retention && { mode: retention.mode, until: Date.parse(retention.until) },
      ...(legal_hold !== undefined && { legalHold: legal_hold }),
    };
    for (const action of actions) assertNotDenied(ctx, bucket, { action, keys: [key], lock });
    const choice = { key, ...(version_id !== undefined && { versionId: version_id }) };
    const set = { ...lock, bypassGovernance: bypass_governance_retention };
    return toObjectMetadata(await ctx.objects.setLock(bucket, choice, set));
  },
});
