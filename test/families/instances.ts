import type { FamilyProof, Listed, Provisioned, World } from "./family-proof";

interface Pod {
  id: string;
  name: string;
  status: string;
}

const ENDED = ["stopped", "completed", "failed"];

/** How many pods of an instance there are, if all of them run and do what they are told; otherwise 0. */
async function runningPods(world: World, { name }: Provisioned): Promise<number> {
  const { body } = await world.call<Listed<Pod>>("/v1/pods?limit=100");
  const own = body.data.filter((pod) => pod.name === name && !ENDED.includes(pod.status));
  const replies = await Promise.all(
    own.map(({ id }) =>
      world.call<{ stdout: string }>(`/v1/pods/${id}/exec`, {
        body: { command: ["/bin/sh", "-c", "echo $((6 * 7))"] },
      }),
    ),
  );
  return replies.every(({ body: { stdout } }) => stdout === "42\n") ? own.length : 0;
}

const common = ({ shell, secret }: World) => ({
  image_id: shell,
  cpu: 1,
  memory_mb: 64,
  user_data: `export PASSWORD=${secret}`,
});

export const instanceProofs: readonly FamilyProof[] = [
  {
    service: "gpu",
    kind: "instance",
    isMetered: true,
    spec: (world) => ({ sku: "L40S", ...common(world) }),
    changed: (world) => ({ sku: "L40S", ...common(world), running: false }),
    changedEffects: 0,
    wrong: { spec: { sku: "H100", image_id: "alpine", gpu_count: 0 }, param: "spec.gpu_count" },
    effects: runningPods,
  },
  {
    service: "cpu",
    kind: "instance",
    isMetered: true,
    spec: (world) => ({ sku: "Genoa", ...common(world) }),
    wrong: { spec: { sku: "Pentium", image_id: "alpine" }, param: "spec.sku" },
    effects: runningPods,
  },
  {
    service: "baremetal",
    kind: "instance",
    isMetered: true,
    spec: (world) => ({ sku: "L40S", ...common(world) }),
    wrong: { spec: { sku: "L40S", image_id: "alpine", tags: { "a b": "c" } }, param: "spec.tags.a b" },
    effects: runningPods,
  },
];
