"use client";

import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { DeleteSection } from "../../components/delete-section";
import type { CloudFunction } from "../function";
import { DeployForm } from "./deploy-form";
import { FunctionVersions } from "./function-versions";
import { InvokeForm } from "./invoke-form";
import { RecentInvocations } from "./recent-invocations";
import { ScheduleForm } from "./schedule-form";

export const FunctionPage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Function"
    list={{ href: "/cloud/functions", label: "Functions" }}
    scope="functions:read"
    query={(trpc) => trpc.getFunction.queryOptions({ id })}
  >
    {(shown) => <FunctionSections of={shown} />}
  </NounPage>
);

function FunctionSections({ of }: { of: CloudFunction }) {
  const canWrite = useHasScope("functions:write");
  return (
    <div className="space-y-6">
      {canWrite && <InvokeForm of={of} />}
      <RecentInvocations of={of} />
      {canWrite && <DeployForm of={of} />}
      {canWrite && <ScheduleForm of={of} />}
      <FunctionVersions of={of} />
      {canWrite && <DeleteFunction of={of} />}
    </div>
  );
}

function DeleteFunction({ of: { id, name } }: { of: CloudFunction }) {
  const deletion = useDeletion("deleteFunction", { done: "Function deleted.", href: "/cloud/functions", inline: true });
  return (
    <DeleteSection
      noun="function"
      name={name}
      description="Deletes it with its versions."
      consequence="Calls fail from now on. The code cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ id })}
    />
  );
}
