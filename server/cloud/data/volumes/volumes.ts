import type { Readable } from "node:stream";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { BlobStore } from "../../../engines/objects/blob-store";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import { RuntimeError } from "../../../engines/runtime/runtime";
import type { RuntimeVolumes } from "../../../engines/runtime/runtime-volumes";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { FairSemaphore } from "../../../kernel/fair-semaphore";
import { TurnOrder } from "../../../kernel/turn-order";
import { quarantineUnknown } from "../../core/quarantine/quarantine-unknown";
import { recordVolumeFailure, recordVolumeProvisioned, recordVolumeRemoved } from "./record-volume";
import { saveSnapshot } from "./save-snapshot";
import { readArchive } from "./snapshot-archive";
import {
  type DueSnapshot,
  type DueVolume,
  dueSnapshots,
  dueVolumes,
  failLostSnapshots,
  keptVolumes,
  recordLostVolumes,
  wantedVolumes,
} from "./volumes.sql";

export interface SharedVolumesCtx {
  db: PrismaClient;
  sql: Pick<Pool, "query">;
  clock: Clock;
  blobs: BlobStore;
  nodeId: string;
  log: Pick<Logger, "error" | "warn">;
  /** Called when a step has ended, which may make another one due. */
  onDone: () => void;
}

const GIB = 1024 ** 3;
const BYTES_PER_MB = 1_000_000;
/** Of which one tenant has at most half. */
const STEPS_MAX = 8;
const SAVES_MAX = 2;
const RETRY_MS = 5000;
/** Ids of shared volumes are those of resources. */
const VOLUME_ID = /^res_/;

/** Makes, enlarges, saves and deletes the shared volumes of one node; what a crash interrupts is done by the next process. */
export class SharedVolumes {
  readonly #steps = { places: new FairSemaphore(STEPS_MAX), order: new TurnOrder() };
  readonly #saves = { places: new FairSemaphore(SAVES_MAX), order: new TurnOrder() };
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #notBefore = new Map<string, number>();
  readonly #archives = new Set<Readable>();
  #isStopping = false;

  constructor(readonly ctx: SharedVolumesCtx) {}

