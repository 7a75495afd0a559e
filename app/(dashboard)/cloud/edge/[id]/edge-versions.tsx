"use client";

import { QuerySection } from "../../../../components/query-content";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { VersionTable } from "../../../components/version-table";
import type { EdgeFunction } from "../edge-function";

/** The versions that are kept; earlier ones can serve again. */
export function EdgeVersions({ of: { id, name, version: draft, published_version: current } }: { of: EdgeFunction }) {
  const canWrite = useHasScope("edge:write");
  const query = useQueryOf("listEdgeVersions", { id });
  const restore = useMutationOf("restoreEdgeVersion", { meta: { done: "Rolled back." } });
  const restoring = {
    label: "Roll back",
    name: (version: number) => `Roll back to version ${version}`,
    isOffered: ({ version }: { version: number }) => version !== current && version !== draft,
    pending: restore.isPending ? restore.variables.version : undefined,
    onRestore: (version: number) => restore.mutate({ id, version }),
  };
  return (
    <QuerySection title="Versions" description="The last 50 are kept." query={query}>
      {({ data }) => (
        <VersionTable
          caption={`Versions of ${name}`}
          versions={data}
          current={current}
          currentText="published"
          detail={{ label: "Tried", of: ({ smoke }) => smoke.outcome }}
          savedLabel="Saved"
          restore={canWrite ? restoring : undefined}
        />
      )}
    </QuerySection>
  );
}
