import { createHash } from "node:crypto";
import { startChecksum } from "../../cloud/data/objects/checksums";
import type { ChecksumAlgorithm } from "../../cloud/data/objects/objects";
import { CHECKSUM_PREFIX } from "./body-checks";
import { readXml, type XmlElement } from "./read-xml";
import { openBody, readWhole } from "./request-body";
import type { S3Call } from "./s3-call";
import { S3Error } from "./s3-error";

/** 10,000 parts with a checksum each, or 1,000 keys of 1,024 escaped bytes, need less than 4 MiB. */
const XML_BYTES_MAX = 4 * 1024 * 1024;

/** The body of a request as bytes, which have the digests that its headers say. */
export async function readBytes({ request, outgoing, caller }: S3Call): Promise<Buffer> {
  const body = openBody({ ...request, outgoing, signature: caller.signature });
  const bytes = await readWhole(body, XML_BYTES_MAX);
  if (body.md5 !== undefined && createHash("md5").update(bytes).digest("hex") !== body.md5) {
    throw new S3Error("BadDigest", "The Content-MD5 is not that of the body.");
  }
  for (const [algorithm, value] of Object.entries(body.checksums?.() ?? {})) {
    const checksum = startChecksum(algorithm as ChecksumAlgorithm);
    checksum.update(bytes);
    if ((await checksum.digest()) !== value) {
      throw new S3Error("BadDigest", `The x-amz-checksum-${algorithm.toLowerCase()} is not that of the body.`);
    }
  }
  return bytes;
}

/** A body can be read once, and both its access and its operation can depend on it. */
const read = new WeakMap<S3Call["request"]["incoming"], Promise<Buffer>>();

/** The XML document of a request, whose root has the given name; the same when it is read again. */
export async function readDocument(call: S3Call, rootName: string): Promise<XmlElement> {
  const { incoming } = call.request;
  const bytes = read.get(incoming) ?? readBytes(call);
  read.set(incoming, bytes);
  return documentOf(await bytes, rootName);
}

/** The same where the checksums of the headers are those of an object, not of the body. */
export async function readDocumentOnly({ request, ...call }: S3Call, rootName: string): Promise<XmlElement> {
  const headers = new Map([...request.headers].filter(([name]) => !name.startsWith(CHECKSUM_PREFIX)));
  return documentOf(await readBytes({ ...call, request: { ...request, headers } }), rootName);
}

function documentOf(bytes: Buffer, rootName: string): XmlElement {
  if (bytes.length === 0) throw new S3Error("MissingRequestBodyError", `The body must be the XML of a ${rootName}.`);
  return readXml(bytes, rootName);
}
