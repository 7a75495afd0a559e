import type { CommandSyntax } from "../command-syntax";

export const CHAT_COMMAND: CommandSyntax = {
  noun: "chat",
  verb: "",
  scope: "gateway:write",
  summary: "Talk to a language model through the chat gateway",
  details: [
    "With a prompt, or with standard input that is not a terminal, one answer is printed as it arrives, and the tokens that it used on standard error. Otherwise a conversation begins; an empty line ends it.",
    "Ctrl-C stops an answer, and a second one leaves.",
  ],
  fields: [{ name: "prompt", in: "path", kind: "string", anyText: true }],
  flags: [
    {
      name: "model",
      kind: "string",
      description:
        "The name of a model; svc chat-models list shows them. Default: SVC_CHAT_MODEL, or the only one there is",
    },
    { name: "system", kind: "string", description: "The instruction that comes before the conversation" },
    { name: "max-tokens", kind: "integer", minimum: 1, description: "The maximum number of tokens of an answer" },
    { name: "temperature", kind: "number", minimum: 0, maximum: 2, description: "From 0 to 2" },
    { name: "json", kind: "boolean", description: "Print each event of the stream as a line of JSON" },
    { name: "quiet", kind: "boolean", description: "Do not print the tokens that were used" },
  ],
  example: 'svc chat "Explain idempotency keys in one sentence" --model svc-echo',
};
