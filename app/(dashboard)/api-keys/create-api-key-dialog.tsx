"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { CheckField, TextField } from "../../components/form/fields";
import { Form, useFieldFailure } from "../../components/form/form";
import { choicesIn, textIn } from "../../components/form/read-fields";
import { Loaded } from "../../components/loaded";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { type Outputs, useTRPC } from "../../trpc/client";
import { FieldError } from "../../trpc/failure";
import { isInUse } from "./scopes-in-use";

interface CreateApiKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Gets the key, which is never shown again. */
  onCreated: (key: string) => void;
}

export function CreateApiKeyDialog({ open, onOpenChange, onCreated }: CreateApiKeyDialogProps) {
  const trpc = useTRPC();
  const scopes = useQuery(trpc.keys.scopes.queryOptions());
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a ${mode} key`}
      description="Give it no more scopes than its program needs."
    >
      <Loaded query={scopes}>
        {(known) => <CreateApiKeyForm scopes={known} onCancel={() => onOpenChange(false)} onCreated={onCreated} />}
      </Loaded>
    </Dialog>
  );
}

type Scope = Outputs["keys"]["scopes"][number];

interface CreateApiKeyFormProps {
  scopes: Scope[];
  onCancel: () => void;
  onCreated: (key: string) => void;
}

function CreateApiKeyForm({ scopes, onCancel, onCreated }: CreateApiKeyFormProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const create = useMutation(
    trpc.keys.create.mutationOptions({ meta: { inline: true }, onSuccess: ({ key }) => onCreated(key) }),
  );
  const submit = (fields: FormData) => {
    const chosen = choicesIn(fields, "scopes", scopes);
    if (chosen.length === 0) throw new FieldError("scopes", "Choose at least one scope.");
    const day = textIn(fields, "expires_at");
    create.mutate({
      name: textIn(fields, "name"),
      scopes: chosen,
      mode,
      ...(day ? { expires_at: new Date(`${day}T23:59:59`).toISOString() } : {}),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="Nightly feed upload" maxLength={100} autoComplete="off" />
      <ScopePicker scopes={scopes} />
      <TextField
        name="expires_at"
        label="Expires after"
        optional
        type="date"
        hint="Empty: it works until it is revoked."
      />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create {mode} key
        </Button>
      </div>
    </Form>
  );
}

function ScopePicker({ scopes }: { scopes: Scope[] }) {
  const failure = useFieldFailure("scopes");
  return (
    <fieldset>
      <legend className="mb-2 font-medium text-sm">Scopes</legend>
      <div className="grid grid-cols-2 gap-x-2 gap-y-2 sm:gap-x-4">
        {scopes.map((scope) => (
          <CheckField
            key={scope}
            name="scopes"
            label={scope}
            value={scope}
            defaultChecked={isInUse(scope)}
            {...(isInUse(scope) ? {} : { hint: "No endpoint yet." })}
          />
        ))}
      </div>
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="mt-2 text-destructive text-sm">
          {failure}
        </p>
      )}
    </fieldset>
  );
}
