"use client";

import { SelectField } from "../../../components/form/fields";
import { PageHeader } from "../../components/page-header";
import { PageTabs } from "../../components/page-tabs";
import { RequireScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";

import { useUrlParams } from "../../components/use-url-params";
import { PLANE_READS } from "./plane-scopes";
import { ResourceList } from "./resource-list";
import { ResourceUsage } from "./resource-usage";
import { PLANE_LABELS, type Plane, planeIn } from "./service";
import { ServiceGrid } from "./service-grid";
import { SkuTables } from "./sku-tables";
import { useServices } from "./use-services";

export const ResourcesPage = () => (
  <RequireScope scope={PLANE_READS} title="Resources" what="the resources">
    <Page />
  </RequireScope>
);

function Page() {
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const plane = planeIn(params.get("plane"));
  const tabs = [
    {
      value: "resources",
      label: "Services and resources",
      content: (
        <div className="space-y-8">
          <PlaneChoice plane={plane} onChange={(chosen) => change({ plane: chosen, service: "" })} />
          <ServiceGrid key={`${mode} ${plane}`} plane={plane} />
          <ResourceList />
        </div>
      ),
    },
    { value: "skus", label: "Prices", content: <SkuTables /> },
    { value: "usage", label: "Usage", content: <ResourceUsage /> },
  ];
  return (
    <>
      <PageHeader
        title="Resources"
        description="Instances, buckets and other things that svc provisions for activated services, and keeps in the state that you requested."
      />
      <PageTabs label="Parts of this page" tabs={tabs} />
    </>
  );
}

interface PlaneChoiceProps {
  plane: Plane;
  /** Called with "" for the first one, which the URL need not name. */
  onChange: (plane: string) => void;
}

/** The planes that have services; with one there is no choice. */
function PlaneChoice({ plane, onChange }: PlaneChoiceProps) {
  const services = useServices().data?.data ?? [];
  const planes = (Object.keys(PLANE_LABELS) as Plane[]).filter((one) => services.some((own) => own.plane === one));
  if (planes.length < 2) return null;
  return (
    <SelectField
      name="plane"
      label="Group of services"
      className="max-w-72"
      value={plane}
      onChange={({ target }) => onChange(target.value === "gpuc" ? "" : target.value)}
      choices={planes.map((one) => ({ value: one, label: PLANE_LABELS[one] }))}
    />
  );
}
