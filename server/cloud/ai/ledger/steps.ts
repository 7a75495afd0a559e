/** The steps between which a crash must neither lose nor repeat the bill of a request; tests stop the process at each. */
export type ChatStep =
  | "chat.begin_recorded"
  | "chat.begun"
  | "chat.answer_recorded"
  | "chat.outcome_recorded"
  | "chat.finished"
  | "chat.flushed";

/** Called at each step; does nothing in production. */
export type AtChatStep = (step: ChatStep) => void;

export const noChatStep: AtChatStep = () => undefined;
