import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { exampleId } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { findResource } from "../../core/records/find-resource";
import { noSuchResource } from "../../core/records/resource";
import { resourceChoice } from "../../core/resources/resource-fields";
import { chatBodyOf } from "../gateway/chat-body";
import { CHAT_LIMITS, ChatCompletion, chatFields, ModelName } from "../gateway/chat-fields";
import { originOf } from "../gateway/chat-origin";
import { completionExample } from "../gateway/gateway.example";
import { modelNameOf } from "./endpoint-spec";
import type { InferenceCtx } from "./inference-ctx";

const CHUNKS =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n';

const { mode: _mode, project: _project, ...fields } = chatFields;

/**
 * Answers a conversation with the model of an inference endpoint, as the chat gateway does. Throws `not_found`,
 * `rate_limited` (`endpoint_queue_full`) and `unavailable` (`endpoint_not_ready`, and reasons that begin with `upstream_`).
 */
export const createInferenceCompletion = operation({
  id: "createInferenceCompletion",
  summary: "Answer a conversation with the model of an inference endpoint",
  description:
    "The format of OpenAI's chat completions: OpenAI's client libraries work with `base_url` set to `observed.url` of the endpoint. It is the same as `POST /v1/chat/completions` with the model `inference/<name>`. A request to an endpoint without a ready replica waits for one, up to 4 minutes, with at most 100 others.",
  access: "gateway:write",
  errors: "openai",
  mayStream: CHUNKS,
  inputLimits: CHAT_LIMITS,
  relaysNumbers: true,
  input: z.looseObject({
    ...resourceChoice,
    ...fields,
    model: ModelName.optional().describe("Ignored: an endpoint has one model"),
  }),
  output: ChatCompletion,
  example: {
    input: { rid: exampleId("res"), messages: [{ role: "user" as const, content: "Hello" }] },
    output: { ...completionExample, model: "inference/assistant" },
  },
  run: async (ctx: ActorCtx & Pick<InferenceCtx, "gateway">, { rid, ...body }, options) => {
    // Read first: it is created on demand, and would otherwise miss a client that disconnects meanwhile.
    const signal = options?.signal;
    const row = await findResource(ctx, { rid, services: [{ plane: "gpuc", service: "inference" }], right: "checked" });
    if (row.state === "placeholder") throw noSuchResource(rid);
    const owner = { mode: row.mode, project: row.projectId };
    return ctx.gateway.complete(
      chatBodyOf({ ...body, model: modelNameOf(row.name) }),
      await originOf(ctx, owner, { signal }),
    );
  },
});
