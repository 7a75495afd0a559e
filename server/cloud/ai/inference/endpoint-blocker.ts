import { ServiceError } from "../../../kernel/errors";
import { requireRuntime } from "../../compute/placement/require-runtime";
import type { Blocker, ResourceOwner } from "../../core/kinds/kind";
import { type EndpointSpec, replicaProgram } from "./endpoint-spec";
import { engineOf, loadsTensorizer } from "./engines";
import type { InferenceParts } from "./inference-ctx";

/** What is missing for an endpoint: an engine that can serve it, or a node that can run it. */
export async function blockerOfEndpoint(
  parts: InferenceParts,
  spec: EndpointSpec,
  { tenantId, mode }: ResourceOwner,
): Promise<Blocker | undefined> {
  const engine = engineOf(spec.engine, mode);
  if (mode === "test" && engine !== "test") return simulatedGpus(engine);
  if (spec.tensorizer_uri !== undefined && !loadsTensorizer(engine)) return noTensorizer(engine);
  const { gpu, region, port } = replicaProgram(spec, mode);
  try {
    await requireRuntime(parts, { tenantId, gpu, region, mode, ports: [port], volumeGb: null });
    return undefined;
  } catch (failure) {
    if (!(failure instanceof ServiceError) || failure.code !== "unavailable") throw failure;
    const remedy = "Add a node that can run it (svc node join), or use test mode and the engine test.";
    return { code: "engine_missing", message: failure.message, remedy };
  }
}

const simulatedGpus = (engine: string): Blocker => ({
  code: "engine_missing",
  message: `GPUs are simulated with a test key, and the engine ${engine} needs real ones.`,
  remedy: "Use a live key, or omit engine: a test key then has the engine test, which is no model.",
});

const noTensorizer = (engine: string): Blocker => ({
  code: "needs_capability",
  message: `The engine ${engine} does not load tensorizer_uri.`,
  remedy: "Omit tensorizer_uri, or use the engine vllm.",
});
