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
import type { CloudFunction } from "../function";
import { DeployForm } from "./deploy-form";
import { FunctionVersions } from "./function-versions";
import { InvokeForm } from "./invoke-form";
import { RecentInvocations } from "./recent-invocations";
import { ScheduleForm } from "./schedule-form";

export const FunctionPage = ({ id }: { id: string }) => (
  <RequireScope scope="functions:read" title="Function" what="the functions">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getFunction.queryOptions({ id }));
  const { data: shown } = query;
  useFollowMode(shown);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/functions", label: "Functions" }}
        title={<span className="break-all">{shown?.name ?? "Function"}</span>}
        description={<span className="font-mono text-xs">{id}</span>}
        actions={shown && <Badge tone={shown.mode === "live" ? "good" : "warn"}>{shown.mode}</Badge>}
      />
      <QueryContent query={query}>{(one) => <FunctionSections key={one.id} of={one} />}</QueryContent>
    </>
  );
}

function FunctionSections({ of }: { of: CloudFunction }) {
  const canWrite = useHasScope("functions:write");
  return (
    <div className="space-y-6">
      {canWrite && <InvokeForm of={of} />}
      <RecentInvocations of={of} />
      {canWrite && <DeployForm of={of} />}
      {canWrite && <ScheduleForm of={of} />}
      <FunctionVersions of={of} />
      {canWrite && (
        <Section title="Delete function" description="Deletes it with its versions.">
          <DeleteFunction of={of} />
        </Section>
      )}
    </div>
  );
}

function DeleteFunction({ of: { id, name } }: { of: CloudFunction }) {
  const trpc = useTRPC();
  const router = useRouter();
  const deletion = useMutation(
    trpc.deleteFunction.mutationOptions({
      meta: { inline: true, done: "Function deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/functions"),
    }),
  );
  return (
    <ConfirmByName
      name={name}
      label="Delete function"
      title={`Delete ${name}?`}
      consequence="Calls fail from now on. The code cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ id })}
    />
  );
}
