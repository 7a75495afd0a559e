import type { ChatModel } from "./chat-model";

export const completionExample = {
  id: "chatcmpl-6fd1c8a2b0e94d7f9a3c5e1b7d2f4",
  object: "chat.completion" as const,
  created: 1_700_000_000,
  model: "svc-echo",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
  simulated: true,
};

export const embeddingExample = {
  object: "list" as const,
  data: [{ object: "embedding" as const, index: 0, embedding: [0.6, 0.8] }],
  model: "svc-echo-embedding",
  usage: { prompt_tokens: 1, total_tokens: 1 },
  simulated: true,
};

export const modelExample: ChatModel = {
  id: "svc-echo",
  object: "model",
  created: 1_700_000_000,
  owned_by: "svc",
  kind: "chat",
};
