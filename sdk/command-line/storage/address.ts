import type { ObjectName } from "../../s3/objects";
import { UsageError } from "../errors";

const SCHEME = /^(svc|s3):\/\//i;
/** S3's rules for the names of buckets. */
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;

export const isAddress = (text: string): boolean => SCHEME.test(text);

/** `svc://bucket/key`, also with `s3:`; the key may be empty. @throws UsageError for anything else. */
export function readAddress(text: string): ObjectName {
  if (!isAddress(text)) throw new UsageError(`"${text.slice(0, 80)}" must be an address such as svc://bucket/key.`);
  const rest = text.replace(SCHEME, "");
  const slash = rest.indexOf("/");
  const [bucket, key] = slash === -1 ? [rest, ""] : [rest.slice(0, slash), rest.slice(slash + 1)];
  if (!BUCKET.test(bucket)) {
    throw new UsageError(
      `"${text.slice(0, 80)}": a bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens.`,
    );
  }
  return { bucket, key };
}

/** An address that names an object. */
export function readObjectAddress(text: string): ObjectName {
  const name = readAddress(text);
  if (name.key === "" || name.key.endsWith("/")) {
    throw new UsageError(`"${text.slice(0, 80)}" names no object; add --recursive for everything under it.`);
  }
  return name;
}

export const addressOf = ({ bucket, key }: ObjectName): string => `svc://${bucket}/${key}`;

/** A prefix means the keys in it, as a folder does: `a` is not the beginning of `ab`. */
export const folderPrefix = (key: string): string => (key === "" || key.endsWith("/") ? key : `${key}/`);

export const lastPart = (key: string): string => key.split("/").at(-1) ?? "";
