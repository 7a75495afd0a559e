import type { AddressPolicy } from "../../../engines/address-policy";
import type { Engines } from "../../../engines/start-engines";
import { type RuntimeConfig, type StartedRuntime, startRuntime } from "../../../engines/start-runtime";
import type { Part } from "../../../identity/part";
import { deriveKey } from "../../../kernel/secrets";
import { nodeIdOf } from "../nodes/node-id";
import { POD_QUOTAS } from "../pod-requests/pods.quotas";
import { trainingRunEventKinds } from "../training-runs/training-run.events";
import { podEventKinds } from "./pod-run.events";
import type { PodRuns } from "./pod-runs";
import { podRoutes } from "./pods.routes";
import { podTools } from "./pods.tools";
import { type StartPods, startPods } from "./start-pods";

interface Needs
  extends Pick<StartPods, "db" | "sql" | "clock" | "log" | "blobs" | "alarms" | "currency" | "publicUrl" | "gpuPools">,
    Pick<StartPods, "secretsKey" | "encryptionKey" | "storedBytes"> {
  /** SVC_SECRET. */
  secret: string;
  space: Engines["space"];
  urlPolicy: AddressPolicy;
  /** What runs pods; by default what the configuration says. */
  runtime?: StartedRuntime | undefined;
  config: RuntimeConfig & { dataDir: string; rootDir: string; roles: ReadonlySet<string>; isLoopback: boolean };
}

/** Runs pods on this node and on joined ones. */
export const podsPart: Part<Needs, { podRuns: PodRuns }, typeof podRoutes> = {
  name: "pods",
  routes: [podRoutes],
  tools: podTools,
  eventKinds: [...podEventKinds, ...trainingRunEventKinds],
  quotas: Object.values(POD_QUOTAS),
  start: (needs) => {
    const { config, secret, space } = needs;
    const started = runtimeOf(needs);
    const isOff = config.runtime === "off" && !needs.runtime;
    void started?.choice().then(({ runtime: chosen }) => chosen?.disks && space.follow(chosen.disks));
    const pods = startPods({
      db: needs.db,
      sql: needs.sql,
      blobs: needs.blobs,
      space,
      alarms: needs.alarms,
      clock: needs.clock,
      log: needs.log,
      currency: needs.currency,
      publicUrl: needs.publicUrl,
      gpuPools: needs.gpuPools,
      secretsKey: needs.secretsKey,
      encryptionKey: needs.encryptionKey,
      storedBytes: needs.storedBytes,
      dataDir: config.dataDir,
      listen: config.runtimeAddress,
      nodesKey: deriveKey(secret, "nodes"),
      // Others reach svc then, and may have signed up.
      isForAdmitted: !config.isLoopback,
      drivesNodes: config.roles.has("worker"),
      runtime: started,
      ...(isOff && { offReason: "This installation runs no pods: RUNTIME is off." }),
    });
    return { gives: { podRuns: pods.runs }, stop: () => pods.stop() };
  },
};

function runtimeOf({ config, clock, log, space, urlPolicy: policy, runtime }: Needs): StartedRuntime | undefined {
  const { runtime: kind, engineSockets, dataDir, rootDir } = config;
  if ((kind === "off" && !runtime) || !config.roles.has("worker")) return undefined;
  if (runtime) return runtime;
  const kubernetes = config.kubernetes && { ...config.kubernetes, nodeId: nodeIdOf(dataDir) };
  return startRuntime({
    rootDir,
    dataDir,
    policy,
    kubernetes,
    engineSockets,
    clock,
    log,
    space,
    kind: kind === "off" ? undefined : kind,
  });
}
