import type { ServerResponse } from "node:http";
import type { AccessLists } from "../../cloud/data/buckets/access-lists";
import type { BucketCtx } from "../../cloud/data/buckets/bucket-ctx";
import type { BucketSettings, BucketsByName } from "../../cloud/data/buckets/buckets-by-name";
import type { Gate } from "../../cloud/data/objects/objects";
import type { Actor, Mode } from "../../operation/actor";
import type { AnyOperation } from "../../operation/operation";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import type { VerifiedSignature } from "./verify-signature";

/** What S3 uses of the platform. */
export interface S3Cloud extends Pick<BucketCtx, "objects" | "s3Credentials" | "publicUrl" | "clock"> {
  bucketsByName: BucketsByName;
  accessLists: AccessLists;
}

/** Who sent a request; without an actor it is anonymous. */
export interface S3Caller {
  actor?: Actor;
  /** The one project and mode whose buckets the caller sees. */
  owner?: { projectId: string; mode: Mode };
  /** Absent for bearer keys and for Signature Version 2. */
  signature?: VerifiedSignature;
}

/** One request whose caller is known. */
export interface S3Call {
  request: S3Request;
  outgoing: ServerResponse;
  caller: S3Caller;
  cloud: S3Cloud;
  /** Counts the elements of a batch, of which the request itself was counted. Throws `rate_limited`. */
  countElements: (elements: number) => Promise<void>;
  /** Runs an operation of the platform for the caller, with its scope, its quota and its parsing. */
  runOperation: <T>(operation: AnyOperation, input: Record<string, unknown>) => Promise<T>;
}

export interface BucketCall extends S3Call {
  bucket: BucketSettings;
}

export interface ObjectCall extends BucketCall {
  key: string;
  /** To read, with its list, the object that the request names; absent: the caller may know everything of it. */
  gate?: Gate | undefined;
}

export interface S3Result {
  /** Default: 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** An XML document, or the bytes of an object. */
  body?: string | AsyncIterable<Uint8Array>;
}

/** An operation of S3 on calls of type `C`. */
export interface S3Operation<C> {
  /** As the S3 API reference names it. */
  name: string;
  access: "storage:read" | "storage:write";
  /**
   * The request as if its headers said what its body asks for, for the conditions of policies. The body is then read before
   * access is decided, and only if the bucket has a policy.
   */
  withBodyFacts?: (call: S3Call) => Promise<S3Call>;
  run: (call: C) => Promise<S3Result>;
}

/** Whether the caller sees a bucket: those of one project and mode. */
export const seesBucket = ({ actor, owner }: S3Caller, bucket: BucketSettings): boolean =>
  actor?.tenantId === bucket.tenantId && owner?.projectId === bucket.projectId && owner.mode === bucket.mode;

/** Throws `AccessDenied` if a request says that its bucket has another owner than the one whose id lists and ACLs show. */
export function assertOwner(bucket: Pick<BucketSettings, "tenantId">, expected: string | undefined): void {
  if (expected === undefined || expected.trim() === bucket.tenantId) return;
  throw new S3Error("AccessDenied", "The bucket has another owner than the one that the request expects.");
}
