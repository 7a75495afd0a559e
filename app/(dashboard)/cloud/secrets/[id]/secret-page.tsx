"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Form } from "../../../../components/form/form";
import { rawTextIn } from "../../../../components/form/read-fields";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useTRPC } from "../../../../trpc/client";
import { useProjects } from "../../../account/api-keys/use-projects";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { ConfirmByName } from "../../components/confirm-by-name";
import { placeText, type Secret } from "../secret";
import { ValueField } from "../value-field";
import { SecretVersions } from "./secret-versions";

export const SecretPage = ({ id }: { id: string }) => (
  <RequireScope scope="secrets:read" title="Secret" what="the secrets">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getSecret.queryOptions({ name: id }));
  const { data: secret } = query;
  const { nameOf } = useProjects();
  useFollowMode(secret);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/secrets", label: "Secrets" }}
        title={<span className="break-all">{secret?.name ?? "Secret"}</span>}
        description={
          <>
            {secret && <span className="mr-2">{placeText(secret.project_id, nameOf)}</span>}
            <span className="font-mono text-xs">{id}</span>
          </>
        }
        actions={secret && <Badge tone={secret.mode === "live" ? "good" : "warn"}>{secret.mode}</Badge>}
      />
      <QueryContent query={query}>{(shown) => <SecretSections key={shown.id} secret={shown} />}</QueryContent>
    </>
  );
}

function SecretSections({ secret }: { secret: Secret }) {
  const canWrite = useHasScope("secrets:write");
  return (
    <div className="space-y-6">
      <SecretVersions secret={secret} />
      {canWrite && <NewVersion secret={secret} />}
      {canWrite && (
        <Section title="Delete secret" description="Erases the values of all versions. The name can be used again.">
          <DeleteSecret secret={secret} />
        </Section>
      )}
    </div>
  );
}

function NewVersion({ secret: { id, version } }: { secret: Secret }) {
  const trpc = useTRPC();
  const put = useMutation(
    trpc.putSecret.mutationOptions({ gcTime: 0, meta: { inline: true, done: "New version stored." } }),
  );
  return (
    <Section title="New version" description="What refers to the secret uses the new value from its next use on.">
      <Form
        key={version}
        error={put.error}
        saving={put.status}
        onSubmit={(fields) => put.mutate({ name: id, value: rawTextIn(fields, "value") })}
      >
        <ValueField />
        <Button type="submit" pending={put.isPending}>
          Store version {version + 1}
        </Button>
      </Form>
    </Section>
  );
}

function DeleteSecret({ secret: { id, name } }: { secret: Secret }) {
  const trpc = useTRPC();
  const router = useRouter();
  const deletion = useMutation(
    trpc.deleteSecret.mutationOptions({
      meta: { inline: true, done: "Secret deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/secrets"),
    }),
  );
  return (
    <ConfirmByName
      name={name}
      label="Delete secret"
      title={`Delete ${name}?`}
      consequence="What refers to this secret fails from its next use on. Erased values cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ name: id })}
    />
  );
}
