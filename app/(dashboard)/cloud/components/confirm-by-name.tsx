import { useState } from "react";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { FieldError } from "../../../trpc/failure";

interface ConfirmByNameProps {
  /** What has to be typed. */
  name: string;
  /** The verb and its object, on both buttons. */
  label: string;
  title: string;
  consequence: string;
  mutation: { error: unknown; isPending: boolean; reset: () => void };
  /** The dialog closes when this resolves; a failure is shown in it. */
  onConfirm: () => Promise<unknown>;
}

/** A button for what cannot be undone: it asks for the name of the thing. */
export function ConfirmByName({ name, label, title, consequence, mutation, onConfirm }: ConfirmByNameProps) {
  const [open, setOpen] = useState(false);
  const show = (next: boolean) => {
    mutation.reset();
    setOpen(next);
  };
  const submit = (fields: FormData) => {
    if (textIn(fields, "typed") !== name) throw new FieldError("typed", `Type ${name} to confirm.`);
    void onConfirm().then(
      () => setOpen(false),
      () => undefined,
    );
  };
  return (
    <>
      <Button variant="outline" onClick={() => show(true)}>
        {label}
      </Button>
      <Dialog open={open} onOpenChange={show} title={title} description={consequence}>
        <Form error={mutation.error} onSubmit={submit}>
          <TextField name="typed" label={`Type “${name}” to confirm`} spellCheck={false} autoCapitalize="none" />
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="outline" onClick={() => show(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="destructive" pending={mutation.isPending}>
              {label}
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
