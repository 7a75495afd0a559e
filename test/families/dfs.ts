import { waitFor } from "../factories/wait-for";
import { canLimitWorkloads } from "../factories/workload-node";
import type { FamilyProof, World } from "./family-proof";

interface Pod {
  id: string;
  status: string;
}

/** The output of a script in a pod that mounts a volume at /proof; undefined: no such pod can be created. */
async function output(world: World, volume: string, script: string): Promise<string | undefined> {
  const made = await world.call<Pod>("/v1/pods", {
    body: {
      image: world.shell,
      command: ["/bin/sh", "-c", script],
      memory_mb: 64,
      volumes: [{ volume, mount_path: "/proof" }],
    },
  });
  if (made.status !== 202) return undefined;
  const path = `/v1/pods/${made.body.id}`;
  await waitFor(async () => {
    const { status } = (await world.call<Pod>(path)).body;
    if (status !== "completed") throw new Error(`The pod is ${status}.`);
  });
  const { body } = await world.call<{ text: string }>(`${path}/logs`);
  await world.call(path, { method: "DELETE" });
  return body.text;
}

export const sharedVolumeProof: FamilyProof = {
  service: "dfs",
  kind: "volume",
  isMetered: true,
  missing: canLimitWorkloads() ? undefined : "engine_missing",
  spec: () => ({ capacity_gb: 1 }),
  changed: () => ({ capacity_gb: 2 }),
  wrong: { spec: { capacity_gb: 0 }, param: "spec.capacity_gb" },
  // What one pod writes another one reads.
  effects: async (world, { rid }) => {
    await output(world, rid, "echo seen > /proof/file");
    return (await output(world, rid, "read line < /proof/file; echo $line")) === "seen\n" ? 1 : 0;
  },
};
