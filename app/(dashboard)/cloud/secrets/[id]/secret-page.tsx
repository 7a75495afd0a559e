"use client";

import { Form } from "../../../../components/form/form";
import { rawTextIn } from "../../../../components/form/read-fields";
import { Section } from "../../../../components/ui/card";
import { useMutationOf } from "../../../../trpc/use-operation";
import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { DeleteSection } from "../../components/delete-section";
import type { Secret } from "../secret";
import { ValueField } from "../value-field";
import { SecretVersions } from "./secret-versions";

export const SecretPage = ({ id }: { id: string }) => (
  <NounPage
    id={id}
    noun="Secret"
    list={{ href: "/cloud/secrets", label: "Secrets" }}
    scope="secrets:read"
    query={(trpc) => trpc.getSecret.queryOptions({ name: id })}
  >
    {(shown) => <SecretSections secret={shown} />}
  </NounPage>
);

function SecretSections({ secret }: { secret: Secret }) {
  const canWrite = useHasScope("secrets:write");
  return (
    <div className="space-y-6">
      <SecretVersions secret={secret} />
      {canWrite && <NewVersion secret={secret} />}
      {canWrite && <DeleteSecret secret={secret} />}
    </div>
  );
}

function NewVersion({ secret: { id, version } }: { secret: Secret }) {
  const put = useMutationOf("putSecret", { gcTime: 0, meta: { inline: true, done: "New version stored." } });
  return (
    <Section title="New version" description="What refers to the secret uses the new value from its next use on.">
      <Form
        key={version}
        sends={put}
        saving={put.status}
        onSubmit={(fields) => put.mutate({ name: id, value: rawTextIn(fields, "value") })}
        label={`Store version ${version + 1}`}
      >
        <ValueField />
      </Form>
    </Section>
  );
}

function DeleteSecret({ secret: { id, name } }: { secret: Secret }) {
  const deletion = useDeletion("deleteSecret", { done: "Secret deleted.", href: "/cloud/secrets", inline: true });
  return (
    <DeleteSection
      noun="secret"
      name={name}
      description="Erases the values of all versions. The name can be used again."
      consequence="What refers to this secret fails from its next use on. Erased values cannot be restored."
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ name: id })}
    />
  );
}
