import { type ClaimSession, claimName } from "../../../engines/postgres/session-claim";
import type { RuntimeChoice } from "../../../engines/runtime/choose-runtime";
import type { Runtime } from "../../../engines/runtime/runtime";
import type { VolumeList } from "../../../engines/runtime/runtime-volumes";
import { SharedVolumes } from "../../data/volumes/volumes";
import { NetworkUpdates } from "../../net/private-networks/network-updates";
import { sweepNetworks } from "../../net/private-networks/sweep-networks";
import { recordNodeReport } from "../placement/pod-nodes.sql";
import { GRACE_SECONDS } from "../pod-records/grace-times";
import { WarmImages } from "../warm-images/warm-images";
import { CheckpointSaves } from "./checkpoint-saves";
import { DiskUses } from "./disk-uses";
import { nodeReportOf } from "./node-report";
import { PausedRuns } from "./paused-runs";
import { performStep, type StepCtx, type StepToPerform } from "./perform-step";
import type { PodReconcilerCtx } from "./pod-reconciler-ctx";
import { knownRuns, type RunToKeep, recordObserved, runsToKeep } from "./pods.sql";
import { ENDS, nextRunStep, type RunStep, WAITING } from "./run-step";
import { SeenRuns } from "./seen-runs";
import { StepPlaces } from "./step-places";
import { sweepVolumes } from "./sweep-volumes";

const REPORT_MS = 5000;
/** Half of the time after which a node counts as one that does not report. */
const IDLE_REPORT_MS = 10_000;
/** Less than the time between two rounds, so that none is left out. */
const SEEN_MS = 4500;
const SWEEP_MS = 30_000;
const RETRY_MS = 5000;
const LATER_MS = 1000;
/** Of workloads of pods and sandboxes. */
const POD_ID = /^(pod|sbx)_/;
/** How long `stop` waits for steps; those that svc does not finish are repeated at its next start. */
const STOP_WAIT_MS = 2000;

/**
 * Runs the pods of one node: what the database wants becomes what the runtime does. One process at a time does this
 * for a data directory, which a lock of its database session ensures; when that process ends, another one goes on.
 */
export class PodReconciler {
  /** The step of each run that is under way. */
  readonly #steps = new Map<string, RunStep>();
  readonly #places = new StepPlaces();
  readonly #underWay = new Set<Promise<void>>();
  /** Ends that were begun beside another step. */
  readonly #besides = new Set<string>();
  readonly #notBefore = new Map<string, number>();
  #claim: ClaimSession | undefined;
  /** Those of the last look. */
  #runs: readonly RunToKeep[] = [];
  #reporting: Promise<void> | undefined;
  #reportedAt = 0;
  #sweptAt = 0;
  #choice: RuntimeChoice | undefined;
  #volumes: VolumeList | undefined;
  #isStopping = false;
  /** Whether there was nothing to look after in the last round. */
  isIdle = false;
  /** Whether it was idle, and there were no workloads and no volumes on the node either. */
  isEmpty = false;
  /** Whether its node has GPUs that svc can use. */
  hasGpus = false;

  readonly #seen: SeenRuns;
  readonly #nodeId: string;
  readonly #saves: CheckpointSaves;
  readonly #paused: PausedRuns;
  readonly #warmImages: WarmImages;
  readonly #networks: NetworkUpdates;
  readonly #sharedVolumes: SharedVolumes;
  readonly #diskUses: DiskUses;
  readonly #workers: readonly { stop(): Promise<void> }[];

  constructor(readonly ctx: PodReconcilerCtx) {
    this.#nodeId = ctx.node.id;
    this.#seen = new SeenRuns(ctx.clock);
    this.#saves = new CheckpointSaves({ ...ctx, nodeId: this.#nodeId });
    this.#paused = new PausedRuns(ctx);
    this.#networks = new NetworkUpdates({ ...ctx, nodeId: this.#nodeId });
    this.#warmImages = new WarmImages({ ...ctx, nodeId: this.#nodeId });
    this.#sharedVolumes = new SharedVolumes({ ...ctx, nodeId: this.#nodeId });
    this.#diskUses = new DiskUses({ ...ctx, nodeId: this.#nodeId });
    this.#workers = [this.#saves, this.#warmImages, this.#sharedVolumes];
  }

