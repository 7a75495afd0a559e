import { blockerOfEndpoint } from "../../ai/inference/endpoint-blocker";
import { observationOfEndpoint, urlOfEndpoint } from "../../ai/inference/endpoint-observation";
import { EndpointSpec, modelNameOf } from "../../ai/inference/endpoint-spec";
import { followEndpoint } from "../../ai/inference/follow-endpoint";
import type { InferenceParts } from "../../ai/inference/inference-ctx";
import { readEndpoints } from "../../ai/inference/read-endpoints";
import { removeEndpoint } from "../../ai/inference/remove-endpoint";
import { creatorCtx } from "../../core/kinds/creator-ctx";
import type { Kind, Observation, PlanStep } from "../../core/kinds/kind";
import { assertMayNameSecrets } from "../../data/secrets/assert-may-name-secrets";
import { resolveSecret, type SecretRef } from "../../data/secrets/resolve-secret";

/** A model that pods serve, as many as its load needs. */
export const endpointKind = (parts: () => InferenceParts): Kind<EndpointSpec> => ({
  spec: EndpointSpec,
  authorizeSpec: async ({ actor, owner }, spec, before) => {
    assertMayNameSecrets(actor, secretsOf(spec), before && secretsOf(before));
    for (const ref of refsOf(spec)) if (!before || !isNamed(before, ref)) await resolveSecret(parts(), owner, ref);
  },
  blockerOf: (spec, owner) => blockerOfEndpoint(parts(), spec, owner),
  plan: planOf,
  provision: async (desired) => {
    const ctx = creatorCtx(parts(), desired);
    const { rid: id, spec } = desired;
    const row = { id, wanted: spec.min_replicas, busyAt: ctx.clock.now() };
    await ctx.db.inferenceEndpoint.upsert({ where: { id }, create: row, update: {} });
    const snapshot = (await readEndpoints(parts(), [desired])).get(id);
    if (snapshot) await followEndpoint(ctx, desired, snapshot);
    return observationOfEndpoint(parts(), desired, (await readEndpoints(parts(), [desired])).get(id));
  },
  asksPrograms: true,
  observe: async (all) => {
    const snapshots = await readEndpoints(parts(), all, { probesReady: true });
    return new Map(
      all.map((desired): [string, Observation] => {
        const snapshot = snapshots.get(desired.rid);
        return [desired.rid, snapshot?.hasSteps ? { is: "absent" } : observationOfEndpoint(parts(), desired, snapshot)];
      }),
    );
  },
  remove: (desired) => removeEndpoint(creatorCtx(parts(), desired), desired.rid),
  suspend: (desired) => removeEndpoint(creatorCtx(parts(), desired), desired.rid),
  endpoints: (desired) => [{ protocol: "openai", url: urlOfEndpoint(parts(), desired) }],
  tryIt: (desired) => [
    {
      title: "Call the model",
      command: `curl ${urlOfEndpoint(parts(), desired)}/chat/completions -H "Authorization: Bearer $SVC_API_KEY" -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"Hello"}]}'`,
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
