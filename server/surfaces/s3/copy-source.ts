import type { VersionChoice } from "../../cloud/data/objects/objects";
import { decodeText } from "./percent-encoding";
import { S3Error } from "./s3-error";

export const COPY_SOURCE = "x-amz-copy-source";

/** The bucket and the object that a header names. Throws `InvalidArgument`. */
export function parseSource(header: string): { name: string; choice: VersionChoice } {
  const [, path = "", version] = /^\/?(.*?)(?:\?versionId=([^?]*))?$/s.exec(header) ?? [];
  const decoded = decodeSource(path) ?? "";
  const slash = decoded.indexOf("/");
  const versionId = version === undefined ? undefined : decodeSource(version);
  if (slash < 1 || slash === decoded.length - 1 || decoded.includes("\0")) {
    throw new S3Error("InvalidArgument", `${COPY_SOURCE} must be <bucket>/<key>[?versionId=<id>], percent-encoded.`);
  }
  const key = decoded.slice(slash + 1);
  return { name: decoded.slice(0, slash), choice: { key, ...(versionId && { versionId }) } };
}

/** As in a query, a plus is a blank; a plus in a key is sent as `%2B`. */
const decodeSource = (text: string): string | undefined => decodeText(text.replaceAll("+", " "));
