import { ServiceError } from "../../../kernel/errors";
import { IMAGES, MEMORY_MB } from "./function-fields";
import type { FunctionRuntime, RunsIn } from "./function-runner";

interface Asked {
  runtime: FunctionRuntime | "js";
  backend?: "workerd" | "pods" | undefined;
  image?: string | undefined;
  memory_mb?: number | undefined;
}

/** In what a function runs that a client asks for. Throws `invalid_request` for fields that do not fit its runtime. */
export function runsIn({ runtime: asked, backend, image, memory_mb: memoryMb }: Asked): RunsIn & {
  runtime: FunctionRuntime;
} {
  const runtime = asked === "js" ? "javascript" : asked;
  if (runtime === "javascript") {
    if (backend === "pods")
      throw unfit("backend", "javascript runs on workerd; use the runtime node or python for pods");
    if (image !== undefined) throw unfit("image", "javascript runs on workerd, without an image");
    if (memoryMb !== undefined) throw unfit("memory_mb", "javascript runs on workerd, with 128 MB of heap");
    return { runtime, image: null, memoryMb: null };
  }
  if (backend === "workerd") throw unfit("backend", `${runtime} runs on pods; use the runtime javascript for workerd`);
  return { runtime, image: image ?? IMAGES[runtime], memoryMb: memoryMb ?? MEMORY_MB };
}

const unfit = (param: string, sentence: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${sentence}.`, { param });
