import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { withMarksOfExact, withNumbers } from "../../../kernel/relayed-json";
import { operation } from "../../cloud-operation";
import { CHAT_LIMITS, ModelName } from "./chat-fields";
import { originOf } from "./chat-origin";
import type { EmbeddingAsk } from "./echo-embedding";
import { embeddingExample } from "./gateway.example";
import type { GatewayCtx } from "./gateway-ctx";

/** The limits of OpenAI's API. */
const [INPUTS_MAX, TOKENS_MAX, DIMENSIONS_MAX] = [2048, 8192, 4096];

const tokens = z.array(z.int().min(0)).min(1).max(TOKENS_MAX);

const Embeddings = z
  .looseObject({
    object: z.literal("list"),
    data: z.array(
      z.looseObject({
        object: z.literal("embedding"),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
    simulated: z
      .boolean()
      .optional()
      .describe("True for vectors of `svc-echo` and `svc-echo-embedding`, which mean nothing"),
  })
  .meta({ id: "Embeddings" });

/** Returns vectors of texts. Throws as `createChatCompletion` does. */
export const createEmbedding = operation({
  id: "createEmbedding",
  summary: "Return vectors of texts",
  description:
    "The format of OpenAI's embeddings. With a test key the vectors are simulated by `svc-echo-embedding`: unit vectors that depend only on the text.",
  access: "gateway:write",
  errors: "openai",
  inputLimits: CHAT_LIMITS,
  relaysNumbers: true,
  input: z.looseObject({
    model: ModelName.meta({ examples: ["svc-echo-embedding"] }),
    input: z
      .union(
        [
          z.string().min(1),
          z.array(z.string().min(1)).min(1).max(INPUTS_MAX),
          tokens,
          z.array(tokens).min(1).max(INPUTS_MAX),
        ],
        `expected a text, a list of 1 to ${INPUTS_MAX} texts, or lists of tokens`,
      )
      .describe("One text, up to 2,048 texts, or the same as tokens"),
    dimensions: z.int().min(1).max(DIMENSIONS_MAX).nullish().describe("The number of components of each vector"),
    encoding_format: z.enum(["float", "base64"]).nullish().describe("`base64`: little-endian 32-bit floats"),
    ...ownerFields,
  }),
  output: Embeddings,
  example: {
    input: { model: "svc-echo-embedding", input: "Hello", dimensions: 2 },
    output: embeddingExample,
  },
  run: async (ctx: GatewayCtx, input, options) => {
    const signal = options?.signal;
    const { mode, project, input: texts, dimensions, ...rest } = input;
    const ask: EmbeddingAsk = { ...withMarksOfExact(rest), input: withNumbers(texts) };
    if (dimensions !== undefined) ask.dimensions = withNumbers(dimensions);
    return ctx.gateway.embed(ask, await originOf(ctx, { mode, project }, { signal }));
  },
});
