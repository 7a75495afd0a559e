import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { operation } from "../../cloud-operation";
import { ChatModel, toChatModel } from "./chat-model";
import { payerOf } from "./chat-origin";
import { modelExample } from "./gateway.example";
import type { GatewayCtx } from "./gateway-ctx";

/** Lists the models that a caller can use, by name. */
export const listChatModels = operation({
  id: "listChatModels",
  summary: "List the models that the key can use",
  access: "gateway:read",
  errors: "openai",
  input: z.strictObject(ownerFields),
  output: z.object({ object: z.literal("list"), data: z.array(ChatModel) }),
  example: { input: {}, output: { object: "list" as const, data: [modelExample] } },
  run: async (ctx: GatewayCtx, input) => {
    const models = await ctx.gateway.models(await payerOf(ctx, input));
    return { object: "list" as const, data: models.map(toChatModel) };
  },
});
