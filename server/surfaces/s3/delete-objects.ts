import type { VersionChoice } from "../../cloud/data/objects/objects";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { optionalTag, tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const KEYS_MAX = 1000;
const KEY_BYTES_MAX = 1024;
/** Ignoring a condition would delete what the client wants to keep. */
const CONDITIONS = ["ETag", "LastModifiedTime", "Size"];

export const deleteObjects: S3Operation<BucketCall> = {
  name: "DeleteObjects",
  access: "storage:write",
  run: async (call) => {
    const document = await readDocument(call, "Delete");
    const choices = childrenOf(document, "Object").map(choiceOf);
    if (choices.length === 0 || choices.length > KEYS_MAX) {
      throw new S3Error("MalformedXML", `A Delete has 1 to ${KEYS_MAX} objects.`);
    }
    await call.countElements(choices.length);
    const deleted = await call.cloud.objects.delete(call.bucket, choices);
    const isQuiet = textIn(document, "Quiet")?.toLowerCase() === "true";
    const tags = deleted.map(({ key, versionId, isDeleteMarker }, i) => {
      const asked = choices[i]?.versionId;
      return tag("Deleted", [
        tag("Key", key),
        ...optionalTag("VersionId", asked),
        ...(isDeleteMarker ? [tag("DeleteMarker", true), ...optionalTag("DeleteMarkerVersionId", versionId)] : []),
      ]);
    });
    return { body: xmlDocument("DeleteResult", isQuiet ? [] : tags) };
  },
};

function choiceOf(element: XmlElement): VersionChoice {
  const condition = CONDITIONS.find((name) => textIn(element, name));
  if (condition !== undefined) {
    throw new S3Error("NotImplemented", `The element ${condition} of DeleteObjects is not supported.`);
  }
  // A key may begin or end with spaces.
  const key = element.children.find(({ name }) => name === "Key")?.text ?? "";
  const versionId = textIn(element, "VersionId");
  if (key === "" || key.includes("\0")) throw new S3Error("MalformedXML", "Each Object must have a Key.");
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) {
    throw new S3Error("KeyTooLongError", `A key has at most ${KEY_BYTES_MAX} bytes of UTF-8.`);
  }
  return { key, ...(versionId && { versionId }) };
}
