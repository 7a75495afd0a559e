import { ServiceError } from "../../../kernel/errors";

const LENGTH_MAX = 2048;
const KEY_BYTES_MAX = 1024;
/** Names of shards and of the index have fewer. */
const FILE_NAME_BYTES_MAX = 40;
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const BUCKET = /^s3:\/\/([^/]*)(?:\/(.*))?$/s;

export type SourceModel = { kind: "bucket"; bucket: string; key: string } | { kind: "https"; url: string };

export interface TargetPrefix {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

/** `s3://bucket/key`, a bucket of the caller, or `https://host/path`, of one safetensors file. Throws `invalid_request`. */
export function parseSourceModel(text: string): SourceModel {
  const fault = faultOf("source_model", "expected s3://bucket/key or https://host/path of a safetensors file");
  if (text.length > LENGTH_MAX) throw fault(`has more than ${LENGTH_MAX} characters`);
  const [, bucket, key = ""] = BUCKET.exec(text) ?? [];
  if (bucket === undefined) return { kind: "https", url: parseUrl(text, fault) };
  assertBucketName(bucket, fault);
  if (key === "" || key.endsWith("/")) throw fault("names a folder, not a file");
  if (!isKey(key, KEY_BYTES_MAX)) throw fault(`the key is not a valid key of at most ${KEY_BYTES_MAX} bytes`);
  return { kind: "bucket", bucket, key };
}

/** `s3://bucket/prefix/`, a folder in a bucket of the caller; the last slash may be missing. Throws `invalid_request`. */
export function parseTargetUri(text: string): TargetPrefix {
  const fault = faultOf("target_uri", "expected s3://bucket/prefix/");
  if (text.length > LENGTH_MAX) throw fault(`has more than ${LENGTH_MAX} characters`);
  const [, bucket, path = ""] = BUCKET.exec(text) ?? [];
  if (bucket === undefined) throw fault('does not begin with "s3://"');
  assertBucketName(bucket, fault);
  const bytesMax = KEY_BYTES_MAX - FILE_NAME_BYTES_MAX;
  const prefix = path === "" || path.endsWith("/") ? path : `${path}/`;
  if (!isKey(prefix, bytesMax)) throw fault(`the prefix is not a valid key of at most ${bytesMax} bytes`);
  return { bucket, prefix };
}

type Fault = (what: string) => ServiceError;

const faultOf =
  (param: string, expected: string): Fault =>
  (what) =>
    new ServiceError("invalid_request", `${param}: ${what}; ${expected}.`, { param });

function assertBucketName(bucket: string, fault: Fault): void {
  if (BUCKET_NAME.test(bucket)) return;
  throw fault("the bucket's name is not one of 3 to 63 lower-case letters, digits, hyphens and dots");
}

function parseUrl(text: string, fault: Fault): string {
  if (!URL.canParse(text)) throw fault("is not a valid URL");
  const url = new URL(text);
  if (url.protocol !== "https:") throw fault(`begins with "${url.protocol.slice(0, 20)}"`);
  if (url.username !== "" || url.password !== "") throw fault("contains a user name or password");
  url.hash = "";
  return url.href;
}

/** Postgres stores neither NUL nor halves of surrogate pairs. */
const isKey = (key: string, bytesMax: number): boolean =>
  !key.includes("\0") && key.isWellFormed() && Buffer.byteLength(key) <= bytesMax;
