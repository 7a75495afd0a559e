import type { Runtime } from "../../../engines/runtime/runtime";
import { lockPod } from "../pod-records/pod-locks.sql";
import { addToTimeline } from "../pod-records/pod-timeline";
import type { PodsCtx } from "./pods-ctx";

const PAUSED =
  "Its processes are paused, because the disk of the node is nearly full and the pod was filling it. They continue when there is space again; the pod can be stopped and deleted meanwhile.";
const RESUMED = "Its processes continue: the disk of the node has space again.";

/** Tells the owners of pods which of them are paused. */
export class PausedRuns {
  #known: ReadonlySet<string> = new Set();

  constructor(readonly ctx: Pick<PodsCtx, "db" | "clock">) {}

  async look({ disks }: Pick<Runtime, "disks">): Promise<void> {
    const paused = new Set(await disks?.paused());
    const before = this.#known;
    this.#known = paused;
    for (const id of paused) if (!before.has(id)) await this.#note(id, "paused");
    for (const id of before) if (!paused.has(id)) await this.#note(id, "resumed");
  }

  /** Once, even if an earlier process of svc has noted it. */
  async #note(id: string, type: "paused" | "resumed"): Promise<void> {
    const { db, clock } = this.ctx;
    await db.$transaction(async (tx) => {
      const run = await tx.podRun.findUnique({ where: { id }, include: { pod: true } });
      if (!run || run.endedAt || !(await lockPod(tx, run.podId))) return;
      const last = await tx.podTimelineEntry.findFirst({
        where: { podId: run.podId, run: run.number, type: { in: ["paused", "resumed"] } },
        orderBy: { number: "desc" },
      });
      if ((last?.type ?? "resumed") === type) return;
      const message = type === "paused" ? PAUSED : RESUMED;
      await addToTimeline(tx, run.pod, { type, message, at: clock.now() });
    });
  }
}
