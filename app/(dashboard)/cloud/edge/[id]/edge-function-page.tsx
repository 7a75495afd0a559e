"use client";

import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { DeleteSection } from "../../components/delete-section";
import type { EdgeFunction } from "../edge-function";
import { DraftForm } from "./draft-form";
import { EdgeLogs } from "./edge-logs";
import { EdgeVersions } from "./edge-versions";
import { PublishSection } from "./publish-section";

export const EdgeFunctionPage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Edge function"
    list={{ href: "/cloud/edge", label: "Edge functions" }}
    scope="edge:read"
    query={(trpc) => trpc.getEdgeFunction.queryOptions({ id })}
  >
    {(shown) => <EdgeFunctionSections of={shown} />}
  </NounPage>
);

function EdgeFunctionSections({ of }: { of: EdgeFunction }) {
  const canWrite = useHasScope("edge:write");
  return (
    <div className="space-y-6">
      <PublishSection of={of} />
      <EdgeLogs of={of} />
      {canWrite && <DraftForm of={of} />}
      <EdgeVersions of={of} />
      {canWrite && <DeleteEdgeFunction of={of} />}
    </div>
  );
}

function DeleteEdgeFunction({ of: { id, name } }: { of: EdgeFunction }) {
  const deletion = useDeletion("deleteEdgeFunction", {
    done: "Edge function deleted.",
    href: "/cloud/edge",
    inline: true,
  });
  return (
    <DeleteSection
      noun="edge function"
      name={name}
      description="Deletes it with its versions and logs."
      consequence="Its host does not respond any more. The code cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ id })}
    />
  );
}
