import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ServiceError } from "../../../kernel/errors";
import { EXAMPLE_TIME, exampleId } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { resourceTarget } from "../../core/records/resource";
import { resourceChoice } from "../../core/resources/resource-fields";
import type { ClusterCtx } from "./cluster-ctx";
import { accountPath, namespaceOf } from "./cluster-manifests";
import { findCluster } from "./find-cluster";
import { kubeconfigText } from "./kubeconfig";

const SECONDS_MIN = 600;
const SECONDS = 3600;
const SECONDS_MAX = 24 * 3600;

/**
 * Returns a kubeconfig with a new token. Throws `not_found`, `conflict` for a cluster that is not ready, and `unavailable`
 * (reason `no_kubernetes`).
 */
export const createClusterKubeconfig = operation({
  id: "createClusterKubeconfig",
  summary: "Create a kubeconfig of a cluster",
  description:
    "For kubectl and other clients of Kubernetes: it can use the namespace of the cluster alone, and works until `expires_at`, or until the cluster is deleted or its service deactivated. Each request makes a new token, which svc does not store.",
  access: "gpuc:write",
  input: z.strictObject({
    ...resourceChoice,
    expires_in_seconds: z
      .int()
      .min(SECONDS_MIN)
      .max(SECONDS_MAX)
      .default(SECONDS)
      .describe(`How long it works: ${SECONDS_MIN} to ${SECONDS_MAX}, default ${SECONDS}`),
  }),
  output: z
    .object({
      kubeconfig: z.string().describe("The contents of a kubeconfig file. It has a token, and is shown only here"),
      namespace: z.string(),
      expires_at: z.iso.datetime(),
    })
    .meta({ id: "ClusterKubeconfig" }),
  example: {
    input: { rid: exampleId("res"), expires_in_seconds: SECONDS },
    output: { kubeconfig: "{…}\n", namespace: namespaceOf(exampleId("res")), expires_at: EXAMPLE_TIME },
  },
  run: async (ctx: ActorCtx & Pick<ClusterCtx, "clusterHost">, { rid, expires_in_seconds: expirationSeconds }) => {
    const row = await findCluster(ctx, rid);
    if (row.state !== "ready")
      throw new ServiceError("conflict", `The cluster is ${row.state}; a kubeconfig needs one that is ready.`, {
        param: "rid",
        details: { reason: "cluster_not_ready" },
      });
    const namespace = namespaceOf(rid);
    const { token, expirationTimestamp } = await requestToken(ctx, namespace, expirationSeconds);
    const expiresAt = new Date(expirationTimestamp).toISOString();
    await ctx.db.$transaction((tx) =>
      recordAudit(tx, ctx, {
        action: "cluster_kubeconfig.created",
        targets: [resourceTarget(row)],
        details: { expires_at: expiresAt },
      }),
    );
    const kubeconfig = kubeconfigText({ ...(await ctx.clusterHost.endpoint()), namespace, token });
    return { kubeconfig, namespace, expires_at: expiresAt };
  },
});

interface Token {
  token: string;
  expirationTimestamp: string;
}

async function requestToken(
  { clusterHost }: ActorCtx & Pick<ClusterCtx, "clusterHost">,
  namespace: string,
  expirationSeconds: number,
): Promise<Token> {
  const call = {
    method: "POST" as const,
    path: `${accountPath(namespace)}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } },
  };
  return (await clusterHost.use((api) => api.call<{ status: Token }>(call))).status;
}
