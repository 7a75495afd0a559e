/** The introductions of the OpenAPI documents. */
export const PLATFORM_GUIDE = `Management of an account and of its ads with platform keys.

**Authentication.** Send \`Authorization: Bearer <key>\` with every request: an API key (\`svc_live_…\` or \`svc_test_…\`), or the session token that \`POST /v1/auth/login\` returns, which is valid for an hour. A key has one mode, live or test. Each operation names the scope that it requires.

**Errors** have one body, \`{ "error": { "code", "message", "request_id", "param", "retry_after", "details" } }\`. Programs should use \`code\`; \`message\` is for people. A known path with another method returns 405 with \`Allow\`.

**Request ids.** Every response has an \`X-Request-ID\`. It is your own if you send one (1 to 128 characters of \`A-Z a-z 0-9 . _ -\`).

**Idempotency.** A POST that creates a resource accepts \`Idempotency-Key: <uuid>\`. For 24 hours the same key and body return the first response, with \`Idempotency-Replayed: true\`. Another body fails with 422, and a retry while the first request is still running with 409.

**Rate limits.** 600 requests per minute and key, at most 1,000 in any minute. Bulk routes allow 20 per minute. \`rate_limited\` has \`Retry-After\`: wait, then retry with backoff and jitter. \`quota_exceeded\` has none: do not retry.

**Pages.** Lists return \`{ "data": […], "next_cursor": "cur_…" }\`. Request the next page with \`cursor\`; on the last page \`next_cursor\` is null. \`limit\` is 100 by default and at most 1000. A cursor is valid for 24 hours and only with the same filters.

**Versions.** \`/v1\` is part of every path. Within a version, fields may be added to responses; nothing is removed or changes its meaning.`;

export const OFFERS_GUIDE = `Contextually matched offers for a publisher's channel, with tracked clicks and impressions.

**Authentication.** Send \`X-SVC-API-Key\` with the key of a channel: \`svc_srv_…\` on servers, \`svc_pub_…\` in pages of the channel's origins. Orders are reported by advertisers with a platform key that has the scope \`ads:write\`.

**Errors** have one body, \`{ "error": { "code", "message", "request_id", "param", "retry_after", "details" } }\`. If nothing matches, \`offers\` is empty; that is not an error. A known path with another method returns 405 with \`Allow\`.

**Request ids.** Every response has an \`X-Request-ID\`, which is your own if you send one.`;
