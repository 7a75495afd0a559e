/** What openai's clients receive: status, code, meaning. */
export const ERRORS = [
  [
    "400 invalid_request",
    "The request is not valid; param names the field. Some upstreams refuse a request like this.",
  ],
  ["400 context_length_exceeded", "The messages have far more tokens than the model reads."],
  ["401 invalid_api_key", "The platform key is missing, wrong, expired or revoked."],
  ["403 scope_missing", "The key does not have gateway:write."],
  ["404 model_not_found", "The key cannot use this model; GET /v1/models lists those that it can."],
  ["429 rate_limit_exceeded", "Too many requests, at svc or at the upstream. Wait Retry-After seconds, then retry."],
  ["429 budget_exceeded", "A budget does not allow the request. There is no Retry-After: the message names the time."],
  ["503 no_upstream", "Live mode has no upstream: add one, or use a test key."],
  ["503 upstream_failed", "The upstream failed or cannot be reached, and so did every other one of the model."],
  ["503 upstream_timeout", "The upstream did not begin to answer in time, or paused for too long."],
  ["503 upstream_unauthorized", "The upstream refused the key that is configured for it."],
  ["503 upstream_model_not_found", "The upstream has no such model: check upstream_name."],
  ["503 upstream_dimensions", "The model returns vectors of another length than dimensions asks for."],
  ["503 upstream_paused", "Every upstream of the model failed repeatedly and is paused. Retry shortly."],
] as const;

/** The fields of an upstream in the operators' file. */
export const FILE_FIELDS = [
  ["id", "1 to 40 characters of a-z 0-9 _ -, unique in the file; the log and x-svc-upstream show it."],
  ["base_url", "http or https, also a private address. /chat/completions and /embeddings are appended to it."],
  [
    "api_key_env",
    "The name of the environment variable with the key, which is sent as a bearer token. Without it, none is sent. A variable that is named and not set stops the start.",
  ],
  ["models[].name", "The name in requests to svc."],
  ["models[].upstream_name", "The name at the upstream; default: the same."],
  ["models[].kind", "chat (default) or embeddings."],
  [
    "models[].input_price, output_price",
    "For a million tokens of the prompt and of the answer, in SVC_CURRENCY, as text with at most 6 decimal places. input_price is required; output_price is 0 by default.",
  ],
  [
    "models[].context",
    "The context window in tokens. Prompts that are clearly longer are refused before they are sent.",
  ],
  ["priority", "0 (default) to 1000: lower numbers are used first."],
  ["weight", "Above 0, up to 1000 (default 1): the share of requests among upstreams of equal priority."],
  ["first_byte_timeout_ms", "How long an answer may take to begin: 100 to 3,600,000, default 300,000 (5 minutes)."],
  ["idle_timeout_ms", "The longest pause between two parts of an answer: the same range, default 60,000."],
  [
    "prompt_cache_field",
    "The field of chat requests that separates the upstream's prompt caches: cache_salt (vLLM), prompt_cache_key (OpenAI, and the default at api.openai.com) or none (the default elsewhere). svc sends a value of its own for each tenant in it, which no tenant knows. Name it only where the upstream accepts it.",
  ],
] as const;

/** What a request costs that did not end as planned. */
export const ENDINGS = [
  ["Answered", "The tokens that the upstream reports, at the price of the upstream that answered."],
  [
    "No usage reported",
    "svc counts the tokens itself (o200k_base, the encoding of newer models of OpenAI) and marks the request with estimated: true.",
  ],
  [
    "The client disconnects",
    "The upstream continues for up to 30 seconds or 4 MiB, because it bills what it writes. The request is cancelled, and costs what the upstream reports then, or else the tokens that were written, counted.",
  ],
  [
    "The upstream breaks off",
    "The stream ends with an event that has error, and without [DONE]. The request failed, and costs the tokens that were written, counted.",
  ],
  ["No upstream answers", "Nothing."],
  [
    "svc is killed",
    "Another process ends the request after about 30 seconds as cancelled, with error_code process_ended and estimated: true. It costs what had been streamed up to the last second or so; without a stream nothing.",
  ],
  ["From the cache", "Nothing."],
] as const;

/** The limits of the chat gateway, as people read them. */
export const LIMITS = [
  ["Request", "20 MiB, 4,096 messages, 128 answers (n), 2,048 texts for embeddings"],
  ["Answer", "64 MiB without a stream; a stream has no limit but the pauses of its upstream"],
  ["At once", "2,000 requests per tenant and process; beyond it 429"],
  ["Rate", "That of the key: 600 requests per minute unless your operator set another one"],
  ["Upstreams", "100 per tenant with 200 models each; your operator can raise the 100"],
  ["Budgets", "500 per tenant; your operator can raise it"],
  ["Log", "30 days; bodies up to 65,536 characters each"],
  ["Usage", "31 days per call, 5,000 rows"],
  ["Cache", "512 KiB per answer, 32 MiB per project and mode, 30 days; those not used for longest go first"],
  ["Offers", "1 to 8 per prompt"],
] as const;
