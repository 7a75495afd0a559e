"use client";

import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { deletionOf, resultText, type Sandbox, STATUS_TONES, stateText } from "../sandbox";
import { ProgramOutput, RunProgram } from "./run-program";
import { SandboxDetails } from "./sandbox-details";
import { SandboxFiles } from "./sandbox-files";

const ACTIVE_MS = 2000;
const ENDED_MS = 15_000;

export const SandboxPage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Sandbox"
    list={{ href: "/cloud/sandboxes", label: "Sandboxes" }}
    scope="sandboxes:read"
    query={(trpc) => trpc.getSandbox.queryOptions({ id })}
    refreshMs={(sandbox) => (sandbox?.status === "ended" ? ENDED_MS : ACTIVE_MS)}
    actions={(sandbox) => (
      <>
        <Badge tone={STATUS_TONES[sandbox.status]}>{sandbox.status}</Badge>
        <Deletion sandbox={sandbox} />
      </>
    )}
  >
    {(sandbox, readAt) => <Parts sandbox={sandbox} at={readAt} />}
  </NounPage>
);

/** `at`: when the sandbox was read, in milliseconds since 1970. */
const Parts = ({ sandbox, at }: { sandbox: Sandbox; at: number }) => (
  <div className="space-y-6">
    <Alert tone={sandbox.status === "running" ? "good" : "info"}>{stateText(sandbox, at)}</Alert>
    {sandbox.stdout !== null && (
      <Section title="Result of its command" description={resultText(sandbox)}>
        <ProgramOutput result={sandbox} />
      </Section>
    )}
    {useHasScope("sandboxes:write") && sandbox.status === "running" && <RunProgram id={sandbox.id} />}
    {sandbox.status === "running" && <SandboxFiles id={sandbox.id} />}
    <SandboxDetails sandbox={sandbox} />
  </div>
);

function Deletion({ sandbox }: { sandbox: Sandbox }) {
  const remove = useDeletion("deleteSandbox", { done: "Sandbox deleted.", href: "/cloud/sandboxes" });
  if (!useHasScope("sandboxes:write")) return null;
  return (
    <Confirm
      trigger={<Button variant="outline">Delete</Button>}
      {...deletionOf(sandbox)}
      onConfirm={() => remove.mutateAsync({ id: sandbox.id })}
    />
  );
}
