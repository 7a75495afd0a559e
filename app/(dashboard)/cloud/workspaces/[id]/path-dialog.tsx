import { TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { textIn } from "../../../../components/form/read-fields";
import { Dialog } from "../../../../components/ui/dialog";
import { pathFrom } from "./file-paths";

interface PathDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The verb on the button. */
  action: string;
  /** The path that is in the field first. */
  initial: string;
  error: unknown;
  isPending: boolean;
  /** Receives an absolute path. */
  onSubmit: (path: string) => void;
}

/** Asks for a path below /workspace. */
export const PathDialog = ({ open, onOpenChange, title, action, initial, ...asked }: PathDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title={title} description="Folders that are missing are made.">
    <Form
      sends={asked}
      fieldOf={() => "path"}
      onSubmit={(fields) => asked.onSubmit(pathFrom(textIn(fields, "path")))}
      label={action}
      onCancel={() => onOpenChange(false)}
    >
      <TextField
        name="path"
        label="Path in /workspace"
        placeholder="src/app.py"
        defaultValue={initial}
        maxLength={4000}
        autoCapitalize="none"
        spellCheck={false}
      />
    </Form>
  </Dialog>
);
