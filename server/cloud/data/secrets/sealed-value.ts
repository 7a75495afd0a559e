import { randomBytes } from "node:crypto";
import { seal, unseal } from "../../../kernel/secrets";
import { deriveMasterKey, type MasterKey, type StoredMasterKey } from "./master-key";

const DATA_KEY_BYTES = 32;

/** The version of a secret that a value belongs to: authenticated with it, so that rows cannot be exchanged. */
export interface ValueContext {
  tenantId: string;
  secretId: string;
  number: number;
}

export interface SealedValue {
  sealedValue: string;
  wrappedKey: string;
  masterKeyVersion: number;
}

/** Encrypts a value with a data key of its own (AES-256-GCM), and that with the master key. */
export function sealValue(master: MasterKey, value: string, context: ValueContext): SealedValue {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  return {
    sealedValue: seal(dataKey, value, textOf("value", context)),
    wrappedKey: wrap(master, dataKey, context),
    masterKeyVersion: master.version,
  };
}

/** A stored value with the version of the master key that its row names. */
export interface StoredValue extends ValueContext, StoredMasterKey {
  sealedValue: string;
  wrappedKey: string;
}

/** Throws if the row was changed, or its context is not that under which it was stored. */
export function openValue(rootKey: Buffer, stored: StoredValue): string {
  const value = unseal(unwrap(rootKey, stored), stored.sealedValue, textOf("value", stored));
  if (value === undefined) throw broken(stored);
  return value;
}

/** Encrypts the data key of a version with another version of the master key; the value stays as it is. */
export const rewrap = (
  rootKey: Buffer,
  master: MasterKey,
  stored: Omit<StoredValue, "sealedValue">,
): Omit<SealedValue, "sealedValue"> => ({
  wrappedKey: wrap(master, unwrap(rootKey, stored), stored),
  masterKeyVersion: master.version,
});

const wrap = ({ key }: MasterKey, dataKey: Buffer, context: ValueContext): string =>
  seal(key, dataKey.toString("base64url"), textOf("data key", context));

function unwrap(rootKey: Buffer, stored: Omit<StoredValue, "sealedValue">): Buffer {
  const { key } = deriveMasterKey(rootKey, stored);
  const dataKey = unseal(key, stored.wrappedKey, textOf("data key", stored));
  if (dataKey === undefined) throw broken(stored);
  return Buffer.from(dataKey, "base64url");
}

const textOf = (what: string, { tenantId, secretId, number }: ValueContext): string =>
  JSON.stringify([`secret ${what}`, tenantId, secretId, number]);

const broken = ({ secretId, number }: ValueContext): Error =>
  new Error(`Version ${number} of the secret ${secretId} cannot be decrypted: its row was changed.`);
