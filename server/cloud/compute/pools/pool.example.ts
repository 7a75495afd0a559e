import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import type { GpuPool, GpuPoolPicture } from "./pool";

export const gpuPoolExample: GpuPool = {
  region: "use",
  gpu: "l40s",
  simulated: true,
  nodes: 1,
  gpus: 4,
  used_gpus: 2,
  spot_gpus: 1,
  free_gpus: 2,
  largest_free: 2,
  scattered_gpus: 2,
};

const free = { use: "free" as const, spot: false, pod_id: null };

export const gpuPoolPictureExample: GpuPoolPicture = {
  ...gpuPoolExample,
  warm: {
    warm_images: 1,
    hit_rate: 0.9,
    boot_seconds: { p50: 0.8, p99: 4.2 },
    samples: 40,
    own_images: [{ image: "ghcr.io/example/serve:2", ready: true }],
  },
  upgrade: {
    target_version: "1.2.0",
    strategy: "rolling",
    max_unavailable: 1,
    state: "running",
    nodes: 1,
    upgraded_nodes: 0,
  },
  gang_keep: null,
  node_list: [
    {
      name: "l40s-1",
      domain: null,
      accepts_pods: true,
      draining: false,
      devices: [
        { use: "own", spot: false, pod_id: exampleId("pod") },
        { use: "other", spot: true, pod_id: null },
        free,
        free,
      ],
    },
  ],
  history: [{ start: EXAMPLE_TIME, used: 50, scattered: 50 }],
};
