import { ServiceError } from "../../../kernel/errors";
import { requireRuntime } from "../../compute/placement/require-runtime";
import { creatorCtx } from "../../core/resources/creator-ctx";
import type { Blocker, DesiredResource, Kind, Observation, PlanStep, ResourceOwner } from "../../core/resources/family";
import { assertMayNameSecrets } from "../../data/secrets/assert-may-name-secrets";
import { resolveSecret, type SecretRef } from "../../data/secrets/resolve-secret";
import { EndpointSpec, modelNameOf, replicaProgram } from "./endpoint-spec";
import { engineOf, loadsTensorizer } from "./engines";
import { endPod, followEndpoint } from "./follow-endpoint";
import type { InferenceCtx, InferenceParts } from "./inference-ctx";
import { countsOf, type EndpointSnapshot, readEndpoints } from "./read-endpoints";

export const endpointKind = (parts: () => InferenceParts): Kind<EndpointSpec> => ({
  spec: EndpointSpec,
  authorizeSpec: async ({ actor, place }, spec, before) => {
    assertMayNameSecrets(actor, secretsOf(spec), before && secretsOf(before));
    for (const ref of refsOf(spec)) if (!before || !isNamed(before, ref)) await resolveSecret(parts(), place, ref);
  },
  blockerOf: (spec, place) => blockerOf(parts(), spec, place),
  plan: planOf,
  provision: async (desired) => {
    const ctx = creatorCtx(parts(), desired);
    const { rid: id, spec } = desired;
    const row = { id, wanted: spec.min_replicas, busyAt: ctx.clock.now() };
    await ctx.db.inferenceEndpoint.upsert({ where: { id }, create: row, update: {} });
    const snapshot = (await readEndpoints(parts(), [desired])).get(id);
    if (snapshot) await followEndpoint(ctx, desired, snapshot);
    return observationOf(parts(), desired, (await readEndpoints(parts(), [desired])).get(id));
  },
  asksPrograms: true,
  observe: async (all) => {
    const snapshots = await readEndpoints(parts(), all, { probesReady: true });
    return new Map(
      all.map((desired): [string, Observation] => {
        const snapshot = snapshots.get(desired.rid);
        return [desired.rid, snapshot?.hasSteps ? { is: "absent" } : observationOf(parts(), desired, snapshot)];
      }),
    );
  },
  remove: (desired) => removeEndpoint(creatorCtx(parts(), desired), desired.rid),
  suspend: (desired) => removeEndpoint(creatorCtx(parts(), desired), desired.rid),
  endpoints: (desired) => [{ protocol: "openai", url: urlOf(parts(), desired) }],
  tryIt: (desired) => [
    {
      title: "Call the model",
      command: `curl ${urlOf(parts(), desired)}/chat/completions -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"Hello"}]}'`,
    },
    { title: "Call the model through the gateway", command: `svc chat Hello --model "${modelNameOf(desired.name)}"` },
  ],
});

/** With what receives them: another image for a token or a password is as good as reading it. */
const secretsOf = ({ hf_token: token, registry_credentials: credentials, image, engine }: EndpointSpec) => [
  token && { token, image: image ?? null, engine: engine ?? null },
  credentials && { credentials, image: image ?? null },
];

const refsOf = ({ hf_token: token, registry_credentials: credentials }: EndpointSpec): SecretRef[] => [
  ...(token ? [token] : []),
  ...(credentials ? [credentials.password] : []),
];

const isNamed = (spec: EndpointSpec, { secret }: SecretRef): boolean =>
  refsOf(spec).some((known) => known.secret === secret);

const urlOf = ({ publicUrl }: InferenceParts, { rid }: Pick<DesiredResource, "rid">): string =>
  `${publicUrl}/v1/inference/${rid}/v1`;

function observationOf(
  parts: InferenceParts,
  desired: DesiredResource<EndpointSpec>,
  snapshot: EndpointSnapshot | undefined,
): Observation {
  if (!snapshot) return { is: "absent" };
  const { endpoint, load, program, replicas } = snapshot;
  const { ready } = countsOf(snapshot);
  const observed = {
    url: urlOf(parts, desired),
    model: modelNameOf(desired.name),
    engine: program.engine,
    simulated: program.engine === "test" || desired.mode === "test",
    replicas: countsOf(snapshot),
    outstanding: [...load.outstanding.values()].reduce((sum, count) => sum + count, 0),
    queued: load.queued,
    requests_total: Number(endpoint.requests),
    failures: endpoint.failures,
    pod_ids: replicas.filter(({ row }) => row.drainingAt === null).map(({ row }) => row.podId),
  };
  if (ready === 0 && snapshot.wanted > 0 && endpoint.failures > 1) {
    const message = `${endpoint.failures} replicas failed in a row; svc starts another one after a pause that grows to 5 minutes.`;
    return { is: "faulty", observed, message };
  }
  // Requests to one that may have no replica wait until one is ready.
  return { is: ready > 0 || desired.spec.min_replicas === 0 ? "present" : "changing", observed };
}

async function blockerOf(
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
    const remedy = "Add a machine that can run it (svc node join), or use test mode and the engine test.";
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

const planOf = (spec: EndpointSpec, name: string): PlanStep[] => [
  {
    step: "start",
    what: `${spec.min_replicas} to ${spec.max_replicas} replicas of ${spec.model}, each with ${spec.gpu_count} ${spec.gpu_sku}`,
    proof: "GET /v1/pods lists them",
  },
  {
    step: "serve",
    what: `OpenAI's API for the model "${modelNameOf(name)}"`,
    proof: "POST /v1/chat/completions with that model answers",
  },
  { step: "meter", what: "Each second in which a replica runs", proof: "GET /v1/usage has a row of it" },
];

async function removeEndpoint(ctx: InferenceCtx, id: string): Promise<boolean> {
  const { db } = ctx;
  const replicas = await db.inferenceReplica.findMany({ where: { endpointId: id }, select: { podId: true } });
  for (const { podId } of replicas) {
    const open = await db.podRun.findFirst({ where: { podId, endedAt: null }, select: { id: true } });
    const pod = await db.pod.findFirst({ where: { id: podId, deletedAt: null }, select: { id: true } });
    if (!pod && !open) await db.inferenceReplica.deleteMany({ where: { podId } });
    else if (pod) await endPod(ctx, podId);
  }
  if ((await db.inferenceReplica.count({ where: { endpointId: id } })) > 0) return false;
  await db.inferenceLoad.deleteMany({ where: { endpointId: id } });
  await db.inferenceEndpoint.deleteMany({ where: { id } });
  return true;
}
