import { route, routeGroup } from "../../../operation/route";
import { getGpuPool } from "./get-gpu-pool";
import { listGpuPools } from "./list-gpu-pools";

export const gpuPoolRoutes = routeGroup("GPU pools", "What GPUs there are, which are free, and how they are used", [
  route("GET", "/v1/gpu-pools", listGpuPools),
  route("GET", "/v1/gpu-pools/nodes", getGpuPool),
]);
