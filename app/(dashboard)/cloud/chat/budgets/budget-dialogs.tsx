"use client";

import { Dialog } from "../../../../components/ui/dialog";
import { createChatBudgetInput } from "../../../../generated/inputs/createChatBudget";
import { updateChatBudgetInput } from "../../../../generated/inputs/updateChatBudget";
import { useQueryOf } from "../../../../trpc/use-operation";
import { CreateDialog } from "../../../components/create-dialog";
import { SchemaForm } from "../../../components/schema-form";
import { useMode } from "../../../components/shell/mode";
import type { ChatBudget } from "../wire";

const KEYS_MAX = 200;

/** What can be changed later. */
const FIELDS = {
  name: {},
  amount_micros: { label: "Limit in money", hint: "A budget needs a limit in money, in tokens or in both." },
  tokens: { label: "Limit in tokens", hint: "Tokens of prompts and answers together." },
  action: {
    label: "When it is spent",
    hint: null,
    choices: { block: "Refuse requests", notify: "Send events, refuse nothing" },
  },
};

interface CreateBudgetDialogProps {
  open: boolean;
  onClose: () => void;
}

export const CreateBudgetDialog = ({ open, onClose }: CreateBudgetDialogProps) => (
  <CreateDialog
    open={open}
    onOpenChange={onClose}
    what="a budget"
    description="It counts requests that begin after it was created."
  >
    <CreateForm onDone={onClose} />
  </CreateDialog>
);

function CreateForm({ onDone }: { onDone: () => void }) {
  const { mode } = useMode();
  const keys = useQueryOf("listKeys", { mode, limit: KEYS_MAX }).data?.data ?? [];
  return (
    <SchemaForm
      input={createChatBudgetInput}
      fields={{
        ...FIELDS,
        window: {
          label: "Per",
          choices: { month: "month", day: "day" },
          hint: "Calendar days or months in UTC. It cannot be changed later.",
        },
        project: {},
        key_id: {
          label: "Requests",
          as: "choice",
          hint: null,
          choices: {
            "": "All of the project",
            ...Object.fromEntries(keys.map(({ id, name }) => [id, `Only of the key ${name}`])),
          },
        },
      }}
      submit="Create budget"
      done="Budget created."
      onDone={onDone}
      onCancel={onDone}
    />
  );
}

interface EditBudgetDialogProps {
  /** Undefined: closed. */
  budget: ChatBudget | undefined;
  onClose: () => void;
}

export const EditBudgetDialog = ({ budget, onClose }: EditBudgetDialogProps) => (
  <Dialog
    open={budget !== undefined}
    onOpenChange={onClose}
    title={`Edit ${budget?.name ?? "budget"}`}
    description="Changes apply from the next request on; what is spent stays."
  >
    {budget && (
      <SchemaForm
        input={updateChatBudgetInput}
        fields={FIELDS}
        values={budget}
        fixed={{ budget: budget.id }}
        submit="Save budget"
        done="Budget saved."
        onDone={onClose}
        onCancel={onClose}
      />
    )}
  </Dialog>
);
