import { createHash } from "node:crypto";
import type { AskedEncryption, ObjectVersion } from "../../cloud/data/objects/objects";
import { S3Error } from "./s3-error";

type Headers = ReadonlyMap<string, string>;

const SSE = "x-amz-server-side-encryption";
const KEY_ID = `${SSE}-aws-kms-key-id`;
const CUSTOMER = `${SSE}-customer`;
const KEY_BYTES = 32;

/** How a request asks that a new object is encrypted. Throws what is wrong with it. */
export function askedEncryption(headers: Headers): { encryption?: AskedEncryption } {
  const algorithm = headers.get(SSE);
  const customerKey = customerKeyOf(headers);
  if (headers.has(KEY_ID) && !isOfKeyService(algorithm)) {
    throw new S3Error("InvalidArgument", `${KEY_ID} needs the header ${SSE} with the value aws:kms or aws:kms:dsse.`);
  }
  if (algorithm === undefined) return customerKey ? { encryption: { customerKey } } : {};
  if (customerKey) throw new S3Error("InvalidArgument", `Send either ${SSE} or the headers ${CUSTOMER}-*, not both.`);
  if (algorithm === "AES256") return { encryption: algorithm };
  throw unsupportedAlgorithm(SSE, algorithm);
}

const isOfKeyService = (algorithm = ""): boolean => /^aws:kms(:dsse)?$/.test(algorithm);

/** Throws `InvalidArgument` if a read says how the object is encrypted: S3 takes that for writes only. */
export function assertNoEncryption(headers: Headers): void {
  if (!headers.has(SSE)) return;
  throw new S3Error("InvalidArgument", `The header ${SSE} is not supported for this operation.`);
}

/** Throws for an algorithm that svc does not have: one with keys of a key service, or an unknown one. */
export function unsupportedAlgorithm(name: string, algorithm: string): S3Error {
  if (isOfKeyService(algorithm)) {
    return new S3Error("NotImplemented", `${name} must be AES256; this server has no key service for ${algorithm}.`);
  }
  return new S3Error("InvalidEncryptionAlgorithmError", `${name} must be AES256.`);
}

/** The key that a request brings for its object. Throws `InvalidArgument` and others unless it is complete. */
export const customerKeyOf = (headers: Headers): Buffer | undefined => keyIn(headers, CUSTOMER);

/** The key that a request brings for the source of a copy. */
export const sourceKeyOf = (headers: Headers): Buffer | undefined =>
  keyIn(headers, CUSTOMER.replace("x-amz-", "x-amz-copy-source-"));

function keyIn(headers: Headers, prefix: string): Buffer | undefined {
  const [algorithm, text, md5] = ["algorithm", "key", "key-md5"].map((part) => headers.get(`${prefix}-${part}`));
  if (algorithm === undefined && text === undefined && md5 === undefined) return undefined;
  if (algorithm === undefined || text === undefined || md5 === undefined) {
    throw new S3Error("InvalidArgument", `Send all of ${prefix}-algorithm, ${prefix}-key and ${prefix}-key-md5.`);
  }
  if (algorithm !== "AES256")
    throw new S3Error("InvalidEncryptionAlgorithmError", `${prefix}-algorithm must be AES256.`);
  const key = Buffer.from(text, "base64");
  if (key.length !== KEY_BYTES || key.toString("base64") !== text) {
    throw new S3Error("InvalidArgument", `${prefix}-key must be ${KEY_BYTES} bytes in base64.`);
  }
  if (md5Of(key) !== md5) throw new S3Error("InvalidArgument", `${prefix}-key-md5 is not the MD5 of the key.`);
  return key;
}

const md5Of = (key: Buffer): string => createHash("md5").update(key).digest("base64");

/** What a response says about the encryption of an object; the key is that of the request. */
export function encryptionHeaders(
  { encryption }: Pick<ObjectVersion, "encryption">,
  customerKey: Buffer | undefined,
): Record<string, string> {
  if (encryption === "AES256") return { [SSE]: encryption };
  if (encryption !== "customer" || !customerKey) return {};
  return { [`${CUSTOMER}-algorithm`]: "AES256", [`${CUSTOMER}-key-md5`]: md5Of(customerKey) };
}

/** Throws `InvalidRequest` if the properties of an object need the key that it is encrypted with. */
export function assertCustomerKey({ encryption }: Pick<ObjectVersion, "encryption">, key: Buffer | undefined): void {
  if (encryption !== "customer" || key) return;
  throw new S3Error("InvalidRequest", `The object is encrypted with a key of the client; send it as ${CUSTOMER}-*.`);
}
