import { z } from "zod";
import type { ListedModel } from "./upstreams";

/** OpenAI's clients expect a time; models of upstreams have none that is known here. */
const CREATED = 1_700_000_000;

/** A model in OpenAI's format. */
export const ChatModel = z
  .object({
    id: z.string().describe("The name for `model` in requests"),
    object: z.literal("model"),
    created: z.int().describe("Unix time in seconds"),
    owned_by: z
      .string()
      .describe("`svc` for simulated models, `tenant` for those of your own upstreams, or `operator`"),
    kind: z.enum(["chat", "embeddings"]).describe("Which of the two calls the model is for"),
  })
  .meta({ id: "ChatModel" });
export type ChatModel = z.output<typeof ChatModel>;

export const toChatModel = ({ name, kind, owner }: ListedModel): ChatModel => ({
  id: name,
  object: "model",
  created: CREATED,
  owned_by: owner,
  kind,
});
