import type { Pool } from "pg";
import { ServiceError } from "../../../kernel/errors";
import { type RootKeys, rewrapped, type StoredEncryption } from "./encryption";
import { KEY_TABLES, type KeyTable, readKeysAfter, storeKeys } from "./object-keys.sql";

const BATCH = 500;

interface RewrapCtx {
  sql: Pool;
  objectKeys: RootKeys;
  /** Data keys at a time; default 500. */
  batch?: number;
}

/** Data keys of versions of objects and of uploads. */
export interface Rewrapping {
  /** Wrapped with the current key by this run. */
  rewrapped: number;
  /** Wrapped with neither key; their objects cannot be read. */
  unreadable: number;
}

/**
 * Wraps every data key of an object with the key from SVC_SECRET that is still wrapped with the one from
 * SVC_SECRET_PREVIOUS, in batches, while svc runs; the objects themselves stay as they are. It ends when it has found none
 * in all of them. An interrupted run is completed by the next one, and two runs at once change nothing twice.
 * `progress` receives one short line per batch.
 */
export async function rewrapObjectKeys(
  { sql, objectKeys, batch = BATCH }: RewrapCtx,
  progress: (step: string) => void,
): Promise<Rewrapping> {
  let total = 0;
  for (;;) {
    const pass = { rewrapped: 0, unreadable: 0 };
    for (const table of KEY_TABLES) {
      await rewrapTable(sql, { table, objectKeys, batch }, (done) => {
        pass.rewrapped += done.rewrapped;
        pass.unreadable += done.unreadable;
        if (done.rewrapped > 0) progress(`rewrapped ${total + pass.rewrapped} data keys`);
      });
    }
    total += pass.rewrapped;
    // Meanwhile an upload that began before may have become an object.
    if (pass.rewrapped === 0) return { rewrapped: total, unreadable: pass.unreadable };
  }
}

async function rewrapTable(
  sql: Pool,
  { table, objectKeys, batch }: { table: KeyTable; objectKeys: RootKeys; batch: number },
  onBatch: (done: Rewrapping) => void,
): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await readKeysAfter(sql, table, { after, max: batch });
    const found = rows.map(({ id, encryption }) => ({
      id,
      before: encryption,
      after: wrappedAgain(objectKeys, encryption),
    }));
    const keys = found.flatMap(({ after: key, ...row }) => (typeof key === "object" ? [{ ...row, after: key }] : []));
    const unreadable = found.filter(({ after: key }) => key === "unreadable").length;
    onBatch({ rewrapped: keys.length === 0 ? 0 : await storeKeys(sql, table, keys), unreadable });
    if (rows.length < batch) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Undefined: it has the current key. */
function wrappedAgain(objectKeys: RootKeys, stored: StoredEncryption): StoredEncryption | "unreadable" | undefined {
  try {
    return rewrapped(objectKeys, stored);
  } catch (failure) {
    if (failure instanceof ServiceError && failure.details?.reason === "other_svc_secret") return "unreadable";
    throw failure;
  }
}
