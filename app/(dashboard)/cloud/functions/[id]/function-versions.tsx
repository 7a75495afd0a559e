"use client";

import { QuerySection } from "../../../../components/query-content";
import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { VersionTable } from "../../../components/version-table";
import type { CloudFunction } from "../function";

/** The versions that are kept; each can be called again. */
export function FunctionVersions({ of: { id, name, version: current } }: { of: CloudFunction }) {
  const canWrite = useHasScope("functions:write");
  const query = useQueryOf("listFunctionVersions", { id });
  const restore = useMutationOf("restoreFunctionVersion", { meta: { done: "Rolled back." } });
  const restoring = {
    label: "Use",
    name: (version: number) => `Use version ${version}`,
    isOffered: ({ version }: { version: number }) => version !== current,
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
          currentText="current"
          detail={{ label: "Handler", of: ({ handler }) => <span className="font-mono text-xs">{handler}</span> }}
          savedLabel="Deployed"
          restore={canWrite ? restoring : undefined}
        />
      )}
    </QuerySection>
  );
}
