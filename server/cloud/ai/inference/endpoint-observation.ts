import type { DesiredResource, Observation } from "../../core/kinds/kind";
import { type EndpointSpec, modelNameOf } from "./endpoint-spec";
import type { InferenceParts } from "./inference-ctx";
import { countsOf, type EndpointSnapshot } from "./read-endpoints";

/** Where an endpoint serves OpenAI's API. */
export const urlOfEndpoint = (
  { publicUrl }: Pick<InferenceParts, "publicUrl">,
  { rid }: Pick<DesiredResource, "rid">,
): string => `${publicUrl}/v1/inference/${rid}/v1`;

/** What an endpoint looks like. */
export function observationOfEndpoint(
  parts: Pick<InferenceParts, "publicUrl">,
  desired: DesiredResource<EndpointSpec>,
  snapshot: EndpointSnapshot | undefined,
): Observation {
  if (!snapshot) return { is: "absent" };
  const { endpoint, load, program, replicas } = snapshot;
  const { ready } = countsOf(snapshot);
  const observed = {
    url: urlOfEndpoint(parts, desired),
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
