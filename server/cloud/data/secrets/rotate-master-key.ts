import { setTimeout as pause } from "node:timers/promises";
import { deriveMasterKey, type MasterKey, newMasterKey } from "./master-key";
import { countOldDataKeys, lockMasterKeys, lockOldDataKeys, storeRewrapped } from "./master-key.sql";
import { rewrap } from "./sealed-value";
import type { SecretCtx } from "./secret-ctx";

const BATCH = 200;
/** How long a run waits for data keys that another transaction has locked. */
const LOCKED_MS = 50;

type RotateCtx = Pick<SecretCtx, "db" | "sql" | "clock" | "secretsKey">;

/** What a rotation did. */
export interface Rotation {
  /** The current version of the master key. */
  version: number;
  /** How many data keys this run wrapped with it. */
  rewrapped: number;
  /** Whether the run went on with a rotation that was interrupted or still runs. */
  resumed: boolean;
}

/**
 * Creates a version of the master key and wraps every data key with it, in batches, while svc runs; then retires the
 * older versions. An interrupted run is completed by the next one, and two runs at once share the work. `progress`
 * receives one short line per batch. Throws `unavailable` (reason `other_svc_secret`) if SVC_SECRET has changed.
 */
export async function rotateMasterKey(ctx: RotateCtx, progress: (step: string) => void): Promise<Rotation> {
  const { sql } = ctx;
  const { master, resumed } = await beginRotation(ctx);
  const total = await countOldDataKeys(sql, master.version);
  let rewrapped = 0;
  for (;;) {
    const count = await rewrapBatch(ctx, master);
    rewrapped += count;
    if (count > 0) progress(`rewrapped ${rewrapped} of ${total} data keys`);
    else if ((await countOldDataKeys(sql, master.version)) === 0) break;
    else await pause(LOCKED_MS);
  }
  await ctx.db.masterKey.updateMany({
    where: { version: { lt: master.version }, retiredAt: null },
    data: { retiredAt: ctx.clock.now() },
  });
  return { version: master.version, rewrapped, resumed };
}

/** Nobody wraps a data key with an older version after this, so that those found later are all there are. */
function beginRotation({ db, clock, secretsKey }: RotateCtx): Promise<{ master: MasterKey; resumed: boolean }> {
  return db.$transaction(async (tx) => {
    await lockMasterKeys(tx);
    const newest = await tx.masterKey.findFirst({ orderBy: { version: "desc" } });
    const active = await tx.masterKey.count({ where: { retiredAt: null } });
    // Also tells, before anything is changed, whether SVC_SECRET is still the same.
    const current = newest && deriveMasterKey(secretsKey, newest);
    if (current && active > 1) return { master: current, resumed: true };
    const created = newMasterKey(secretsKey, (newest?.version ?? 0) + 1);
    await tx.masterKey.create({ data: { ...created, createdAt: clock.now() } });
    return { master: deriveMasterKey(secretsKey, created), resumed: false };
  });
}

/** Returns how many it rewrapped. */
const rewrapBatch = ({ db, secretsKey }: RotateCtx, master: MasterKey): Promise<number> =>
  db.$transaction(async (tx) => {
    const old = await lockOldDataKeys(tx, { version: master.version, max: BATCH });
    if (old.length === 0) return 0;
    await storeRewrapped(tx, master.version, {
      secretIds: old.map(({ secretId }) => secretId),
      numbers: old.map(({ number }) => number),
      wrappedKeys: old.map((key) => rewrap(secretsKey, master, key).wrappedKey),
    });
    return old.length;
  });
