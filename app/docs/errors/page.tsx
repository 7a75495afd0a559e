import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "Errors and retries" };

const BODY = `{
  "error": {
    "code": "invalid_request",
    "message": "limit: expected a number of at most 1000.",
    "request_id": "req_d8dcf73d39d4fddde53bd303",
    "param": "limit"
  }
}`;

const CODES = [
  ["400 invalid_request", "The request is not valid; param names the field. Change it, then send it again."],
  ["401 unauthorized", "The key or token is missing, wrong, expired or revoked."],
  ["403 forbidden", "The key or your role does not have the scope, or the key may not be used from this address."],
  ["404 not_found", "The resource does not exist, or it belongs to another tenant."],
  ["405 method_not_allowed", "The path supports other methods; see the Allow header."],
  ["409 conflict", "The current state does not allow it, or the same request is still running."],
  ["413 payload_too_large", "The body is too large."],
  ["415 unsupported_media_type", "Send application/json."],
  ["422 unprocessable", "The Idempotency-Key was used with another body."],
  ["429 rate_limited", "Too many requests: wait Retry-After seconds, then retry."],
  ["429 quota_exceeded", "A quota is exhausted. Do not retry: delete something, or ask for a higher limit."],
  ["500 internal", "An error on our side. Retry; if it persists, report the request ID."],
  ["503 unavailable", "A dependency is temporarily unavailable. Wait Retry-After seconds, then retry."],
] as const;

export default function ErrorsPage() {
  return (
    <DocsPage title="Errors and retries" lead="The error format, the error codes, and safe retries.">
      <DocsSection id="body" title="Error format">
        <p>
          All errors have this format, except those of the S3 endpoint, which are XML as S3&apos;s, and of the chat
          gateway, which are <DocsLink href="/docs/chat#errors">as OpenAI&apos;s</DocsLink>. <Code>param</Code>,{" "}
          <Code>retry_after</Code> and <Code>details</Code> are optional; <Code>details.reason</Code> is a more specific
          cause.
        </p>
        <DocsCode label="JSON" code={BODY} language="json" />
      </DocsSection>
      <DocsSection id="codes" title="Error codes">
        <Definitions label="Error codes" rows={CODES} />
      </DocsSection>
      <DocsSection id="text" title="Text and numbers">
        <p>
          Bodies, queries and paths are UTF-8. Other bytes are refused and never replaced: 400 with the reason{" "}
          <Code>not_utf8</Code> and, for a body, the <Code>offset</Code> of the first such byte. Texts have neither NUL
          nor half of a surrogate pair.
        </p>
        <p>
          A number that a double has not, such as an integer beyond 2<sup>53</sup>, is kept with all digits where any
          JSON is accepted, as in messages of queues; elsewhere it is refused by its field. Where a tool of MCP returns
          it as structured content, it is text.
        </p>
      </DocsSection>
      <DocsSection id="retries" title="Retries">
        <p>
          Retry 429 <Code>rate_limited</Code>, 500 and 503, and calls without a response. Wait <Code>Retry-After</Code>{" "}
          seconds if the header is present; otherwise use exponential backoff with jitter, so that your processes do not
          all retry at the same time.
        </p>
      </DocsSection>
      <DocsSection id="idempotency" title="Idempotency keys">
        <p>
          A POST that creates something accepts <Code>Idempotency-Key: &lt;uuid&gt;</Code>. Generate one per item, and
          send the same one with each retry. For 24 hours it returns the first response, with{" "}
          <Code>Idempotency-Replayed: true</Code>, and creates nothing new. Reusing it with another body or another API
          key returns 422; if the first request is still running, 409 with <Code>Retry-After</Code>. Responses with 404,
          409 and 422 are stored and returned as well; after any other error, correct the request and use the same key.
        </p>
      </DocsSection>
      <DocsSection id="request-ids" title="Request IDs">
        <p>
          Every response has an <Code>X-Request-ID</Code>. You can send your own (1 to 128 letters, digits, dots,
          underscores and hyphens); svc then uses it in the response and in its logs.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
