import { describe, expect, it } from "vitest";
import { bodyFor, shownFrom } from "./operator-account";

const [OPERATOR, TENANT] = [{ owner: "operator" }, { owner: "tenant" }] as const;

const PLAIN = {
  model: "m",
  stream: true,
  stream_options: { include_usage: true },
  temperature: 0,
  top_p: 1,
  n: 1,
  stop: ["x"],
  messages: [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      name: "ada",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", detail: "low" } },
        { type: "file", file: { file_data: "data:text/plain;base64,AAAA", filename: "a.txt" } },
      ],
    },
    { role: "tool", tool_call_id: "1", content: "42" },
  ],
  tools: [{ type: "function", function: { name: "f", parameters: {} } }],
  tool_choice: "auto",
  response_format: { type: "json_object" },
  logprobs: true,
  user: "u",
};

const COSTLY = {
  service_tier: "priority",
  web_search_options: {},
  store: true,
  metadata: { a: "b" },
  modalities: ["audio"],
  prompt_cache_key: "others",
  prompt_cache_retention: "24h",
  prediction: {},
  plugins: [],
  extra_body: {},
  new: 1,
};

const withParts = (...content: object[]) => ({ model: "m", messages: [{ role: "user", content }] });

describe("the operator's upstream", () => {
  it("gets what shapes an answer as the client sent it", () => {
    expect(bodyFor(OPERATOR, PLAIN)).toEqual(PLAIN);
  });

  it("gets nothing that costs more, is kept, or is not known", () => {
    expect(bodyFor(OPERATOR, { ...PLAIN, ...COSTLY })).toEqual(PLAIN);
    const marked = { type: "text", text: "a", cache_control: { type: "ephemeral" } };
    const body = { model: "m", messages: [{ role: "user", content: [marked], audio: { id: "audio_1" } }] };
    expect(bodyFor(OPERATOR, body)).toEqual(withParts({ type: "text", text: "a" }));
  });

  it.each([
    ["messages[0].content[0].image_url.url", withParts({ type: "image_url", image_url: { url: "http://10.0.0.1/" } })],
    ["messages[0].content[0].image_url.url", withParts({ type: "image_url", image_url: "https://a.example/" })],
    [
      "messages[0].content[1].file",
      withParts({ type: "text", text: "" }, { type: "file", file: { file_id: "file-1" } }),
    ],
    ["messages[0].content[0].file", withParts({ type: "file", file: { file_data: "https://a.example/" } })],
    ["messages[0].content[0].type", withParts({ type: "video_url", video_url: { url: "https://a.example/" } })],
    ["tools[0].type", { model: "m", tools: [{ type: "web_search" }] }],
    ["tools[0].type", { model: "m", tools: [{ type: "mcp", server_url: "https://a.example/" }] }],
  ])("fetches and runs nothing for a client: %s (%#)", (param, body) => {
    const refusal = { code: "invalid_request", param };
    expect(() => bodyFor(OPERATOR, body)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ status: 400 }) }),
    );
    try {
      bodyFor(OPERATOR, body);
    } catch (failure) {
      expect((failure as { facts: { refusal: object } }).facts.refusal).toMatchObject(refusal);
    }
    expect(bodyFor(TENANT, body)).toBe(body);
  });

  it("tells nothing of what others asked", () => {
    const tokens = { prompt_tokens: 2000, completion_tokens: 1, total_tokens: 2001 };
    const details = { completion_tokens_details: { reasoning_tokens: 0 } };
    const counts = { prompt_tokens_details: { cached_tokens: 1920 }, prompt_cache_hit_tokens: 1920 };
    const came = { id: "c", choices: [], usage: { ...tokens, ...details, ...counts }, timings: { cache_n: 1920 } };
    expect(shownFrom(OPERATOR, came)).toEqual({ id: "c", choices: [], usage: { ...tokens, ...details } });
    expect(shownFrom(TENANT, came)).toBe(came);
    const plain = { id: "c", choices: [], usage: tokens };
    expect(shownFrom(OPERATOR, plain)).toBe(plain);
  });
});
