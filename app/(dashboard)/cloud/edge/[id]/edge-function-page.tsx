"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Section } from "../../../../components/ui/card";
import { useTRPC } from "../../../../trpc/client";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { ConfirmByName } from "../../components/confirm-by-name";
import type { EdgeFunction } from "../edge-function";
import { DraftForm } from "./draft-form";
import { EdgeLogs } from "./edge-logs";
import { EdgeVersions } from "./edge-versions";
import { PublishSection } from "./publish-section";

export const EdgeFunctionPage = ({ id }: { id: string }) => (
  <RequireScope scope="edge:read" title="Edge function" what="the edge functions">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getEdgeFunction.queryOptions({ id }));
  const { data: shown } = query;
  useFollowMode(shown);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/edge", label: "Edge functions" }}
        title={<span className="break-all">{shown?.name ?? "Edge function"}</span>}
        description={<span className="font-mono text-xs">{id}</span>}
        actions={shown && <Badge tone={shown.mode === "live" ? "good" : "warn"}>{shown.mode}</Badge>}
      />
      <QueryContent query={query}>{(one) => <EdgeFunctionSections key={one.id} of={one} />}</QueryContent>
    </>
  );
}

function EdgeFunctionSections({ of }: { of: EdgeFunction }) {
  const canWrite = useHasScope("edge:write");
  return (
    <div className="space-y-6">
      <PublishSection of={of} />
      <EdgeLogs of={of} />
      {canWrite && <DraftForm of={of} />}
      <EdgeVersions of={of} />
      {canWrite && (
        <Section title="Delete edge function" description="Deletes it with its versions and logs.">
          <DeleteEdgeFunction of={of} />
        </Section>
      )}
    </div>
  );
}

function DeleteEdgeFunction({ of: { id, name } }: { of: EdgeFunction }) {
  const trpc = useTRPC();
  const router = useRouter();
  const deletion = useMutation(
    trpc.deleteEdgeFunction.mutationOptions({
      meta: { inline: true, done: "Edge function deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/edge"),
    }),
  );
  return (
    <ConfirmByName
      name={name}
      label="Delete edge function"
      title={`Delete ${name}?`}
      consequence="Its host does not respond any more. The code cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ id })}
    />
  );
}
