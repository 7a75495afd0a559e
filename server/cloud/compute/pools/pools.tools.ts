import { extraTool } from "../../../operation/tool";
import { listGpuPools } from "./list-gpu-pools";

export const gpuPoolTools = [extraTool("svc_gpu_pools_list", listGpuPools, { toolset: "pods" })];
