import { Boxes } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { Below, type Columns, IdBelow, PROJECT_COLUMN, timeColumn } from "../../components/data-table";
import type { Filter } from "../../components/filters";
import { PagedList } from "../../components/paged-list";
import { pagesWhile } from "../../components/pages";
import { deleteAction } from "../../components/row-actions";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useUrlParams } from "../../components/use-url-params";
import { deletionOf, isChanging, type Resource, STATE_LABELS, STATE_TONES } from "./resource";
import { planeIn, type ServiceId } from "./service";
import { useServiceLabel, useServices } from "./use-services";

const CHANGING_MS = 2000;
const REFRESH_MS = 10_000;

const COLUMNS: Columns<Resource> = [
  {
    label: "Name",
    className: "max-w-80 min-w-40",
    cell: ({ rid, name }) => (
      <>
        <Link href={`/cloud/resources/${rid}`} className={`${ROW_LINK_STYLE} break-words`}>
          {name}
        </Link>
        <IdBelow id={rid} />
      </>
    ),
  },
  { label: "Service", className: "min-w-32", cell: (resource) => <ServiceLabel of={resource} /> },
  { label: "Kind", cell: ({ kind }) => kind },
  {
    label: "State",
    className: "min-w-44 max-w-72",
    cell: ({ state, reason }) => (
      <>
        <Badge tone={STATE_TONES[state]}>{STATE_LABELS[state]}</Badge>
        <Below className="mt-1 break-words">{reason?.message}</Below>
      </>
    ),
  },
  PROJECT_COLUMN,
  timeColumn("Updated", ({ updated_at }) => updated_at),
];

/** The resources of the chosen plane in the mode, or those of one of its services. */
export function ResourceList() {
  const plane = planeIn(useUrlParams().params.get("plane"));
  return (
    <div className="space-y-4">
      <h2 className="font-semibold text-lg">Resources</h2>
      <PagedList
        key={plane}
        noun="resource"
        icon={Boxes}
        about="Activate a service above and create a resource. Without an activation a resource is only planned: you see what svc would do, and nothing costs anything."
        docs="/docs/resources"
        scopes={plane}
        useFilters={useServiceFilter}
        pages={({ trpc, mode, filter }) =>
          trpc.listResources.infiniteQueryOptions(
            { mode, plane, service: filter("service") },
            pagesWhile(isChanging, CHANGING_MS, REFRESH_MS),
          )
        }
        columns={COLUMNS}
        menu={(resource) => <ResourceMenu resource={resource} />}
      />
    </div>
  );
}

function useServiceFilter(): Filter[] {
  const plane = planeIn(useUrlParams().params.get("plane"));
  const services = (useServices().data?.data ?? []).filter((one) => one.plane === plane);
  return [
    { name: "service", label: "Service", choices: services.map(({ service, label }) => ({ value: service, label })) },
  ];
}

const ServiceLabel = ({ of }: { of: ServiceId }) => useServiceLabel()(of);

function ResourceMenu({ resource }: { resource: Resource }) {
  const remove = useMutationOf("deleteResource", { meta: { done: "The resource is being deleted." } });
  if (resource.state === "deleting") return null;
  const onConfirm = () => remove.mutateAsync({ rid: resource.rid });
  return <RowMenu name={resource.name} actions={[deleteAction(deletionOf(resource), onConfirm)]} />;
}
