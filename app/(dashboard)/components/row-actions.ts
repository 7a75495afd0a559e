import { Archive, Ban, type LucideIcon, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Question } from "../../components/ui/confirm";
import type { RowAction } from "../../components/ui/row-menu";

interface Asked {
  /** What it is, such as "campaign". */
  noun: string;
  /** What it is called in the question; default: "the campaign". */
  name?: string;
  /** What will be lost, and whether it can be undone. */
  consequence: ReactNode;
}

/** Whether to do something with a thing, such as "Archive Spring sale?". */
export const questionOf = (verb: string, { noun, name = `the ${noun}`, consequence }: Asked): Question => ({
  title: `${verb} ${name}?`,
  consequence,
  action: `${verb} ${noun}`,
});

/** Deletes what a row shows, after a question. */
export const deleteAction = (question: Question, onConfirm: () => Promise<unknown>): RowAction => ({
  label: "Delete",
  icon: Trash2,
  question,
  onConfirm,
});

type AskedAction = Asked & { onConfirm: () => Promise<unknown> };

const asking =
  (verb: string, icon: LucideIcon) =>
  ({ onConfirm, ...asked }: AskedAction): RowAction => ({
    label: verb,
    icon,
    question: questionOf(verb, asked),
    onConfirm,
  });

/** Archives what a row shows, after a question. */
export const archiveAction = asking("Archive", Archive);
/** Revokes what a row shows, which cannot be undone, after a question. */
export const revokeAction = asking("Revoke", Ban);
export const cancelAction = asking("Cancel", Ban);
