import { randomBytes } from "node:crypto";
import { DATA_KEY_BYTES, sealedSize } from "../../../engines/objects/sealed-content";
import { ServiceError } from "../../../kernel/errors";
import { deriveKey, deriveSubkey, seal, unseal } from "../../../kernel/secrets";
import type { AskedEncryption, BucketRef } from "./objects";

/** How the bytes of a version or upload are encrypted: each has a data key, which is stored wrapped. */
export interface StoredEncryption {
  /** Whose key wraps the data key: that of this installation, or one of the client, which is stored nowhere. */
  algorithm: "AES256" | "customer";
  key: string;
}

interface Sealing {
  stored: StoredEncryption;
  dataKey: Buffer;
}

const CONTEXT = "object data key";

/** The keys of this installation that wrap data keys. */
export interface RootKeys {
  current: Buffer;
  /** Under which data keys may still be wrapped. */
  previous?: Buffer | undefined;
}

/** The keys from SVC_SECRET and SVC_SECRET_PREVIOUS. */
export const rootKeysOf = (secret: string, previous: string | undefined): RootKeys => ({
  current: deriveKey(secret, "objects"),
  previous: previous === undefined ? undefined : deriveKey(previous, "objects"),
});

/** What was asked for, or else what the bucket does with new objects. */
export const encryptionFor = (
  asked: AskedEncryption | undefined,
  { encryption }: Pick<BucketRef, "encryption">,
): AskedEncryption | undefined => asked ?? (encryption === "AES256" ? encryption : undefined);

/** A new data key, as asked; undefined: nothing is encrypted. */
export function newSealing(rootKeys: RootKeys | undefined, asked: AskedEncryption | undefined): Sealing | undefined {
  if (asked === undefined) return undefined;
  const dataKey = randomBytes(DATA_KEY_BYTES);
  const algorithm = asked === "AES256" ? asked : "customer";
  const wrapping = asked === "AES256" ? rootOf(rootKeys).current : ofCustomer(asked.customerKey);
  return { dataKey, stored: { algorithm, key: wrapped(wrapping, dataKey) } };
}

/** The same data key under the current key of this installation; undefined for what is already, and what has none. */
export function rewrapped(rootKeys: RootKeys, stored: StoredEncryption): StoredEncryption | undefined {
  if (stored.algorithm !== "AES256" || unwrapped(rootKeys.current, stored)) return undefined;
  const dataKey = dataKeyOf(rootKeys, stored, undefined);
  return dataKey && { ...stored, key: wrapped(rootKeys.current, dataKey) };
}

/**
 * The data key of what is encrypted; undefined for what is not. Throws `invalid_request` (reasons `customer_key_required`
 * and `no_customer_key`), `forbidden` (reason `wrong_customer_key`), `unavailable` (reason `other_svc_secret`).
 */
export function dataKeyOf(
  rootKeys: RootKeys | undefined,
  stored: StoredEncryption | null,
  customerKey: Buffer | undefined,
): Buffer | undefined {
  if (stored?.algorithm !== "customer") {
    if (customerKey) throw noCustomerKey();
    if (!stored) return undefined;
    const { current, previous } = rootOf(rootKeys);
    return unwrapped(current, stored) ?? (previous && unwrapped(previous, stored)) ?? fail(otherSecret());
  }
  if (!customerKey) throw customerKeyRequired();
  return unwrapped(ofCustomer(customerKey), stored) ?? fail(wrongCustomerKey());
}

/** The bytes that are stored for bytes of an object. */
export const storedSizeOf = (stored: StoredEncryption | null | undefined, size: number): number =>
  stored ? sealedSize(size) : size;

function unwrapped(wrapping: Buffer, { key }: StoredEncryption): Buffer | undefined {
  const text = unseal(wrapping, key, CONTEXT);
  return text === undefined ? undefined : Buffer.from(text, "base64");
}

/**
 * The same for a part of an upload, for which another key than that of its start is `invalid_request` (reason
 * `other_customer_key`): nothing can be read with a guess.
 */
export function uploadKeyOf(...parameters: Parameters<typeof dataKeyOf>): Buffer | undefined {
  try {
    return dataKeyOf(...parameters);
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.details?.reason !== "wrong_customer_key") throw failure;
    throw new ServiceError("invalid_request", "The upload was started with another key than the one of this part.", {
      details: { reason: "other_customer_key" },
    });
  }
}

const wrapped = (wrapping: Buffer, dataKey: Buffer): string => seal(wrapping, dataKey.toString("base64"), CONTEXT);

const ofCustomer = (customerKey: Buffer): Buffer => deriveSubkey(customerKey, CONTEXT);

function rootOf(rootKeys: RootKeys | undefined): RootKeys {
  if (rootKeys) return rootKeys;
  throw new Error("The objects were opened without a key to encrypt with.");
}

function fail(error: ServiceError): never {
  throw error;
}

export const customerKeyRequired = (): ServiceError =>
  new ServiceError(
    "invalid_request",
    "The object is encrypted with a key of the client; send the key with the request.",
    {
      details: { reason: "customer_key_required" },
    },
  );
const noCustomerKey = (): ServiceError =>
  new ServiceError(
    "invalid_request",
    "The object is not encrypted with a key of the client; send the request without one.",
    {
      details: { reason: "no_customer_key" },
    },
  );
const wrongCustomerKey = (): ServiceError =>
  new ServiceError("forbidden", "The object is encrypted with another key than the one that the request has.", {
    details: { reason: "wrong_customer_key" },
  });
const otherSecret = (): ServiceError =>
  new ServiceError(
    "unavailable",
    "The object was encrypted under another SVC_SECRET; the operator of this installation must start it with that one as SVC_SECRET_PREVIOUS.",
    { details: { reason: "other_svc_secret" } },
  );
