import { z } from "zod";
import type { ApiKey as ApiKeyRow } from "../../../engines/postgres/generated/client";
import { keyTarget, noSuchKey, scopesOf } from "../../../identity/api-keys/api-key";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { IdText } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { assertScope } from "../../../operation/authorize";
import { exampleId } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import type { BucketCtx } from "./bucket-ctx";
import { heldByKey } from "./credential-holder";
import { S3_PATH, S3_REGION } from "./s3-endpoint";

/**
 * Returns S3 credentials of an API key. Throws `not_found` for a key that the caller may not see, `forbidden` for another
 * key than the caller's own, and `conflict` for one that has ended or has no scope for storage.
 */
export const createStorageCredentials = operation({
  id: "createStorageCredentials",
  summary: "Create S3 credentials of an API key",
  description:
    "For any S3 client: the credentials have the scopes, project, mode and allowed addresses of the API key, and its life. They end when the key is revoked, rotated (after its grace period) or expires. They are derived and not stored; the secret is shown only here.",
  access: "storage:read",
  input: z.strictObject({
    api_key_id: IdText.optional().describe(
      "The API key whose credentials these are. A key omits it or names itself; a person with the scope `keys:write` names a key of the tenant",
    ),
  }),
  output: z.object({
    access_key_id: z.string(),
    secret_access_key: z.string().describe("It is shown only once"),
    endpoint: z.string(),
    region: z.string().describe("The endpoint accepts any region"),
    force_path_style: z.boolean(),
    expires_at: z.iso.datetime().nullable().describe("When the API key or its grace period ends; null: never"),
  }),
  example: {
    input: { api_key_id: exampleId("key") },
    output: {
      access_key_id: "svck01jd0z3k5q8v6w2x4y7a9b1c3d4f0a91c2mfrggzdf",
      secret_access_key: "…",
      endpoint: "https://svc.example/v1/s3",
      region: S3_REGION,
      force_path_style: true,
      expires_at: null,
    },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "publicUrl" | "s3Credentials">, { api_key_id: asked }) => {
    const { actor } = ctx;
    const row = await findKey(ctx, asked);
    refuseEnded(row, ctx.clock.now());
    const { holder, endsAt } = heldByKey(row, actor.kind === "key" && actor.usesPreviousSecret === true);
    const { accessKeyId, secretAccessKey } = ctx.s3Credentials.create(holder);
    await ctx.db.$transaction((tx) =>
      recordAudit(tx, ctx, {
        action: "storage_credentials.created",
        targets: [keyTarget(row)],
        details: { access_key_id: accessKeyId },
      }),
    );
    return {
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      endpoint: `${ctx.publicUrl}${S3_PATH}`,
      region: S3_REGION,
      force_path_style: true,
      expires_at: endsAt?.toISOString() ?? null,
    };
  },
});

async function findKey({ db, actor }: Pick<BucketCtx, "db" | "actor">, asked: string | undefined): Promise<ApiKeyRow> {
  if (actor.kind === "key" && asked !== undefined && asked !== actor.keyId) {
    throw new ServiceError("forbidden", "A key creates S3 credentials of itself only; omit api_key_id.", {
      param: "api_key_id",
    });
  }
  if (actor.kind === "person") assertScope(actor, "keys:write");
  const id = actor.kind === "key" ? actor.keyId : asked;
  if (id === undefined) {
    throw new ServiceError(
      "invalid_request",
      "api_key_id: expected the id of an API key, whose credentials these are.",
      {
        param: "api_key_id",
      },
    );
  }
  const row = await db.apiKey.findFirst({ where: { id, tenantId: actor.tenantId } });
  if (!row) throw noSuchKey(id);
  return row;
}

function refuseEnded(row: ApiKeyRow, now: Date): void {
  const { revokedAt, expiresAt } = row;
  if (revokedAt || (expiresAt && expiresAt <= now)) {
    throw new ServiceError("conflict", "This key has been revoked or has expired; choose another one.", {
      param: "api_key_id",
      details: { reason: "key_ended" },
    });
  }
  if (scopesOf(row).some((scope) => scope.startsWith("storage:"))) return;
  throw new ServiceError("conflict", "This key has neither storage:read nor storage:write; choose another one.", {
    param: "api_key_id",
    details: { reason: "scope_missing" },
  });
}
