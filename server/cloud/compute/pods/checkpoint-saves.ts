import type { Readable } from "node:stream";
import type { Logger } from "pino";
import { type Runtime, RuntimeError } from "../../../engines/runtime/runtime";
import { volumeArchiveMax } from "../../../engines/runtime/runtime-volumes";
import { FairSemaphore, type Release } from "../../../kernel/fair-semaphore";
import { TurnOrder } from "../../../kernel/turn-order";
import { CheckpointFailure, type CheckpointRow } from "../checkpoints/checkpoint";
import { completeCheckpoint, failCheckpoint } from "../checkpoints/checkpoint-rows";
import {
  type CheckpointCtx,
  type UploadedCheckpoint,
  type UploadedFiles,
  uploadFiles,
} from "../checkpoints/upload-files";
import { lockPod } from "../pod-records/pod-locks.sql";
import { addToTimeline } from "../pod-records/pod-timeline";
import { type CheckpointToSave, checkpointsToSave, lostCheckpoints } from "./pods.sql";

interface CheckpointSavesCtx extends CheckpointCtx {
  sql: Parameters<typeof checkpointsToSave>[0];
  nodeId: string;
  log: Pick<Logger, "warn">;
  /** Called when a save has ended, which may make another one due. */
  onDone: () => void;
}

/** Of which one tenant has at most two. */
const SAVES_MAX = 3;
const RETRY_MS = 5000;
/** Of a storage that cannot be used. */
const RETRIES_MS = 15 * 60_000;
const BYTES_PER_KIB = 1024;
const BYTES_PER_MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const NODE_LOST = { code: "node_lost", message: "The node with the files has not reported for 10 minutes." };

type Saving = Pick<Runtime, "snapshot" | "volumes">;

type Outcome = { uploaded: UploadedCheckpoint } | { reason: { code: string; message: string } };

/** Saves the checkpoints of runs of one node; those that a crash interrupts are saved by the next process. */
export class CheckpointSaves {
  readonly #places = new FairSemaphore(SAVES_MAX);
  readonly #order = new TurnOrder();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #notBefore = new Map<string, number>();
  readonly #stopping = new AbortController();

  constructor(readonly ctx: CheckpointSavesCtx) {}

  /** Begins those that are due, of each pod one at a time; false if there are none. */
  async look(runtime: Saving): Promise<boolean> {
    for (const { id, podId } of await lostCheckpoints(this.ctx.sql)) {
      await this.#recordOutcome({ id, podId }, { reason: NODE_LOST });
    }
    const due = await checkpointsToSave(this.ctx.sql, this.ctx.nodeId);
    for (const checkpoint of this.#order.sort(due, ({ tenantId }) => tenantId)) {
      const { id, podId, tenantId } = checkpoint;
      if (this.#stopping.signal.aborted) break;
      if (this.#underWay.has(podId) || performance.now() < (this.#notBefore.get(id) ?? 0)) continue;
      const release = this.#places.tryTake(tenantId);
      if (release) this.#begin(runtime, checkpoint, release);
    }
    return due.length > 0;
  }

  /** Interrupts what is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay.values());
  }

  #begin(runtime: Saving, checkpoint: CheckpointToSave, release: Release): void {
    const { id, podId, tenantId } = checkpoint;
    this.#order.note(tenantId);
    const work = this.#save(runtime, checkpoint)
      .then(
        () => void this.#notBefore.delete(id),
        (err: unknown) => {
          this.#notBefore.set(id, performance.now() + RETRY_MS);
          if (!this.#stopping.signal.aborted) {
            this.ctx.log.warn({ err, checkpoint: id }, "a checkpoint could not be saved, which is repeated");
          }
        },
      )
      .then(() => {
        release();
        this.#underWay.delete(podId);
        this.ctx.onDone();
      });
    this.#underWay.set(podId, work);
  }

  async #save(runtime: Saving, checkpoint: CheckpointToSave): Promise<void> {
    await this.#recordOutcome(checkpoint, await this.#uploadAll(runtime, checkpoint));
  }

  async #upload(target: Parameters<typeof uploadFiles>[1], archive: Readable): Promise<UploadedFiles> {
    const interrupt = () => archive.destroy(new Error("svc stops"));
    this.#stopping.signal.addEventListener("abort", interrupt, { once: true });
    try {
      return await uploadFiles(this.ctx, target, archive);
    } finally {
      this.#stopping.signal.removeEventListener("abort", interrupt);
      archive.destroy();
    }
  }

  async #uploadAll(runtime: Saving, checkpoint: CheckpointToSave): Promise<Outcome> {
    try {
      const { volumes } = runtime;
      const { runId, volumeId, volumeGb } = checkpoint;
      const files = await this.#upload(checkpoint, runtime.snapshot(runId));
      if (volumeId === null || volumeGb === null) return { uploaded: { files } };
      if (!volumes) throw new RuntimeError("not_supported", "The node keeps no volumes.");
      const target = { ...checkpoint, bytesMax: volumeArchiveMax(volumeGb * GIB) };
      return { uploaded: { files, volume: await this.#upload(target, volumes.snapshot(volumeId)) } };
    } catch (cause) {
      const { log, clock } = this.ctx;
      if (cause instanceof CheckpointFailure) return { reason: cause };
      if (cause instanceof RuntimeError) return { reason: { code: "no_files", message: cause.message } };
      const isLate = clock.now().getTime() - checkpoint.createdAt.getTime() > RETRIES_MS;
      if (!isLate || this.#stopping.signal.aborted) throw cause;
      log.warn({ err: cause, checkpoint: checkpoint.id }, "a checkpoint could not be saved");
      return { reason: { code: "storage_failed", message: "The object storage could not be used for 15 minutes." } };
    }
  }

  async #recordOutcome({ id, podId }: { id: string; podId: string }, outcome: Outcome): Promise<void> {
    const { db, clock } = this.ctx;
    await db.$transaction(async (tx) => {
      await lockPod(tx, podId);
      const now = clock.now();
      const row =
        "uploaded" in outcome
          ? await completeCheckpoint(tx, { ...outcome.uploaded, id, now })
          : await failCheckpoint(tx, { id, reason: outcome.reason, now });
      if (!row) return;
      const type = row.state === "saved" ? "checkpoint_saved" : "checkpoint_failed";
      await addToTimeline(tx, { id: podId, kind: "pod", runNumber: row.run }, { type, message: textOf(row), at: now });
    });
  }
}

function textOf({ id, state, reasonText, sizeBytes, volumeBytes, newBytes }: CheckpointRow): string {
  if (state !== "saved") return `The checkpoint ${id} was not saved: ${reasonText}`;
  const volume = volumeBytes === null ? "" : ` and ${sizeText(volumeBytes)} of the volume`;
  return `The checkpoint ${id} was saved: ${sizeText(sizeBytes ?? 0n)}${volume}, of which ${sizeText(newBytes)} were uploaded.`;
}

const sizeText = (bytes: bigint): string =>
  bytes < BYTES_PER_MIB
    ? `${Math.ceil(Number(bytes) / BYTES_PER_KIB)} KiB`
    : `${(Number(bytes) / BYTES_PER_MIB).toFixed(1)} MiB`;
