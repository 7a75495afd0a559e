import type { Counters } from "../../engines/counters/counters";
import type { StartedRuntime } from "../../engines/start-runtime";
import { ServiceError } from "../../kernel/errors";
import { repeat } from "../../kernel/repeat";
import { LocalMachine, type LocalMachineParts } from "../nodes/local-machine";
import { Machines } from "../nodes/machines";
import { CONNECTIONS, limitInPods, TERMINALS } from "./limit-in-pods";
import { limitOpen } from "./limit-open";
import { maintainPods } from "./maintain-pods";
import { NodeDriver } from "./node-driver";
import type { PodRunnerCtx } from "./pod-runner";
import type { PodRuns } from "./pod-runs";
import { RunnerRounds } from "./runner-rounds";
import { PODS_CHANGED } from "./wake-pods";

export interface StartPods
  extends Omit<PodRunnerCtx, "machine" | "maintains" | "onSettled" | "reach">,
    Pick<LocalMachineParts, "dataDir" | "listen" | "machinesKey"> {
  counters: Pick<Counters, "subscribe">;
  /** undefined: this process runs no workloads, for the reason. */
  runtime: StartedRuntime | undefined;
  offReason?: string | undefined;
  /** Whether this process also drives the machines that were joined. */
  drivesNodes: boolean;
}

export interface StartedPods {
  runs: PodRuns;
  stop(): Promise<void>;
}

const TRIED_WITHIN_MS = 10_000;
const UPKEEP_MS = 500;
/** After the last joined machine was removed: its GPUs are withdrawn when its last report has come. */
const UPKEEP_ROUNDS_AFTER = 20;
const FOLLOWERS_MAX = 20;

/** Looks after pods in the background until `stop`, after which they run on: those of this machine, and of joined ones. */
export function startPods({ runtime, offReason, counters, drivesNodes, ...parts }: StartPods): StartedPods {
  const { dataDir, listen, ...ctx } = parts;
  const machine = runtime && new LocalMachine({ ...parts, runtime });
  const machines = new Machines({
    ...ctx,
    local: (id) => (id === machine?.id ? local?.runner.runtime : undefined) ?? driver?.runtime(id),
  });
  const runnerCtx = { ...ctx, reach: (id: string) => machines.runtime(id) };
  let markTried = () => {};
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
    setTimeout(resolve, TRIED_WITHIN_MS).unref();
  });
  const local =
    machine &&
    new RunnerRounds({ ...runnerCtx, machine, maintains: true }, { purpose: "look after pods", onRound: markTried });
  const driver = drivesNodes ? new NodeDriver(runnerCtx) : undefined;
  let roundsLeft = 0;
  // Joined machines can be the only ones that run pods.
  const upkeep =
    driver &&
    repeat({ everyMs: UPKEEP_MS, log: ctx.log, purpose: "place pods" }, async () => {
      roundsLeft = driver.hasMachines ? UPKEEP_ROUNDS_AFTER : roundsLeft - 1;
      if (roundsLeft > 0 && !local?.runner.runtime) await maintainPods(ctx);
    });
  const wake = () => {
    local?.wake();
    driver?.wake();
  };
  const subscribed =
    local || driver ? counters.subscribe(PODS_CHANGED, wake).catch(() => async () => undefined) : undefined;
  return {
    runs: {
      offReason,
      whenTried: () => (local ? tried : Promise.resolve()),
      runtime: (id) => machines.runtime(id),
      follow: limitOpen(FOLLOWERS_MAX, tooManyFollowers),
      connect: limitInPods(CONNECTIONS),
      openTerminal: limitInPods(TERMINALS),
    },
    stop: async () => {
      await (await subscribed)?.();
      await Promise.all([upkeep?.stop(), driver?.stop(), local?.stop(async () => runtime?.stop())]);
      await machine?.close();
      await machines.close();
    },
  };
}

const tooManyFollowers = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    `At most ${FOLLOWERS_MAX} requests can follow output or run programs in pods at a time.`,
    { retryAfterSeconds: 5, details: { reason: "too_many_followers" } },
  );
