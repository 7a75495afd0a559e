import { Button } from "../ui/button";

interface FormButtonsProps {
  /** Of the button that submits the form. */
  label: string;
  pending: boolean;
  onCancel: () => void;
}

/** The last row of a form in a dialog. */
export const FormButtons = ({ label, pending, onCancel }: FormButtonsProps) => (
  <div className="flex justify-end gap-2">
    <Button variant="outline" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" pending={pending}>
      {label}
    </Button>
  </div>
);
