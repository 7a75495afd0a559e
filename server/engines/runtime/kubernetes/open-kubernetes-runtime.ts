import { randomUUID } from "node:crypto";
import type { Clock } from "../../../kernel/clock";
import { KubernetesRuntime } from "./kubernetes-runtime";
import { type KubernetesAccess, openKubernetesApi } from "./open-kubernetes-api";
import { PodStore } from "./pod-store";
import { mayMakeVolumes, probeCluster } from "./probe-cluster";

export interface KubernetesSettings {
  access: KubernetesAccess;
  /** Must exist. */
  namespace: string;
  /** An image with busybox, for svc's own container in each pod. */
  agentImage: string;
}

export interface OpenKubernetesRuntime extends KubernetesSettings {
  /** Identifies this installation among those that use the namespace. */
  nodeId: string;
  clock: Clock;
}

/** A runtime that has just run a trivial workload in the cluster; throws an Error with the reason if it cannot. */
export async function openKubernetesRuntime(options: OpenKubernetesRuntime): Promise<KubernetesRuntime> {
  const { access, namespace, agentImage, nodeId, clock } = options;
  const api = await openKubernetesApi(access);
  // Its trial and its types alone need it earlier.
  const { Exec } = await import("@kubernetes/client-node");
  const store = new PodStore({ api, namespace, nodeId });
  const parts = { exec: new Exec(api.config), agentImage, clock };
  // No other process may remove its trial.
  const trialStore = new PodStore({ ...store.parts, nodeId: `trial-${randomUUID()}` });
  const trial = new KubernetesRuntime({ ...parts, store: trialStore, hasVolumes: false });
  await probeCluster(trial).finally(() => trial.close());
  return new KubernetesRuntime({ ...parts, store, hasVolumes: await mayMakeVolumes(trial) });
}
