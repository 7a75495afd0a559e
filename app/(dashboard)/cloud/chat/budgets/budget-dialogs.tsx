"use client";

import { useMutation } from "@tanstack/react-query";
import { SelectField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { FormButtons } from "../../../../components/form/form-buttons";
import { choiceIn, textIn } from "../../../../components/form/read-fields";
import { Dialog } from "../../../../components/ui/dialog";
import { useTRPC } from "../../../../trpc/client";
import { CreateDialog } from "../../../components/create-dialog";
import { projectIn } from "../../../components/project-field";
import { useMode } from "../../../components/shell/mode";
import type { ChatBudget } from "../wire";
import { BudgetFields, BudgetScopeFields, budgetIn, WINDOWS } from "./budget-fields";

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
  const trpc = useTRPC();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createChatBudget.mutationOptions({
      meta: { inline: true, done: "Budget created." },
      onSuccess: onDone,
    }),
  );
  const submit = (fields: FormData) => {
    create.mutate({
      ...budgetIn(fields),
      window: choiceIn(fields, "window", WINDOWS),
      key_id: textIn(fields, "key_id") || null,
      mode,
      ...projectIn(fields),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <BudgetFields />
      <SelectField name="window" label="Per" hint="Calendar days or months in UTC. It cannot be changed later.">
        <option value="month">month</option>
        <option value="day">day</option>
      </SelectField>
      <BudgetScopeFields />
      <FormButtons label="Create budget" pending={create.isPending} onCancel={onDone} />
    </Form>
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
    {budget && <EditForm budget={budget} onDone={onClose} />}
  </Dialog>
);

function EditForm({ budget, onDone }: { budget: ChatBudget; onDone: () => void }) {
  const trpc = useTRPC();
  const update = useMutation(
    trpc.updateChatBudget.mutationOptions({
      meta: { inline: true, done: "Budget saved." },
      onSuccess: onDone,
    }),
  );
  return (
    <Form error={update.error} onSubmit={(fields) => update.mutate({ budget: budget.id, ...budgetIn(fields) })}>
      <BudgetFields budget={budget} />
      <FormButtons label="Save budget" pending={update.isPending} onCancel={onDone} />
    </Form>
  );
}
