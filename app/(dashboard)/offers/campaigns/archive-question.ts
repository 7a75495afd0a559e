import type { Question } from "../../../components/ui/confirm";

export const archiveQuestion = (name: string): Question => ({
  title: `Archive ${name}?`,
  consequence: "It stops serving immediately and disappears from all lists. You can undo this for 10 seconds.",
  action: "Archive campaign",
});
