"use client";

import { PageHeader } from "../../components/page-header";
import { RequireScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { Tabs } from "../../components/tabs";
import { useUrlParams } from "../../components/use-url-params";
import { ResourceList } from "./resource-list";
import { ResourceUsage } from "./resource-usage";
import { ServiceGrid } from "./service-grid";
import { SkuTables } from "./sku-tables";

export const ResourcesPage = () => (
  <RequireScope scope="gpuc:read" title="Resources" what="the resources">
    <Page />
  </RequireScope>
);

function Page() {
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const tabs = [
    {
      ...{ value: "resources", label: "Services and resources" },
      content: (
        <div className="space-y-8">
          <ServiceGrid key={mode} />
          <ResourceList key={`list ${mode}`} />
        </div>
      ),
    },
    { value: "skus", label: "Prices", content: <SkuTables /> },
    { value: "usage", label: "Usage", content: <ResourceUsage /> },
  ];
  const tab = tabs.find(({ value }) => value === params.get("tab"))?.value ?? "resources";
  return (
    <>
      <PageHeader
        title="Resources"
        description="Instances, buckets and other things that svc provisions for activated services, and keeps in the state that you requested."
      />
      <Tabs
        label="Parts of this page"
        value={tab}
        onChange={(value) => change({ tab: value === "resources" ? "" : value })}
        tabs={tabs}
      />
    </>
  );
}
