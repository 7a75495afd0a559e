import type { AnswerChunk } from "./answer-events";

/** One message of the person and the answer of one model. */
export interface Turn {
  id: string;
  question: string;
  answer: string;
  state: "running" | "done" | "stopped" | "failed";
  failure?: string;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** From sending to the first text, and to the end. */
  firstMs?: number;
  totalMs?: number;
  /** Why the model ended, such as "length". */
  finish?: string;
  isSimulated: boolean;
}

export interface Column {
  id: string;
  /** Empty: the first model of the list. */
  model: string;
  turns: Turn[];
}

let made = 0;
/** Unique on the page. */
const newId = (): string => String(made++);

export const newColumn = (model: string): Column => ({ id: newId(), model, turns: [] });

export const newTurn = (question: string): Turn => ({
  id: newId(),
  question,
  answer: "",
  state: "running",
  isSimulated: false,
});

/** The turn with what a chunk adds, `ms` after it was sent. */
export function withChunk(turn: Turn, { choices, usage, simulated, error }: AnswerChunk, ms: number): Turn {
  if (error) return { ...turn, state: "failed", failure: error.message };
  const text = choices?.[0]?.delta?.content ?? "";
  const finish = choices?.[0]?.finish_reason;
  return {
    ...turn,
    answer: turn.answer + text,
    isSimulated: turn.isSimulated || simulated === true,
    ...(turn.firstMs === undefined && text !== "" && { firstMs: ms }),
    ...(usage && { usage: { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens } }),
    ...(finish && { finish }),
  };
}

type ChatMessage = {
  role: "system" | "user" | "assistant";
  content: string;
};

/** What is sent with a new question: turns that failed are not repeated. */
export const messagesOf = (system: string, turns: readonly Turn[], question: string): ChatMessage[] => [
  ...(system.trim() === "" ? [] : [{ role: "system" as const, content: system }]),
  ...turns
    .filter(({ state, answer }) => state !== "failed" && answer !== "")
    .flatMap((turn): ChatMessage[] => [
      { role: "user", content: turn.question },
      { role: "assistant", content: turn.answer },
    ]),
  { role: "user", content: question },
];
