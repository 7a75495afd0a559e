import { extraTool, tool } from "../../../operation/tool";
import { createChatCompletion } from "./create-chat-completion";
import { listChatModels } from "./list-chat-models";

export const gatewayTools = [
  tool("svc_gateway_chat model*:s messages*:a temperature:n max_tokens:i", createChatCompletion, {
    description:
      "Answers a conversation with a model, in the format of OpenAI's chat completions. svc_gateway_models_list names the models. With a test key the answer is simulated by svc-echo, which repeats the last message.",
    notes: { model: "", "messages.*.content.*.*.type": "", max_tokens: "" },
  }),
  extraTool("svc_gateway_models_list", listChatModels, { without: ["mode", "project"] }),
];
