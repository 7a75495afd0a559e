import type { ReactNode } from "react";
import { Button } from "../ui/button";

interface FormButtonsProps {
  /** On the button that submits the form. */
  label: ReactNode;
  pending: boolean;
  /** Absent: there is no button that cancels. */
  onCancel?: (() => void) | undefined;
}

/** The last row of a form. */
export const FormButtons = ({ label, pending, onCancel }: FormButtonsProps) => {
  const submit = (
    <Button type="submit" pending={pending}>
      {label}
    </Button>
  );
  if (!onCancel) return submit;
  return (
    <div className="flex justify-end gap-2">
      <Button variant="outline" onClick={onCancel}>
        Cancel
      </Button>
      {submit}
    </div>
  );
};
