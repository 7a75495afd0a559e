import type { StartedAlarms } from "../../../engines/start-alarms";
import type { StartedRuntime } from "../../../engines/start-runtime";
import { ServiceError } from "../../../kernel/errors";
import { LocalNode, type LocalNodeParts } from "../nodes/local-node";
import { Nodes } from "../nodes/nodes";
import { CONNECTIONS, limitInPods, TERMINALS } from "./limit-in-pods";
import { limitOpen } from "./limit-open";
import { maintainPods, NEXT_POD_END } from "./maintain-pods";
import { NodeDriver } from "./node-driver";
import { NodeRounds, PODS_TOPIC } from "./node-rounds";
import type { PodReconcilerCtx } from "./pod-reconciler-ctx";
import type { PodRuns } from "./pod-runs";

export interface StartPods
  extends Omit<PodReconcilerCtx, "node" | "onDone" | "reach">,
    Pick<LocalNodeParts, "dataDir" | "listen" | "nodesKey" | "isForAdmitted" | "space"> {
  alarms: Pick<StartedAlarms, "add" | "wake">;
  /** undefined: this process runs no workloads, for the reason. */
  runtime: StartedRuntime | undefined;
  offReason?: string | undefined;
  /** Whether this process also drives the nodes that were joined. */
  drivesNodes: boolean;
}

export interface StartedPods {
  runs: PodRuns;
  stop(): Promise<void>;
}

const TRIED_WITHIN_MS = 10_000;
/** Whether a pod that waits can be placed depends on more than what wakes a round, such as on time that passes. */
const PLACE_AGAIN_MS = 500;
/** Nodes that stop reporting lose their GPUs. */
const NODES_AGAIN_MS = 1000;
/** Runs of nodes of other processes are lost when those do not report. */
const IDLE_MS = 120_000;
/** After the last joined node was removed: its GPUs are withdrawn when its last report has come. */
const LEFT_ROUNDS = 20;
const FOLLOWERS_MAX = 20;

/** Looks after pods in the background until `stop`, after which they run on: those of this node, and of joined ones. */
export function startPods({ runtime, offReason, drivesNodes, ...parts }: StartPods): StartedPods {
  const { dataDir, listen, alarms, ...ctx } = parts;
  const node = runtime && new LocalNode({ ...parts, runtime });
  const nodes = new Nodes({
    ...ctx,
    local: (id) => (id === node?.id ? local?.reconciler.runtime : undefined) ?? driver?.runtime(id),
  });
  const nodeCtx = { ...ctx, reach: (id: string) => nodes.runtime(id) };
  let markTried = () => {};
  const tried = new Promise<void>((resolve) => {
    markTried = resolve;
    setTimeout(resolve, TRIED_WITHIN_MS).unref();
  });
  const local = node && new NodeRounds({ ...nodeCtx, node }, { alarms, purpose: "run pods", onRound: markTried });
  const driver = drivesNodes ? new NodeDriver({ ...nodeCtx, alarms }) : undefined;
  let roundsLeft = 0;
  let hasWaiting = false;
  const hasNodes = () => driver?.hasNodes === true || local?.reconciler.hasGpus === true;
  // By each process that has a node: joined nodes can be the only ones that run pods.
  const placing =
    (local ?? driver) &&
    alarms.add({
      topic: "placement",
      wokenBy: [PODS_TOPIC],
      purpose: "place pods",
      nextDue: NEXT_POD_END,
      everyMs: () => (hasWaiting ? PLACE_AGAIN_MS : roundsLeft > 0 ? NODES_AGAIN_MS : IDLE_MS),
      run: async () => {
        roundsLeft = hasNodes() ? LEFT_ROUNDS : Math.max(0, roundsLeft - 1);
        hasWaiting = (roundsLeft > 0 || local?.reconciler.runtime !== undefined) && (await maintainPods(ctx));
      },
    });
  return {
    runs: {
      offReason,
      whenTried: () => (local ? tried : Promise.resolve()),
      runtime: (id) => nodes.runtime(id),
      follow: limitOpen(FOLLOWERS_MAX, tooManyFollowers),
      connect: limitInPods(CONNECTIONS),
      openTerminal: limitInPods(TERMINALS),
    },
    stop: async () => {
      await Promise.all([placing?.stop(), driver?.stop(), local?.stop(async () => runtime?.stop())]);
      await node?.close();
      await nodes.close();
    },
  };
}

const tooManyFollowers = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    `At most ${FOLLOWERS_MAX} requests can follow output or run programs in pods at a time.`,
    { retryAfterSeconds: 5, details: { reason: "too_many_followers" } },
  );
