const PYTHON_TEXT = (url: string) => `from openai import OpenAI

# The key is in OPENAI_API_KEY.
client = OpenAI(base_url="${url}/v1")

answer = client.chat.completions.create(
    model="svc-echo",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)

stream = client.chat.completions.create(
    model="svc-echo",
    messages=[{"role": "user", "content": "Hello, stream"}],
    stream=True,
    stream_options={"include_usage": True},
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    elif chunk.usage:
        print(f"\\n{chunk.usage.total_tokens} tokens")`;

const NODE_TEXT = (url: string) => `import OpenAI from "openai";

// The key is in OPENAI_API_KEY.
const client = new OpenAI({ baseURL: "${url}/v1" });

const answer = await client.chat.completions.create({
  model: "svc-echo",
  messages: [{ role: "user", content: "Hello" }],
});
console.log(answer.choices[0].message.content);

const stream = await client.chat.completions.create({
  model: "svc-echo",
  messages: [{ role: "user", content: "Hello, stream" }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const { choices, usage } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? "");
  if (usage) console.log(\`\\n\${usage.total_tokens} tokens\`);
}`;

/** Calls with OpenAI's own client libraries at this installation. */
export const clientExamples = (publicUrl: string) => ({ python: PYTHON_TEXT(publicUrl), node: NODE_TEXT(publicUrl) });

export const KEY_SHELL = `export OPENAI_API_KEY=svc_test_…`;

export const STREAM = `curl -sN "$SVC_URL/v1/chat/completions" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{"model":"svc-echo","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`;

export const BUDGET_EXCEEDED = `{
  "error": {
    "message": "The budget \\"Support bot\\" of this project does not allow this request: …",
    "type": "insufficient_quota",
    "param": null,
    "code": "budget_exceeded",
    "request_id": "req_d8dcf73d39d4fddde53bd303"
  }
}`;

export const OWN_UPSTREAM = `printf %s "$OPENAI_KEY" | svc secrets put OPENAI_KEY

curl -s "$SVC_URL/v1/gateway/upstreams" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{
    "name": "openai",
    "base_url": "https://api.openai.com/v1",
    "api_key": { "secret": "OPENAI_KEY" },
    "models": [
      { "name": "gpt-4o-mini", "input_price": "0.15", "output_price": "0.60" },
      { "name": "text-embedding-3-small", "kind": "embeddings", "input_price": "0.02" }
    ]
  }'`;

/** A file for CHAT_UPSTREAMS. */
export const UPSTREAMS_FILE = `{
  "upstreams": [
    {
      "id": "openai",
      "base_url": "https://api.openai.com/v1",
      "api_key_env": "OPENAI_KEY",
      "models": [
        {
          "name": "small",
          "upstream_name": "gpt-4o-mini",
          "input_price": "0.15",
          "output_price": "0.60",
          "context": 128000
        },
        { "name": "vectors", "upstream_name": "text-embedding-3-small", "kind": "embeddings", "input_price": "0.02" }
      ]
    },
    {
      "id": "own-server",
      "base_url": "http://10.0.0.7:8000/v1",
      "priority": 1,
      "first_byte_timeout_ms": 20000,
      "models": [{ "name": "small", "upstream_name": "Qwen/Qwen3-8B", "input_price": "0" }]
    }
  ]
}`;

export const UPSTREAMS_START = "CHAT_UPSTREAMS=/etc/svc/upstreams.json OPENAI_KEY=sk-… npm start";

export const SETTINGS = `curl -s -X PATCH "$SVC_URL/v1/gateway/settings" \\
  -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" \\
  -d '{"stores_bodies":true,"cache_seconds":600}'`;

export const CACHED = `{
  "model": "svc-echo",
  "messages": [{ "role": "user", "content": "What is an idempotency key?" }],
  "svc_cache": { "seconds": 86400 }
}`;

export const OFFERS = `{
  "model": "small",
  "messages": [{ "role": "user", "content": "Which wireless headphones are good for flights?" }],
  "svc_offers": { "channel_id": "chn_…", "limit": 2, "user_id": "…" }
}`;

export const OFFERS_ANSWER = `"svc_offers": [
  { "id": "01a20ab2-…", "click_url": "https://svc.example/api/v1/clicks/01a20ab2-…", "mentioned": true },
  { "id": "01a20ab3-…", "click_url": "https://svc.example/api/v1/clicks/01a20ab3-…", "mentioned": false }
]`;

export const COMMAND_LINE = `svc chat-models list
svc chat "Explain idempotency keys in one sentence" --model svc-echo
svc chat --model svc-echo --system "Answer in French" < question.txt
svc chat-budgets list
svc chat-usage get --group-by day,model
svc chat-requests list --status failed --limit 20`;
