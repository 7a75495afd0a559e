import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Clock } from "../../../kernel/clock";
import { KubernetesApi } from "./kubernetes-api";
import { KubernetesRuntime } from "./kubernetes-runtime";
import { PodStore } from "./pod-store";
import { mayMakeVolumes, probeCluster } from "./probe-cluster";

export interface KubernetesSettings {
  /** A file, or the service account of the pod in which svc runs. */
  access: { kubeconfig: string } | "service-account";
  /** Must exist. */
  namespace: string;
  /** An image with busybox, for svc's own container in each pod. */
  agentImage: string;
}

export interface OpenKubernetesRuntime extends KubernetesSettings {
  /** Identifies this installation among those that use the namespace. */
  runner: string;
  clock: Clock;
}

/** A runtime that has just run a trivial workload in the cluster; throws an Error with the reason if it cannot. */
export async function openKubernetesRuntime(options: OpenKubernetesRuntime): Promise<KubernetesRuntime> {
  const { access, namespace, agentImage, runner, clock } = options;
  // Its trial and its types alone need it earlier; loading takes about a second.
  const { Exec, KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (access === "service-account") config.loadFromCluster();
  else {
    try {
      config.loadFromString(await readFile(access.kubeconfig, "utf8"));
    } catch {
      throw new Error(`the file ${access.kubeconfig} cannot be read as a kubeconfig`);
    }
  }
  const store = new PodStore({ api: new KubernetesApi(config), namespace, runner });
  const parts = { exec: new Exec(config), agentImage, clock };
  // No other process may remove its trial.
  const trialStore = new PodStore({ ...store.parts, runner: `trial-${randomUUID()}` });
  const trial = new KubernetesRuntime({ ...parts, store: trialStore, hasVolumes: false });
  await probeCluster(trial).finally(() => trial.close());
  return new KubernetesRuntime({ ...parts, store, hasVolumes: await mayMakeVolumes(trial) });
}
