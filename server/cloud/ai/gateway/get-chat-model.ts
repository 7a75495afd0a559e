import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { operation } from "../../cloud-operation";
import { ModelName } from "./chat-fields";
import { ChatModel, toChatModel } from "./chat-model";
import { payerOf } from "./chat-origin";
import { modelExample } from "./gateway.example";
import type { GatewayCtx } from "./gateway-ctx";
import { noSuchModel } from "./upstreams";

/** Returns a model that the caller can use. Throws `not_found` (reason `model_not_found`). */
export const getChatModel = operation({
  id: "getChatModel",
  summary: "Get a model",
  access: "gateway:read",
  errors: "openai",
  input: z.strictObject({ model: ModelName, ...ownerFields }),
  output: ChatModel,
  example: { input: { model: modelExample.id }, output: modelExample },
  run: async (ctx: GatewayCtx, { model: name, ...owner }) => {
    const models = await ctx.gateway.models(await payerOf(ctx, owner));
    const found = models.find((model) => model.name === name);
    if (!found) throw noSuchModel(name);
    return toChatModel(found);
  },
});
