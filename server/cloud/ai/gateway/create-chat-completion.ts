import { z } from "zod";
import { operation } from "../../cloud-operation";
import { chatBodyOf } from "./chat-body";
import { CHAT_LIMITS, ChatCompletion, chatFields } from "./chat-fields";
import { originOf } from "./chat-origin";
import { completionExample } from "./gateway.example";
import type { GatewayCtx } from "./gateway-ctx";

const CHUNKS =
  'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n';

/**
 * Answers a conversation with a model. Fields that svc does not know are passed to an upstream of the tenant. Throws `not_found`
 * (reason `model_not_found`), `quota_exceeded` (`budget_exceeded`), `rate_limited`, and `unavailable` (`no_upstream`,
 * and reasons that begin with `upstream_`).
 */
export const createChatCompletion = operation({
  id: "createChatCompletion",
  summary: "Answer a conversation with a model",
  description:
    "The format of OpenAI's chat completions: OpenAI's client libraries work with `base_url` set to this server's `/v1`. Fields that are not listed here are passed to an upstream of your own as they are. An upstream of the installation gets those of OpenAI that only shape the answer, such as `tools`, `response_format`, `logprobs`, `top_p` and `stop`; others, such as `store`, `service_tier` and `web_search_options`, are left out, pictures and files must be in the body, and of its usage the tokens are shown, but not which of them it had cached. With `stream: true` the answer comes as server-sent events, each with a `chat.completion.chunk` and the last one with `[DONE]`; when the upstream fails in the middle, the last event has `error` and there is no `[DONE]`. A client that disconnects pays for what the model had written. With a test key the answer is simulated by `svc-echo`, which repeats the last message. Errors have OpenAI's form `{ error: { message, type, param, code, request_id } }`.",
  access: "gateway:write",
  takesLong: true,
  errors: "openai",
  mayStream: CHUNKS,
  inputLimits: CHAT_LIMITS,
  relaysNumbers: true,
  input: z.looseObject(chatFields),
  output: ChatCompletion,
  example: {
    input: { model: "svc-echo", messages: [{ role: "user", content: "Hello" }] },
    output: completionExample,
  },
  run: async (ctx: GatewayCtx, input, options) => {
    // Read first: it is created on demand, and would otherwise miss a client that disconnects meanwhile.
    const signal = options?.signal;
    const { mode, project } = input;
    return ctx.gateway.complete(chatBodyOf(input), await originOf(ctx, { mode, project }, { signal }));
  },
});
