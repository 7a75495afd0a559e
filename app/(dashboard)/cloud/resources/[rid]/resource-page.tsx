"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useScopes } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { isInstance } from "../instance";
import { PLANE_READS } from "../plane-scopes";
import {
  isChanging,
  type Resource,
  type ResourceWithDependents,
  STATE_LABELS,
  STATE_TONES,
  stateText,
} from "../resource";
import { InstanceSection } from "./instance-section";
import { PlanSection } from "./plan-section";
import { ResourceActions } from "./resource-actions";
import { ResourceDetails } from "./resource-details";

/** While the resource is about to change. */
const CHANGING_MS = 2000;
const REFRESH_MS = 10_000;

export const ResourcePage = ({ rid }: { rid: string }) => (
  <RequireScope scope={PLANE_READS} title="Resource" what="the resources">
    <Page rid={rid} />
  </RequireScope>
);

function Page({ rid }: { rid: string }) {
  const trpc = useTRPC();
  const scopes = useScopes();
  const query = useQuery(
    trpc.getResource.queryOptions(
      { rid },
      {
        meta: { saysGone: true },
        refetchInterval: ({ state }) => {
          const isMoving = state.data !== undefined && isChanging(state.data);
          return refreshEvery(isMoving ? CHANGING_MS : REFRESH_MS)({ state });
        },
      },
    ),
  );
  const { data: resource } = query;
  const canWrite = resource !== undefined && scopes.has(`${resource.plane}:write`);
  // A deleted resource is not found any more; its last state must not look current.
  const isGone = query.error !== null && resource !== undefined && resource.state === "deleting";
  useFollowMode(resource && { id: resource.rid, mode: resource.mode });
  return (
    <>
      <PageHeader
        back={{
          href: `/cloud/resources${resource && resource.plane !== "gpuc" ? `?plane=${resource.plane}` : ""}`,
          label: "Resources",
        }}
        title={resource?.name ?? "Resource"}
        description={<span className="break-all font-mono text-xs">{rid}</span>}
        actions={
          resource &&
          !isGone && (
            <>
              <Badge tone={resource.mode === "live" ? "good" : "warn"}>{resource.mode}</Badge>
              <Badge tone={STATE_TONES[resource.state]}>{STATE_LABELS[resource.state]}</Badge>
              {canWrite && <ResourceActions resource={resource} />}
            </>
          )
        }
      />
      {isGone ? (
        <Alert tone="info">It is deleted.</Alert>
      ) : (
        <QueryContent query={query}>{(shown) => <Parts resource={shown} canWrite={canWrite} />}</QueryContent>
      )}
    </>
  );
}

const Parts = ({ resource, canWrite }: { resource: ResourceWithDependents; canWrite: boolean }) => (
  <div className="space-y-6">
    <State resource={resource} />
    {resource.plan && <PlanSection resource={resource} plan={resource.plan} canWrite={canWrite} />}
    {isInstance(resource) && resource.plan === null && <InstanceSection resource={resource} />}
    <ResourceDetails resource={resource} canWrite={canWrite} />
  </div>
);

function State({ resource }: { resource: Resource }) {
  const { tone, text, remedy } = stateText(resource);
  return (
    <Alert tone={tone}>
      {text}
      {remedy && <span className="mt-1 block">{remedy}</span>}
    </Alert>
  );
}
