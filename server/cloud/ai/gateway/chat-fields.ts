import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import type { InputLimits } from "../../../kernel/bounded-input";
import { promptFields } from "../ledger/prompt-fields";

/** Pictures are sent within the body; embeddings take up to 300,000 tokens as numbers. */
export const CHAT_LIMITS: InputLimits = { depth: 64, nodes: 400_000, bytes: 20 * 1024 * 1024 };

const MESSAGES_MAX = 4096;
const CHOICES_MAX = 128;
/** More than any model's context. */
const TOKENS_MAX = 10_000_000;

export const ModelName = z
  .string()
  .min(1)
  .max(200)
  .describe("The name of a model of `GET /v1/models`; with test keys `svc-echo`")
  .meta({ examples: ["svc-echo"] });

const Role = z.enum(["developer", "system", "user", "assistant", "tool", "function"]);
const Part = z.looseObject({ type: z.string().describe("`text`, `image_url`, `input_audio`, `file` …") });
const Message = z
  .looseObject({
    role: Role,
    content: z.union([z.string(), z.array(Part), z.null()], "expected text, a list of parts, or null").optional(),
  })
  .meta({ id: "ChatMessage" });

const tokens = z.int().min(1).max(TOKENS_MAX).nullish();

/** The fields that svc itself uses; of the others an upstream of the operator gets some (`operator-account.ts`). */
export const chatFields = {
  model: ModelName,
  messages: z.array(Message).min(1).max(MESSAGES_MAX).describe("The conversation so far, oldest first"),
  stream: z.boolean().nullish().describe("Send the answer as server-sent events while it is written"),
  stream_options: z
    .looseObject({
      include_usage: z.boolean().nullish().describe("A last event before `[DONE]` has the tokens of the request"),
    })
    .nullish(),
  max_tokens: tokens.describe("At most this many tokens in the answer; newer models use `max_completion_tokens`"),
  max_completion_tokens: tokens.describe("At most this many tokens in the answer"),
  temperature: z.number().min(0).max(2).nullish(),
  n: z.int().min(1).max(CHOICES_MAX).nullish().describe("How many answers"),
  ...promptFields,
  ...ownerFields,
};

const Usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
});

/** An answer; fields of the upstream that are not named here are passed on. */
export const ChatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int().describe("Unix time in seconds"),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({ role: z.string(), content: z.string().nullish() }),
        finish_reason: z.string().nullable().describe("`stop`, `length`, `tool_calls`, `content_filter`"),
      }),
    ),
    usage: Usage.nullish(),
    simulated: z.boolean().optional().describe("True for answers of `svc-echo`, which no model wrote"),
  })
  .meta({ id: "ChatCompletion" });
