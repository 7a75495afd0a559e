"use client";

import { Section } from "../../../../components/ui/card";
import { putSecretInput } from "../../../../generated/inputs/putSecret";
import { NounPage } from "../../../components/noun-page";
import { SchemaForm } from "../../../components/schema-form";
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

const NewVersion = ({ secret: { id, version } }: { secret: Secret }) => (
  <Section title="New version" description="What refers to the secret uses the new value from its next use on.">
    <SchemaForm
      key={version}
      input={putSecretInput}
      fields={{ value: { as: "code", render: () => <ValueField /> } }}
      values={{}}
      fixed={{ name: id }}
      submit={`Store version ${version + 1}`}
      done="New version stored."
    />
  </Section>
);

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
