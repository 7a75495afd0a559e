/** What the documents say before their first operation. */
export const PLATFORM_GUIDE = `Management of an account and of its ads with platform keys.

**Authentication.** Send \`Authorization: Bearer <key>\` with every request: an API key (\`svc_live_…\` or \`svc_test_…\`), or the token of an hour that \`POST /v1/auth/login\` returns. A key works in its own mode, live or test. Each operation names the scope that it needs.

**Errors** have one body, \`{ "error": { "code", "message", "request_id", "param", "retry_after", "details" } }\`. Decide by \`code\`; \`message\` is for people. A known path with another method is answered 405 with \`Allow\`.

**Request ids.** Every answer carries \`X-Request-ID\`. Send your own (1 to 128 of \`A-Z a-z 0-9 . _ -\`) and it is used instead.

**Idempotency.** A POST that creates takes \`Idempotency-Key: <uuid>\`. For 24 hours the same key and body get the first answer again, with \`Idempotency-Replayed: true\`; another body is refused with 422, and a request that is still running with 409.

**Rate limits.** 600 requests a minute for a key, at most 1,000 in any minute. Bulk routes take 20 a minute. \`rate_limited\` comes with \`Retry-After\`: wait, then retry with backoff and jitter. \`quota_exceeded\` comes without: do not retry.

**Pages.** Lists answer \`{ "data": […], "next_cursor": "cur_…" }\`. Ask for the next page with \`cursor\`; on the last one \`next_cursor\` is null. \`limit\` is 100 by default and at most 1000. A cursor is good for 24 hours and for the same filters.

**Versions.** \`/v1\` is part of every path. Fields may be added to answers; nothing is removed or changes its meaning within a version.`;

export const OFFERS_GUIDE = `Contextually matched offers for a publisher's channel, with tracked clicks and impressions.

**Authentication.** Send \`X-SVC-API-Key\` with the key of a channel: \`svc_srv_…\` on servers, \`svc_pub_…\` in pages of the channel's origins. Orders are reported by advertisers with a platform key that has the scope \`ads:write\`.

**Errors** have one body, \`{ "error": { "code", "message", "request_id", "param", "retry_after", "details" } }\`. No match is no error: \`offers\` is empty then. A known path with another method is answered 405 with \`Allow\`.

**Request ids.** Every answer carries \`X-Request-ID\`, your own when you send one.`;
