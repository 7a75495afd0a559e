import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { ChatCompletion, chatFields } from "./chat-fields";
import { originOf } from "./chat-origin";
import type { ChatBody } from "./chat-stages";
import { completionExample } from "./gateway.example";
import type { GatewayCtx } from "./gateway-ctx";

const { model, messages, max_completion_tokens, temperature, mode, project } = chatFields;

/** A whole answer for the dashboard's playground. Throws as `createChatCompletion` does. */
export const requestChatAnswer = operation({
  id: "requestChatAnswer",
  summary: "Answer a conversation in the playground",
  access: "gateway:write",
  input: z.strictObject({ model, messages, max_completion_tokens, temperature, mode, project }),
  output: ChatCompletion,
  example: {
    input: { model: "svc-echo", messages: [{ role: "user", content: "Hello" }] },
    output: completionExample,
  },
  run: async (ctx: GatewayCtx, { mode: asked, project: named, ...body }, options) => {
    const signal = options?.signal;
    const origin = await originOf(ctx, { mode: asked, project: named }, { signal });
    const { body: text } = await ctx.gateway.complete(body as ChatBody, origin);
    if (typeof text === "string") return ChatCompletion.parse(JSON.parse(text));
    throw new ServiceError("internal", "The answer is a stream.");
  },
});
