"use client";

import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { NounPage } from "../../../components/noun-page";
import { useCanWrite } from "../../../components/shell/access";
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
  <NounPage
    id={rid}
    noun="Resource"
    list={{ href: "/cloud/resources", label: "Resources" }}
    scope={PLANE_READS}
    query={(trpc) => trpc.getResource.queryOptions({ rid }, { meta: { saysGone: true } })}
    refreshMs={(resource) => (resource && isChanging(resource) ? CHANGING_MS : REFRESH_MS)}
    listOf={({ plane }) => `/cloud/resources${plane === "gpuc" ? "" : `?plane=${plane}`}`}
    actions={(resource) => (
      <>
        <Badge tone={STATE_TONES[resource.state]}>{STATE_LABELS[resource.state]}</Badge>
        <ResourceActions resource={resource} />
      </>
    )}
    gone={() => <Alert tone="info">It is deleted.</Alert>}
  >
    {(resource) => <Parts resource={resource} />}
  </NounPage>
);

function Parts({ resource }: { resource: ResourceWithDependents }) {
  const canWrite = useCanWrite(resource.plane);
  return (
    <div className="space-y-6">
      <State resource={resource} />
      {resource.plan && <PlanSection resource={resource} plan={resource.plan} canWrite={canWrite} />}
      {isInstance(resource) && resource.plan === null && <InstanceSection resource={resource} />}
      <ResourceDetails resource={resource} canWrite={canWrite} />
    </div>
  );
}

function State({ resource }: { resource: Resource }) {
  const { tone, text, remedy } = stateText(resource);
  return (
    <Alert tone={tone}>
      {text}
      {remedy && <span className="mt-1 block">{remedy}</span>}
    </Alert>
  );
}