  /** Begins the steps that are due; false if there are none. */
  async look(volumes: RuntimeVolumes | undefined): Promise<boolean> {
    if (!volumes) return false;
    const { sql, nodeId } = this.ctx;
    const due = await dueVolumes(sql, nodeId);
    this.#beginAll(due, this.#steps, {
      keyOf: ({ id, state }) => `${id} ${state}`,
      step: (volume) => this.#step(volumes, volume),
    });
    const snapshots = await dueSnapshots(sql, nodeId);
    this.#beginAll(snapshots, this.#saves, { keyOf: ({ id }) => id, step: (one) => this.#save(volumes, one) });
    return due.length > 0 || snapshots.length > 0;
  }

  /**
   * Keeps volumes that the database does not know for a while before it deletes them, and records those that the
   * node does not have any more. Returns how many there were of either.
   */
  async sweep(volumes: RuntimeVolumes | undefined): Promise<number> {
    if (!volumes) return 0;
    const { sql, nodeId } = this.ctx;
    // Read before the list: one that is made meanwhile is not in it.
    const kept = await keptVolumes(sql, nodeId);
    const ids = (await volumes.list()).ids.filter((id) => VOLUME_ID.test(id));
    const lost = kept.filter((id) => !ids.includes(id));
    if (kept.length > 0) await recordLostVolumes(sql, { lost, found: kept.filter((id) => ids.includes(id)) });
    await failLostSnapshots(sql);
    const wanted = await wantedVolumes(sql, nodeId, ids);
    const keeping = { ...this.ctx, remove: (id: string) => volumes.remove(id) };
    await quarantineUnknown(keeping, { kind: "shared", ids: ids.filter((id) => !wanted.has(id)) });
    return kept.length + ids.length;
  }

  /** Begins nothing more and interrupts what is saved; the caller interrupts the runtime before. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const archive of this.#archives) archive.destroy(new Error("svc stops"));
    await Promise.all(this.#underWay.values());
  }

  #beginAll<T extends { tenantId: string }>(due: readonly T[], { places, order }: Turns, { keyOf, step }: Steps<T>) {
    for (const one of order.sort(due, ({ tenantId }) => tenantId)) {
      const key = keyOf(one);
      const isDue = performance.now() >= (this.#notBefore.get(key) ?? 0);
      if (this.#isStopping || this.#underWay.has(key) || !isDue) continue;
      const release = places.tryTake(one.tenantId);
      if (!release) continue;
      order.note(one.tenantId);
      this.#begin(key, () => step(one).finally(release));
    }
  }

  #begin(key: string, step: () => Promise<void>): void {
    const work = step()
      .then(
        () => void this.#notBefore.delete(key),
        (err: unknown) => {
          this.#notBefore.set(key, performance.now() + RETRY_MS);
          if (!this.#isStopping) this.ctx.log.warn({ err, key }, "a step of a shared volume failed, and is repeated");
        },
      )
      .then(() => {
        this.#underWay.delete(key);
        this.ctx.onDone();
      });
    this.#underWay.set(key, work);
  }

  async #step(volumes: RuntimeVolumes, due: DueVolume): Promise<void> {
    const { db, clock } = this.ctx;
    const { id, state, capacityGb, snapshotId, throughputMbps } = due;
    if (state === "deleting") {
      await volumes.remove(id);
      await db.$transaction((tx) => recordVolumeRemoved(tx, id, clock.now()));
      return;
    }
    const bytes = capacityGb * GIB;
    const failure =
      state === "making"
        ? await this.#make(volumes, { id, bytes, snapshotId })
        : (due.madeGb ?? 0) < capacityGb
          ? await volumes.grow(id, bytes).catch(failureOrThrow)
          : undefined;
    if (failure) {
      await db.$transaction((tx) => recordVolumeFailure(tx, id, failure));
      return;
    }
    const isLimited = await volumes.limit(id, (throughputMbps ?? 0) * BYTES_PER_MB);
    const throughput = { limitedMbps: throughputMbps, throughputEnforced: isLimited && throughputMbps !== null };
    await db.$transaction((tx) =>
      recordVolumeProvisioned(tx, { id, madeGb: capacityGb, ...throughput, now: clock.now() }),
    );
  }

  async #make(
    volumes: RuntimeVolumes,
    { id, bytes, snapshotId }: { id: string; bytes: number; snapshotId: string | null },
  ): Promise<Failure | undefined> {
    const restore = snapshotId === null ? undefined : await this.#openSnapshot(snapshotId);
    if (restore && "code" in restore) return restore;
    try {
      await volumes.make(id, { bytes, restore });
      return undefined;
    } catch (cause) {
      if (restore?.errored instanceof ServiceError) return storageFailure(restore.errored);
      return failureOrThrow(cause);
    }
  }

  async #openSnapshot(id: string): Promise<Readable | Failure> {
    const row = await this.ctx.db.volumeSnapshot.findUnique({ where: { id, state: "saved" } });
    if (!row || row.blob === null)
      return { code: "no_such_snapshot", message: "Its snapshot does not exist any more." };
    return readArchive(this.ctx.blobs, { ...row, blob: row.blob });
  }

  async #save(volumes: RuntimeVolumes, snapshot: DueSnapshot): Promise<void> {
    const archive = volumes.snapshot(snapshot.volumeId);
    this.#archives.add(archive);
    try {
      await saveSnapshot(this.ctx, snapshot, archive);
    } finally {
      this.#archives.delete(archive);
    }
  }
}

/** How tenants share what a node does at a time. */
interface Turns {
  places: FairSemaphore;
  order: TurnOrder;
}

interface Steps<T> {
  keyOf: (one: T) => string;
  step: (one: T) => Promise<void>;
}

interface Failure {
  code: string;
  message: string;
}

/** What its owner is told; throws for what may succeed when it is repeated. */
function failureOrThrow(cause: unknown): Failure {
  if (cause instanceof RuntimeError && cause.reason !== "terminated")
    return { code: cause.reason, message: cause.message };
  throw cause;
}

/** Throws `unavailable` of the storage. */
function storageFailure(failure: ServiceError): Failure {
  if (failure.code === "unavailable") throw failure;
  return { code: "snapshot_damaged", message: "A part of its snapshot is damaged or missing in object storage." };
}
