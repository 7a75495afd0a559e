import type { GpuRequest } from "../../server/cloud/compute/scheduler/gpu-request";
import { PoolScheduler } from "../../server/cloud/compute/scheduler/pool-scheduler";
import type { Policy } from "./packing-replay";

/** The policy of the product. It knows only the requests that have arrived. */
export const OUR_POLICY: Policy = {
  name: "svc",
  start({ nodes }) {
    const scheduler = new PoolScheduler();
    for (const node of nodes) scheduler.addNode(node);
    return {
      place: (request: GpuRequest) => scheduler.place(request),
      release: (allocation) => scheduler.release(allocation),
    };
  },
};
