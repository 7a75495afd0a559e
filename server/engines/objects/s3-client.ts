import { NoSuchKey, NotFound, S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { ServiceError } from "../../kernel/errors";
import { storageUnavailable } from "./blob-errors";
import { tierOfBlob } from "./blob-tiers";

export interface S3Settings {
  /** `http://` or `https://`. */
  endpoint: string;
  region: string;
  /** A bucket that this installation alone uses. */
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Bucket names in paths instead of host names. */
  forcePathStyle: boolean;
  timeouts?: Partial<S3Timeouts> | undefined;
}

export interface S3Timeouts {
  connectMs: number;
  /** For a request and the beginning of its answer, with 8 MiB at most. */
  requestMs: number;
  /** For a request that copies up to 5 GiB, which a store does before it answers. */
  copyMs: number;
  /** Between two chunks of an answer. */
  idleMs: number;
  attempts: number;
}

const S3_TIMEOUTS: S3Timeouts = { connectMs: 5000, requestMs: 60_000, copyMs: 600_000, idleMs: 30_000, attempts: 3 };
/** Requests beyond these wait. */
const CONNECTIONS = 128;

/** A bucket of an external store, in which blobs have this prefix. */
export interface S3Place {
  client: S3Client;
  bucket: string;
  timeouts: S3Timeouts;
}

export const KEY_PREFIX = "svc-objects/";

/** Keys of the packed classes begin with one more prefix, for which an operator may choose a class of the store. */
export function keyOf(name: string): string {
  const tier = tierOfBlob(name);
  return `${KEY_PREFIX}${tier === "hot" ? "" : `.${tier}/`}${name}`;
}

/** The name of the blob with a key. */
export const nameOfKey = (key: string): string => key.slice(KEY_PREFIX.length).replace(/^\.[a-z]+\//, "");

export function openS3({ bucket, timeouts: given, ...settings }: S3Settings): S3Place {
  const timeouts = { ...S3_TIMEOUTS, ...given };
  const agent = { keepAlive: true, maxSockets: CONNECTIONS };
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    maxAttempts: timeouts.attempts,
    // Requests carry a CRC32C where S3 takes one; what is read is verified by block, which ranges allow too.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.requestMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
  return { client, bucket, timeouts };
}

/** The result of a request to the store; its failure as an error for clients, unless the signal aborted it. */
export async function onStore<T>(request: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await request;
  } catch (failure) {
    signal?.throwIfAborted();
    throw failure instanceof ServiceError ? failure : storeUnavailable(failure);
  }
}

export const storeUnavailable = (cause: unknown): ServiceError =>
  storageUnavailable("The object store of this installation cannot be used at the moment: try again.", cause);

export const isNotFound = (failure: unknown): boolean =>
  failure instanceof NoSuchKey ||
  failure instanceof NotFound ||
  (failure instanceof S3ServiceException && (failure.name === "NoSuchKey" || failure.name === "NotFound"));

export const isInvalidRange = (failure: unknown): boolean =>
  failure instanceof S3ServiceException && failure.$metadata.httpStatusCode === 416;
