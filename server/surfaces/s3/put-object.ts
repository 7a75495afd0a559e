import { newAccess } from "./access-lists";
import { mayBypass } from "./assert-access";
import { deleteConditionOf, writeConditionOf } from "./conditions";
import { askedEncryption, customerKeyOf, encryptionHeaders } from "./encryption-headers";
import { expirationHeader } from "./expiration";
import { askedLock, assertDigest } from "./lock-headers";
import { checksumHeaders, newVersionHeader, propertiesOf, versionIdHeader } from "./object-fields";
import { openBody } from "./request-body";
import type { ObjectCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { askedTier, classHeader } from "./storage-class";
import { headerTags } from "./tags";

/** A signed parameter of ours: presigned URLs of S3 cannot limit the size of what is stored. */
const LENGTH_RANGE = "x-svc-content-length-range";

export const putObject: S3Operation<ObjectCall> = {
  name: "PutObject",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const { headers } = request;
    const properties = propertiesOf(headers);
    const lock = askedLock(headers);
    assertDigest(lock, headers);
    const tags = headerTags(headers.get("x-amz-tagging"));
    const asked = { ...askedTier(headers), ...askedEncryption(headers), ...tags, ...lock };
    const wanted = { ...writeConditionOf(headers), ...asked, ...(await newAccess(call)) };
    const body = openBody({ ...request, outgoing: call.outgoing, signature: call.caller.signature });
    assertLength(request.query.get(LENGTH_RANGE), body.size);
    const version = await cloud.objects.put(bucket, { key, ...properties, body, ...wanted }).catch((failure) => {
      throw body.failure ?? failure;
    });
    return {
      headers: {
        etag: `"${version.etag}"`,
        ...newVersionHeader(bucket, version),
        ...checksumHeaders(version),
        ...classHeader(version.tier),
        ...encryptionHeaders(version, customerKeyOf(headers)),
        ...expirationHeader(bucket, version),
      },
    };
  },
};

export const deleteObject: S3Operation<ObjectCall> = {
  name: "DeleteObject",
  access: "storage:write",
  run: async (call) => {
    const { request, cloud, bucket, key } = call;
    const versionId = request.query.get("versionId");
    const choice = { key, ...(versionId !== undefined && { versionId }) };
    const { condition } = deleteConditionOf({
      etag: request.headers.get("if-match"),
      size: request.headers.get("x-amz-if-match-size"),
      modified: request.headers.get("x-amz-if-match-last-modified-time"),
    });
    const bypassGovernance = versionId !== undefined && (await mayBypass(call, choice));
    const [deleted] = await cloud.objects.delete(bucket, [{ ...choice, bypassGovernance }], condition);
    if (deleted?.failure) throw deleted.failure;
    return {
      status: 204,
      headers: {
        ...(deleted?.isDeleteMarker && { "x-amz-delete-marker": "true" }),
        ...(deleted?.versionId !== undefined && versionIdHeader(bucket, { versionId: deleted.versionId })),
      },
    };
  },
};

function assertLength(range: string | undefined, size: number): void {
  if (range === undefined) return;
  const [, least, most] = /^(\d{1,15}),(\d{1,15})$/.exec(range) ?? [];
  if (least === undefined || most === undefined) {
    throw new S3Error("InvalidArgument", `${LENGTH_RANGE} must be <least bytes>,<most bytes>.`);
  }
  if (size < Number(least)) throw new S3Error("EntityTooSmall", `The signer requires at least ${least} bytes.`);
  if (size > Number(most)) throw new S3Error("EntityTooLarge", `The signer allows at most ${most} bytes.`);
}
