import type { ReactNode } from "react";
import { Dialog } from "../../components/ui/dialog";
import type { DialogState } from "./noun-list";
import { useMode } from "./shell/mode";

interface CreateDialogProps extends DialogState {
  /** What is created, such as "an edge function". */
  what: string;
  description: string;
  className?: string;
  children: ReactNode;
}

/** A dialog that creates something in the mode of the page. */
export function CreateDialog({ what, ...dialog }: CreateDialogProps) {
  const { mode } = useMode();
  return <Dialog title={`Create ${what} in ${mode} mode`} {...dialog} />;
}
