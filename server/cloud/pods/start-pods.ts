import os from "node:os";
import type { Counters } from "../../engines/counters/counters";
import type { StartedRuntime } from "../../engines/start-runtime";
import { ServiceError } from "../../kernel/errors";
import { repeat } from "../../kernel/repeat";
import { Wake } from "../../kernel/wake";
import { PodRunner, type PodRunnerCtx } from "./pod-runner";
import type { PodRuns } from "./pod-runs";
import { runnerIdOf } from "./runner-id";
import { PODS_CHANGED } from "./wake-pods";

export interface StartPods extends Omit<PodRunnerCtx, "runnerId" | "runtime" | "memoryMb" | "onSettled"> {
  dataDir: string;
  counters: Pick<Counters, "subscribe">;
  /** undefined: this process runs no workloads, for the reason. */
  runtime: StartedRuntime | undefined;
  offReason?: string | undefined;
}

export interface StartedPods {
  runs: PodRuns;
  stop(): Promise<void>;
}

const ROUND_MS = 500;
/** Without active pods; changes wake it. */
const IDLE_MS = 2000;
const TRIED_WITHIN_MS = 10_000;
/** Of the memory of the machine; the rest is for svc, its engines and the system. */
const MEMORY_SHARE = 0.75;
const FOLLOWERS_MAX = 20;

/** Runs the pods of this machine in the background until `stop`, after which they run on. */
export function startPods({ runtime, offReason, dataDir, counters, ...ctx }: StartPods): StartedPods {
  const followers = countFollowers();
  if (!runtime) {
    const runs = { offReason, whenTried: async () => undefined, runtime: () => undefined, follow: followers };
    return { runs, stop: async () => undefined };
  }
  const wake = new Wake();
  const runnerId = runnerIdOf(dataDir);
  const runner = new PodRunner({
    ...{ ...ctx, runtime, runnerId, memoryMb: machineMemoryMb() },
    onSettled: () => wake.up(),
  });
  let markTried = () => {};
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
    setTimeout(resolve, TRIED_WITHIN_MS).unref();
  });
  const round = async () => {
    await runner.round();
    markTried();
  };
  const repeating = repeat({ everyMs: ROUND_MS, log: ctx.log, purpose: "look after pods" }, round, {
    ...{ atOnce: true, wait: (ms, signal) => wake.wait(runner.isIdle ? Math.max(ms, IDLE_MS) : ms, signal) },
  });
  const subscribed = counters.subscribe(PODS_CHANGED, () => wake.up()).catch(() => async () => undefined);
  return {
    runs: {
      offReason: undefined,
      whenTried: () => tried,
      runtime: (id) => (id === runnerId ? runner.runtime : undefined),
      follow: followers,
    },
    stop: async () => {
      await (await subscribed)();
      const repeated = repeating.stop();
      await runtime.stop();
      await repeated;
      await runner.stop();
    },
  };
}

/** What this process may use, in MiB: less than the machine has in a container. */
function machineMemoryMb(): number {
  const all = os.totalmem();
  const allowed = process.constrainedMemory();
  const bytes = allowed > 0 ? Math.min(all, allowed) : all;
  return Math.floor((bytes * MEMORY_SHARE) / 1024 ** 2);
}

function countFollowers(): PodRuns["follow"] {
  const counts = new Map<string, number>();
  return (tenantId) => {
    const count = counts.get(tenantId) ?? 0;
    if (count >= FOLLOWERS_MAX) {
      throw new ServiceError(
        "rate_limited",
        `At most ${FOLLOWERS_MAX} requests can follow output or run programs in pods at a time.`,
        {
          retryAfterSeconds: 5,
          details: { reason: "too_many_followers" },
        },
      );
    }
    counts.set(tenantId, count + 1);
    return () => {
      const left = (counts.get(tenantId) ?? 1) - 1;
      if (left > 0) counts.set(tenantId, left);
      else counts.delete(tenantId);
    };
  };
}
