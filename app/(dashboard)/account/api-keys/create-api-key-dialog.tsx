"use client";

import { choicesIn, textIn } from "../../../components/form/read-fields";
import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { createKeyInput } from "../../../generated/inputs/createKey";
import type { Outputs } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";
import { useQueryOf } from "../../../trpc/use-operation";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { useMode } from "../../components/shell/mode";
import type { ScopeInfo } from "./scope-groups";
import { ScopePicker } from "./scope-picker";

export type CreatedKey = Outputs["createKey"];

interface CreateApiKeyDialogProps extends DialogState {
  /** The project that is selected initially. */
  projectId: string;
  /** Receives the key, which is never shown again. */
  onCreated: (created: CreatedKey) => void;
}

export function CreateApiKeyDialog({ projectId, onCreated, ...state }: CreateApiKeyDialogProps) {
  const scopes = useQueryOf("listScopes");
  const { mode } = useMode();
  return (
    <Dialog
      title={`Create a ${mode} key`}
      description="Grant only the scopes that the program needs."
      className="max-w-2xl"
      {...state}
    >
      <QueryContent query={scopes}>
        {(known) => (
          <SchemaForm
            input={createKeyInput}
            fields={keyFields(known, projectId)}
            submit={`Create ${mode} key`}
            onDone={onCreated}
            onCancel={() => state.onOpenChange(false)}
          />
        )}
      </QueryContent>
    </Dialog>
  );
}

const keyFields = (scopes: ScopeInfo[], projectId: string) => ({
  name: { placeholder: "Nightly feed upload" },
  project: { value: projectId },
  scopes: {
    render: () => <ScopePicker scopes={scopes} />,
    read: (fields: FormData) => {
      const chosen = choicesIn(
        fields,
        "scopes",
        scopes.map(({ scope }) => scope),
      );
      if (chosen.length === 0) throw new FieldError("scopes", "Choose at least one scope.");
      return chosen;
    },
  },
  allowed_addresses: {
    placeholder: "203.0.113.7\n2001:db8::/32",
    hint: "One address or network per line. Leave empty to allow any address.",
    isHalf: true,
  },
  expires_at: {
    label: "Expires after",
    as: "day" as const,
    hint: "The end of that day, in your time zone. Leave empty for no expiry.",
    isHalf: true,
    read: (fields: FormData) => {
      const day = textIn(fields, "expires_at");
      return day === "" ? undefined : new Date(`${day}T23:59:59`).toISOString();
    },
  },
});
