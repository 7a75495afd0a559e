import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { VersionsSection } from "../../../components/versions-section";
import type { CloudFunction } from "../function";

/** The versions that are kept; each can be called again. */
export function FunctionVersions({ of: { id, name, version: current } }: { of: CloudFunction }) {
  const canWrite = useHasScope("functions:write");
  const query = useQueryOf("listFunctionVersions", { id });
  const restore = useMutationOf("restoreFunctionVersion", { meta: { done: "Rolled back." } });
  return (
    <VersionsSection
      of={{ id, name }}
      query={query}
      current={current}
      currentText="current"
      detail={{ label: "Handler", of: ({ handler }) => <span className="font-mono text-xs">{handler}</span> }}
      savedLabel="Deployed"
      restore={
        canWrite
          ? { label: "Use", verb: "Use", isOffered: ({ version }) => version !== current, mutation: restore }
          : undefined
      }
    />
  );
}
