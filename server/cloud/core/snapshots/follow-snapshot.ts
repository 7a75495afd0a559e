import type { Pool } from "pg";
import { LEASE_OWNER } from "../../../engines/postgres/lease";
import type { StartedAlarms } from "../../../engines/start-alarms";
import { forgetReader, newestVersion, recordLoaded, roundOf } from "./snapshots.sql";

const LEASE_MS = 15_000;
/** Extensions of a lease before it would end: two of them may fail. */
const EXTENSIONS = 3;

interface FollowSnapshot {
  sql: Pool;
  alarms: Pick<StartedAlarms, "add">;
  /** Names this process; default: by its host and number. */
  process?: string;
  /** How long a process counts as alive without a sign of life, in milliseconds; default: 15,000. */
  leaseMs?: number;
}

interface Snapshot {
  topic: string;
  /** Loads what is committed, so that the process serves it when the promise resolves. */
  load: () => Promise<void>;
}

/** A process that serves a snapshot. */
export interface Follower {
  /**
   * Whether the process may serve: it has loaded the snapshot, and counts as alive. One that has not reached the database
   * for as long as its lease lasts must not serve, because others do not wait for it any more.
   */
  isLive(): boolean;
  stop(): Promise<void>;
}

/**
 * Loads a snapshot when it changes, and records which version this process serves, until `stop`. It may serve as soon as
 * `isLive` says so.
 */
export function followSnapshot(
  { sql, alarms, process = LEASE_OWNER, leaseMs = LEASE_MS }: FollowSnapshot,
  { topic, load }: Snapshot,
): Follower {
  let loaded: bigint | undefined;
  let liveUntil = 0;
  const reader = { topic, process, leaseMs };
  /** Returns false when the process must load a newer version before it serves. */
  const record = async (version: bigint): Promise<boolean> => {
    const at = performance.now();
    const mayServe = await recordLoaded(sql, reader, version);
    if (mayServe) liveUntil = at + leaseMs;
    return mayServe;
  };
  const follow = async (): Promise<boolean> => {
    const newest = await newestVersion(sql, topic);
    if (newest !== loaded) {
      // What is loaded after the number was read has all changes up to it.
      await load();
      loaded = newest;
    }
    return !(await record(loaded));
  };
  const everyMs = leaseMs / EXTENSIONS;
  const loading = alarms.add({ topic: roundOf(topic), purpose: `load the snapshot ${topic}`, everyMs, run: follow });
  // A process that takes long to load a version serves the one before, and others wait for it.
  const living = alarms.add({
    topic: `${roundOf(topic)}-alive`,
    purpose: `say that this process serves ${topic}`,
    everyMs,
    run: async () => {
      if (loaded !== undefined) await record(loaded);
    },
  });
  return {
    isLive: () => performance.now() < liveUntil,
    async stop() {
      await Promise.all([loading.stop(), living.stop()]);
      liveUntil = 0;
      await forgetReader(sql, reader);
    },
  };
}
