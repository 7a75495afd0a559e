import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { exampleId } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findResource } from "../../core/records/find-resource";
import { resourceChoice } from "../../core/resources/resource-fields";
import { ChatModel, toChatModel } from "../gateway/chat-model";
import { modelNameOf } from "./endpoint-spec";

const modelOf = (name: string): ChatModel => toChatModel({ name: modelNameOf(name), kind: "chat", owner: "tenant" });

/** The model of an inference endpoint, as a list. Throws `not_found`. */
export const listInferenceModels = operation({
  id: "listInferenceModels",
  summary: "List the model of an inference endpoint",
  access: "gateway:read",
  errors: "openai",
  input: z.strictObject(resourceChoice),
  output: z.object({ object: z.literal("list"), data: z.array(ChatModel) }),
  example: {
    input: { rid: exampleId("res") },
    output: { object: "list" as const, data: [modelOf("assistant")] },
  },
  run: async (ctx: ActorCtx, { rid }) => {
    const { name } = await findResource(ctx, {
      rid,
      services: [{ plane: "gpuc", service: "inference" }],
      right: "checked",
    });
    return { object: "list" as const, data: [modelOf(name)] };
  },
});
