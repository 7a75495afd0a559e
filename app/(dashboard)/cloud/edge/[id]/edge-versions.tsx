import { useMutationOf, useQueryOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { VersionsSection } from "../../../components/versions-section";
import type { EdgeFunction } from "../edge-function";

/** The versions that are kept; earlier ones can serve again. */
export function EdgeVersions({ of: { id, name, version: draft, published_version: current } }: { of: EdgeFunction }) {
  const canWrite = useHasScope("edge:write");
  const query = useQueryOf("listEdgeVersions", { id });
  const restore = useMutationOf("restoreEdgeVersion", { meta: { done: "Rolled back." } });
  return (
    <VersionsSection
      of={{ id, name }}
      query={query}
      current={current}
      currentText="published"
      detail={{ label: "Tried", of: ({ smoke }) => smoke.outcome }}
      savedLabel="Saved"
      restore={
        canWrite
          ? {
              label: "Roll back",
              verb: "Roll back to",
              isOffered: ({ version }) => version !== current && version !== draft,
              mutation: restore,
            }
          : undefined
      }
    />
  );
}
