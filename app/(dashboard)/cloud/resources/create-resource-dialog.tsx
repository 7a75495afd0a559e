"use client";

import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import { Dialog } from "../../../components/ui/dialog";
import { useMutationOf } from "../../../trpc/use-operation";
import { ProjectField, projectIn } from "../../components/project-field";
import { SecretDialog } from "../../components/secret-dialog";
import { useMode } from "../../components/shell/mode";
import { errorOfJson, objectSchemaOf, specIn } from "./read-spec";
import { isSame, keyOf, type ResourceKind, type Service } from "./service";
import { SpecFields } from "./spec-fields";
import { useActivations, useKinds, useServices } from "./use-services";

interface CreateResourceDialogProps {
  /** Of which service a resource is created at first; undefined: the dialog is closed. */
  service: Service | undefined;
  onClose: () => void;
}

export function CreateResourceDialog({ service, onClose }: CreateResourceDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={service !== undefined}
      onOpenChange={onClose}
      title={`Create a resource in ${mode} mode`}
      description="svc provisions it, and keeps it as its spec says. If its service is not activated it is only planned."
      className="max-w-2xl"
    >
      {service && <KindChoice first={service} onClose={onClose} />}
    </Dialog>
  );
}

/** The service and its kind; another kind has another form. */
function KindChoice({ first, onClose }: { first: Service; onClose: () => void }) {
  const services = useServices().data?.data ?? [];
  const creatable = services.filter(({ plane, kinds: own }) => plane === first.plane && own.length > 0);
  const kinds = useKinds().data?.data ?? [];
  const [service, setService] = useState(first);
  const [chosen, setChosen] = useState<string>();
  const own = kinds.filter((one) => isSame(one, service));
  const kind = own.find((one) => one.kind === chosen) ?? own[0];
  return (
    <div className="space-y-5">
      <SelectField
        name="service"
        label="Service"
        value={keyOf(service)}
        onChange={({ target }) => setService(creatable.find((one) => keyOf(one) === target.value) ?? first)}
      >
        {creatable.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {one.label}
          </option>
        ))}
      </SelectField>
      {own.length > 1 && (
        <SelectField name="kind" label="Kind" value={kind?.kind} onChange={({ target }) => setChosen(target.value)}>
          {own.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.kind}
            </option>
          ))}
        </SelectField>
      )}
      {kind && <ResourceForm key={`${keyOf(service)} ${kind.kind}`} service={service} kind={kind} onClose={onClose} />}
    </div>
  );
}

interface ResourceFormProps {
  service: Service;
  kind: ResourceKind;
  onClose: () => void;
}

function ResourceForm({ service: of, kind: { plane, service, kind, spec }, onClose }: ResourceFormProps) {
  const router = useRouter();
  const { mode } = useMode();
  const [isJson, setJson] = useState(false);
  const [made, setMade] = useState<{ rid: string; secret: string }>();
  const schema = objectSchemaOf(spec);
  const { activation: gate } = of;
  const activations = useActivations().data?.data ?? [];
  const isActive = gate === null || activations.some((one) => isSame(one, gate));
  const create = useMutationOf("createResource", {
    meta: { inline: true },
    onSuccess: ({ rid, secrets = {} }) => {
      const [secret] = Object.values(secrets);
      if (secret === undefined) open(rid);
      else setMade({ rid, secret });
    },
  });
  const open = (rid: string) => router.push(`/cloud/resources/${rid}`);
  const submit = (fields: FormData) => {
    create.mutate({
      plane,
      service,
      kind,
      mode,
      name: textIn(fields, "name"),
      spec: specIn(fields, schema),
      ...projectIn(fields),
    });
  };
  const error = useMemo(
    () => (isJson || !schema ? errorOfJson(create.error) : create.error),
    [isJson, schema, create.error],
  );
  return (
    <Form error={error} onSubmit={submit}>
      <SecretDialog
        title="The token of the store"
        description="With it, exporters send records to the store, and can do nothing else."
        noun="token"
        secret={made?.secret}
        onDone={() => made && open(made.rid)}
      />
      <TextField
        name="name"
        label="Name"
        maxLength={100}
        autoComplete="off"
        hint="Unique in its project and service."
      />
      <ProjectField hint="API keys of this project can use the resource." />
      <SpecFields schema={schema} isJson={isJson} onJson={setJson} />
      <FormButtons
        label={isActive ? "Create resource" : "Plan resource"}
        pending={create.isPending}
        onCancel={onClose}
      />
    </Form>
  );
}