  /** The runtime, if this process has the claim. */
  get runtime(): Runtime | undefined {
    return this.#claim && this.#choice?.runtime;
  }

  /** Whether this process has the node. */
  get isClaimed(): boolean {
    return this.#claim !== undefined;
  }

  /**
   * Reports when that is due. Returns whether a round is: the node does something else than the last round saw, has
   * restarted, or is not in this process's hands any more.
   */
  async observe(): Promise<boolean> {
    const { runtime } = this;
    if (!runtime) return false;
    if (this.ctx.node.isRestarted) return true;
    await this.#report();
    await this.#paused.look(runtime);
    if (!this.#claim) return true;
    for (const run of this.#runs) {
      const step = nextRunStep(run, await this.#seen.observe(runtime, run.id));
      if (this.#steps.has(run.id)) continue;
      if (step !== "record_seen" && this.#isDue(run, step)) return true;
    }
    return false;
  }

  /** Takes the claim if it is free, reports, and begins the steps that are due. */
  async round(): Promise<void> {
    if (!this.#claim && !(await this.#takeClaim())) return;
    if (this.ctx.node.isRestarted) this.#choice = undefined;
    if (this.#claim) this.#choice ??= await this.ctx.node.open(this.#claim.client);
    await this.#report();
    const { runtime } = this;
    if (!runtime) return;
    await this.#lookAtRuns(runtime);
    await this.#networks.look(runtime);
    const isSaving = await this.#saves.look(runtime);
    const hasVolumes = await this.#sharedVolumes.look(runtime.volumes);
    this.isIdle = this.#runs.length === 0 && !isSaving && !hasVolumes;
    const foundNothing = await this.#sweep(runtime);
    this.isEmpty = this.isIdle && (foundNothing ?? this.isEmpty);
    const starts = [...this.#steps.values()].filter((step) => step === "start").length;
    if (!this.ctx.node.isFull) this.#warmImages.look(runtime, { starts });
  }

  /** Begins no further step and gives the claim back; the caller interrupts the runtime before. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const late = new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([Promise.all([...this.#workers.map((one) => one.stop()), ...this.#underWay]), late]);
    const claim = this.#claim;
    this.#claim = undefined;
    await claim?.close();
  }

  async #takeClaim(): Promise<boolean> {
    const claim = await claimName(this.ctx.sql.options.connectionString, `pod-node:${this.#nodeId}`);
    this.#claim = claim;
    claim?.signal.addEventListener("abort", () => {
      if (this.#claim !== claim) return;
      this.#claim = undefined;
      this.ctx.onDone();
    });
    this.#reportedAt = 0;
    this.#choice = undefined;
    return claim !== undefined;
  }

  /** Through the connection of the claim, so that a lost one is noticed. */
  #report(): Promise<void> {
    this.#reporting ??= this.#reportIfDue().finally(() => {
      this.#reporting = undefined;
    });
    return this.#reporting;
  }

  async #reportIfDue(): Promise<void> {
    const now = performance.now();
    if (this.#reportedAt > 0 && now - this.#reportedAt < (this.isIdle ? IDLE_REPORT_MS : REPORT_MS)) return;
    const claim = this.#claim;
    if (!claim) return;
    await this.ctx.node.check();
    const gpus = this.#choice?.runtime?.gpu === "nvidia" ? await this.ctx.node.gpus() : null;
    try {
      await this.#listVolumes();
      await recordNodeReport(claim.client, { ...nodeReportOf(this.ctx.node, this.#choice, this.#volumes), gpus });
      this.#reportedAt = now;
      this.hasGpus = (gpus?.gpus.length ?? 0) > 0;
    } catch (cause) {
      this.#claim = undefined;
      this.ctx.onDone();
      await claim.close();
      throw cause;
    }
  }

  /** A cluster that does not respond keeps the volumes that it had. */
  async #listVolumes(): Promise<void> {
    const list = this.#choice?.runtime?.volumes?.list();
    this.#volumes = await list?.catch(() => this.#volumes);
    if (this.#volumes) await this.#diskUses.note(this.#volumes);
  }

  /** Begins the steps that are due. */
  async #lookAtRuns(runtime: Runtime): Promise<void> {
    const { sql, clock } = this.ctx;
    this.#runs = await runsToKeep(sql, this.#nodeId, clock.now());
    this.#seen.keepOnly(this.#runs);
    const steps = await Promise.all(this.#runs.map((run) => this.#look(runtime, run)));
    const seen = this.#runs.filter((run, i) => steps[i] === "record_seen" && this.#isDue(run, "record_seen"));
    await recordObserved(
      sql,
      seen.map(({ id }) => id),
      clock.now(),
    );
    for (const { id } of seen) this.#notBefore.set(id, performance.now() + SEEN_MS);
  }

  /** The step that is due if none is under way. */
  async #look(runtime: Runtime, run: RunToKeep): Promise<RunStep | undefined> {
    const step = nextRunStep(run, await this.#seen.observe(runtime, run.id));
    const current = this.#steps.get(run.id);
    if (current === undefined) {
      if (step !== "record_seen") this.#begin(runtime, run, step);
      return step;
    }
    // What the start has made until then is ended by the steps after it.
    if (current === "start" && ENDS.has(step)) {
      this.#beside(`${run.id} interrupt`, () => runtime.terminate(run.id, step === "stop" ? GRACE_SECONDS : 0));
    } else if ((current === "stop" || current === "reclaim") && step === "kill") {
      this.#beside(`${run.id} kill`, () => performStep(this.#stepCtx(runtime), run, step));
    }
    return undefined;
  }

  #isDue({ id }: RunToKeep, step: RunStep): boolean {
    return !WAITING.has(step) || performance.now() >= (this.#notBefore.get(id) ?? 0);
  }

  #begin(runtime: Runtime, run: RunToKeep, step: StepToPerform): void {
    if (this.#isStopping || !this.#isDue(run, step)) return;
    if (step === "start" && this.ctx.node.isFull) {
      this.#notBefore.set(run.id, performance.now() + LATER_MS);
      return;
    }
    const release = this.#places.take(step, run.tenantId);
    if (!release) return;
    this.#steps.set(run.id, step);
    const performed = performStep(this.#stepCtx(runtime), run, step)
      .then(
        (result) => {
          if (result === "later") this.#notBefore.set(run.id, performance.now() + LATER_MS);
          else this.#notBefore.delete(run.id);
        },
        (err: unknown) => {
          this.#notBefore.set(run.id, performance.now() + RETRY_MS);
          if (!this.#isStopping)
            this.ctx.log.warn({ err, run: run.id, step }, "a step of a pod failed, and is repeated");
        },
      )
      .then(() => {
        release();
        this.#steps.delete(run.id);
      });
    this.#track(performed);
  }

  #stepCtx(runtime: Runtime): StepCtx {
    const updateNetworks = () => this.#networks.look(runtime, { repeats: true });
    return { ...this.ctx, nodeId: this.#nodeId, runtime, updateNetworks, seen: this.#seen };
  }

  #beside(key: string, end: () => Promise<unknown>): void {
    if (this.#besides.has(key)) return;
    this.#besides.add(key);
    this.#track(
      end()
        .catch((err: unknown) => this.ctx.log.warn({ err, key }, "a pod could not be ended, which is repeated"))
        .then(() => void this.#besides.delete(key)),
    );
  }

  #track(work: Promise<void>): void {
    this.#underWay.add(work);
    void work.then(() => {
      this.#underWay.delete(work);
      this.ctx.onDone();
    });
  }

  /**
   * Removes workloads of pods that the database does not know, such as those of a database that was restored, and ends
   * those that it considers ended. Returns whether it found none, and no volumes; undefined: it was not due.
   */
  async #sweep(runtime: Runtime): Promise<boolean | undefined> {
    const now = performance.now();
    if (this.#sweptAt > 0 && now - this.#sweptAt < SWEEP_MS) return undefined;
    const ids = (await runtime.list()).filter((id) => POD_ID.test(id));
    const known = await knownRuns(this.ctx.sql, this.#nodeId, ids);
    for (const id of ids) {
      const run = known.get(id);
      if (!run) await runtime.remove(id);
      else if (run.isEnded) await runtime.terminate(id, 0);
    }
    const ofPods = await sweepVolumes({ ...this.ctx, nodeId: this.#nodeId, runtime });
    const shared = await this.#sharedVolumes.sweep(runtime.volumes);
    const networks = await sweepNetworks({ ...this.ctx, nodeId: this.#nodeId }, runtime.networks);
    this.#sweptAt = now;
    return ids.length + ofPods + shared + networks === 0;
  }
}
