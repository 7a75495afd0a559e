import { EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { ChatUpstream } from "./chat-upstream";

export const chatUpstreamExample: ChatUpstream = {
  id: exampleId("ups"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "openai",
  base_url: "https://api.openai.com/v1",
  api_key: { secret: "openai-key" },
  models: [
    {
      name: "gpt-4o-mini",
      upstream_name: "gpt-4o-mini",
      kind: "chat",
      input_price: "0.15",
      output_price: "0.60",
      context: 128_000,
    },
  ],
  weight: 1,
  priority: 0,
  ...EXAMPLE_TIMES,
};
