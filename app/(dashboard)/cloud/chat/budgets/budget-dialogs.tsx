"use client";

import { useMutation } from "@tanstack/react-query";
import { SelectField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { choiceIn, textIn } from "../../../../components/form/read-fields";
import { Button } from "../../../../components/ui/button";
import { Dialog } from "../../../../components/ui/dialog";
import { useTRPC } from "../../../../trpc/client";
import { useMode } from "../../../components/shell/mode";
import type { ChatBudget } from "../wire";
import { BudgetFields, BudgetScopeFields, budgetIn, WINDOWS } from "./budget-fields";

interface CreateBudgetDialogProps {
  open: boolean;
  onClose: () => void;
}

export function CreateBudgetDialog({ open, onClose }: CreateBudgetDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={`Create a budget in ${mode} mode`}
      description="It counts requests that begin after it was created."
    >
      <CreateForm onDone={onClose} />
    </Dialog>
  );
}

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
    const project = textIn(fields, "project");
    create.mutate({
      ...budgetIn(fields),
      ...{ window: choiceIn(fields, "window", WINDOWS), key_id: textIn(fields, "key_id") || null, mode },
      ...(project && { project }),
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
      <Buttons label="Create budget" pending={create.isPending} onCancel={onDone} />
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
      <Buttons label="Save budget" pending={update.isPending} onCancel={onDone} />
    </Form>
  );
}

const Buttons = ({ label, pending, onCancel }: { label: string; pending: boolean; onCancel: () => void }) => (
  <div className="flex justify-end gap-2">
    <Button variant="outline" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" pending={pending}>
      {label}
    </Button>
  </div>
);
