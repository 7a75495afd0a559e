/** The steps between which a crash must neither lose nor repeat the bill of a request; tests stop the process at each. */
export type ChatStep =
  | "chat.begin_noted"
  | "chat.begun"
  | "chat.answer_noted"
  | "chat.outcome_noted"
  | "chat.settled"
  | "chat.flushed";

/** Called at each step; does nothing in production. */
export type AtChatStep = (step: ChatStep) => void;

export const noChatStep: AtChatStep = () => undefined;
