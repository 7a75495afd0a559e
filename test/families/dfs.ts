import type { TestApp } from "../factories/app";
import { PodClient } from "../factories/pod-scene";

/** Where the resources are: a key of their project and mode, and an image with a shell. */
interface World {
  test: TestApp;
  key: string;
  shell: string;
}

/** One pod writes a file into the volume and another one reads it. */
async function prove({ test, key, shell }: World, { rid }: { rid: string }): Promise<boolean> {
  const pods = new PodClient(test, key);
  const output = async (script: string) => {
    const { id } = await pods.create({
      ...{ image: shell, command: ["/bin/sh", "-c", script], memory_mb: 64 },
      volumes: [{ volume: rid, mount_path: "/proof" }],
    });
    await pods.until(id, "completed");
    const text = await pods.logs(id);
    await pods.call(`/${id}`, { method: "DELETE" });
    return text;
  };
  await output("echo seen > /proof/file");
  return (await output("read line < /proof/file; echo $line")) === "seen\n";
}

export const dfsFamily = {
  ...{ service: "dfs", kind: "volume", spec: { capacity_gb: 1 }, changed: { capacity_gb: 2 } },
  ...{ badSpec: { capacity_gb: 0 }, prove },
};
