import type { FoundCredential } from "../../cloud/data/buckets/s3-credentials";
import type { Actor } from "../../operation/actor";
import type { RequestMeta } from "../../operation/request-meta";
import { readHeaderV2, verifyHeaderV2 } from "./header-v2";
import { readPresignedV2, verifyPresignedV2 } from "./presigned-v2";
import { readSignature } from "./read-signature";
import type { S3Caller, S3Cloud } from "./s3-call";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { verifySignature } from "./verify-signature";

const AMZ = "x-amz-";

export interface AuthenticateParts {
  cloud: Pick<S3Cloud, "s3Credentials" | "clock">;
  /** The actor of a bearer token; undefined for an invalid one. */
  authenticateBearer: (token: string, meta: RequestMeta) => Promise<Actor | undefined>;
}

/**
 * Returns who sent a request, and the request with the headers that a presigned URL has as parameters. Throws what is
 * wrong with the credentials; a request without credentials is anonymous.
 */
export async function authenticate(
  parts: AuthenticateParts,
  request: S3Request,
): Promise<{ caller: S3Caller; request: S3Request }> {
  const presigned = readPresignedV2(request);
  const headerV2 = presigned ? undefined : readHeaderV2(request);
  const signature = presigned || headerV2 ? undefined : readSignature(request);
  const accessKeyId = (presigned ?? headerV2 ?? signature)?.accessKeyId;
  if (accessKeyId === undefined) return { caller: await bearerCaller(parts, request), request };
  const found = await findCredential(parts, accessKeyId);
  const against = { secrets: found.secrets, now: parts.cloud.clock.now() };
  if (presigned) verifyPresignedV2(request, presigned, against);
  if (headerV2) verifyHeaderV2(request, headerV2, against);
  const verified = signature && verifySignature(request, signature, against);
  assertAddress(found, request);
  found.recordUse();
  const { actor, owner } = found;
  const caller: S3Caller = { actor, owner, ...(verified && { signature: verified }) };
  const isInHeader = headerV2 !== undefined || signature?.in === "header";
  return { caller, request: isInHeader ? request : withHoisted(request) };
}

/** Throws `InvalidAccessKeyId`. */
export async function findCredential({ cloud }: AuthenticateParts, accessKeyId: string): Promise<FoundCredential> {
  const found = await cloud.s3Credentials.find(accessKeyId);
  if (found) return found;
  throw new S3Error(
    "InvalidAccessKeyId",
    "The access key id does not exist, or its key was revoked, rotated or has expired.",
  );
}

/** Throws `AccessDenied` if the credential may not be used from the address of a request. */
export function assertAddress({ allows }: FoundCredential, { meta }: Pick<S3Request, "meta">): void {
  if (allows(meta.address)) return;
  throw new S3Error("AccessDenied", "The key of these credentials may not be used from this address.");
}

async function bearerCaller({ authenticateBearer }: AuthenticateParts, request: S3Request): Promise<S3Caller> {
  const authorization = request.headers.get("authorization");
  if (authorization === undefined) return {};
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? "";
  const actor = await authenticateBearer(token, request.meta);
  if (actor?.kind === "key") return { actor, owner: { projectId: actor.projectId, mode: actor.mode } };
  throw new S3Error("AccessDenied", "The bearer token is not a valid platform key (svc_live_… or svc_test_…).");
}

/** Presigners move x-amz-* headers into the query, where they are signed too; they mean the same there. */
function withHoisted(request: S3Request): S3Request {
  const headers = new Map(request.headers);
  for (const [name, value] of request.query.parameters) {
    const lower = name.toLowerCase();
    if (lower.startsWith(AMZ) && !headers.has(lower)) headers.set(lower, value);
  }
  return { ...request, headers };
}
