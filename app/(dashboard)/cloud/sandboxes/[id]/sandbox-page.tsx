"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { deletionOf, resultText, type Sandbox, STATUS_TONES, stateText } from "../sandbox";
import { ProgramOutput, RunProgram } from "./run-program";
import { SandboxDetails } from "./sandbox-details";
import { SandboxFiles } from "./sandbox-files";

const ACTIVE_MS = 2000;
const ENDED_MS = 15_000;

export const SandboxPage = ({ id }: { id: string }) => (
  <RequireScope scope="sandboxes:read" title="Sandbox" what="the sandboxes">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const canWrite = useHasScope("sandboxes:write");
  const query = useQuery(
    trpc.getSandbox.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) => refreshEvery(state.data?.status === "ended" ? ENDED_MS : ACTIVE_MS)({ state }),
      },
    ),
  );
  const { data: sandbox } = query;
  useFollowMode(sandbox);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/sandboxes", label: "Sandboxes" }}
        title={sandbox?.name ?? "Sandbox"}
        description={<span className="break-all font-mono text-xs">{id}</span>}
        actions={
          sandbox && (
            <>
              <Badge tone={sandbox.mode === "live" ? "good" : "warn"}>{sandbox.mode}</Badge>
              <Badge tone={STATUS_TONES[sandbox.status]}>{sandbox.status}</Badge>
              {canWrite && <Deletion sandbox={sandbox} />}
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(shown) => <Parts key={shown.id} sandbox={shown} at={query.dataUpdatedAt} canWrite={canWrite} />}
      </QueryContent>
    </>
  );
}

/** `at`: when the sandbox was read, in milliseconds since 1970. */
const Parts = ({ sandbox, at, canWrite }: { sandbox: Sandbox; at: number; canWrite: boolean }) => (
  <div className="space-y-6">
    <Alert tone={sandbox.status === "running" ? "good" : "info"}>{stateText(sandbox, at)}</Alert>
    {sandbox.stdout !== null && (
      <Section title="Result of its command" description={resultText(sandbox)}>
        <ProgramOutput result={sandbox} />
      </Section>
    )}
    {canWrite && sandbox.status === "running" && <RunProgram id={sandbox.id} />}
    {sandbox.status === "running" && <SandboxFiles id={sandbox.id} />}
    <SandboxDetails sandbox={sandbox} />
  </div>
);

function Deletion({ sandbox }: { sandbox: Sandbox }) {
  const trpc = useTRPC();
  const router = useRouter();
  const remove = useMutation(
    trpc.deleteSandbox.mutationOptions({
      meta: { done: "Sandbox deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/sandboxes"),
    }),
  );
  return (
    <Confirm
      trigger={<Button variant="outline">Delete</Button>}
      {...deletionOf(sandbox)}
      onConfirm={() => remove.mutateAsync({ id: sandbox.id })}
    />
  );
}
