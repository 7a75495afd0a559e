import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { readUpstreams } from "./read-upstreams";

const dir = fileFolder("svc-upstreams-");
const file = path.join(dir, "upstreams.json");

const MODEL = { name: "m", input_price: "2.50", output_price: "10" };
const MAIN = { id: "main", base_url: "https://api.example/v1/", models: [MODEL] };
const read = async (content: unknown, env = {}) => {
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return readUpstreams(file, env);
};

it("reads upstreams with prices per token and the key of the environment", async () => {
  const upstreams = await read({ upstreams: [{ ...MAIN, api_key_env: "KEY", weight: 2 }] }, { KEY: "sk-1" });
  expect(upstreams).toMatchObject([
    {
      id: "main",
      owner: "operator",
      baseUrl: "https://api.example/v1",
      apiKey: "sk-1",
      weight: 2,
      priority: 0,
      models: [{ name: "m", upstreamName: "m", kind: "chat", price: { inputNanos: 2500, outputNanos: 10_000 } }],
    },
  ]);
});

it("knows the field that separates the prompt caches of tenants from the file, and of OpenAI", async () => {
  const openai = { ...MAIN, id: "openai", base_url: "https://api.openai.com/v1" };
  const upstreams = await read({
    upstreams: [
      MAIN,
      { ...MAIN, id: "vllm", prompt_cache_field: "cache_salt" },
      openai,
      { ...openai, id: "without", prompt_cache_field: "none" },
    ],
  });
  const fields = [undefined, "cache_salt", "prompt_cache_key", undefined];
  expect(upstreams.map(({ cacheField }) => cacheField)).toEqual(fields);
});

it.each<[string, unknown, RegExp]>([
  ["no JSON", "{", /not valid JSON; it has the form \{ "upstreams": \[ … \] \}/],
  ["a list", [], /the file: /],
  ["an unknown field", { upstreams: [{ ...MAIN, url: "x" }] }, /upstreams\.0: .*url/],
  ["a wrong URL", { upstreams: [{ ...MAIN, base_url: "api.example" }] }, /upstreams\.0\.base_url: expected a URL/],
  [
    "a price as a number",
    { upstreams: [{ ...MAIN, models: [{ ...MODEL, input_price: 1 }] }] },
    /models\.0\.input_price: /,
  ],
  ["a wrong field", { upstreams: [{ ...MAIN, prompt_cache_field: "salt" }] }, /upstreams\.0\.prompt_cache_field: /],
  ["an id twice", { upstreams: [MAIN, MAIN] }, /two upstreams have the id "main"/],
  ["a model twice", { upstreams: [{ ...MAIN, models: [MODEL, MODEL] }] }, /has the model "m" twice/],
  ["a key that is not set", { upstreams: [{ ...MAIN, api_key_env: "NONE" }] }, /NONE, which is not set/],
  ["a key with a line break", { upstreams: [{ ...MAIN, api_key_env: "BROKEN" }] }, /BROKEN has spaces or other/],
])("says what is wrong with %s, and never a key", async (_, content, expected) => {
  const failure = await read(content, { BROKEN: "sk-1\nx" }).catch((cause: unknown) => cause);
  expect((failure as Error).message).toMatch(expected);
  expect((failure as Error).message).toContain(`CHAT_UPSTREAMS (${file})`);
  expect((failure as Error).message).not.toContain("sk-1");
});

it("says so when the file cannot be read", () => {
  expect(() => readUpstreams(path.join(dir, "none.json"), {})).toThrowError(/cannot be read/);
});
