import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsPage, DocsSection, Meanings } from "../docs-text";

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
  ["403 forbidden", "The key or your role lacks the scope, or the key may not be used from this address."],
  ["404 not_found", "There is no such thing, or it belongs to somebody else."],
  ["405 method_not_allowed", "The path takes other methods; Allow names them."],
  ["409 conflict", "The state does not allow it, or the same request is still running."],
  ["413 payload_too_large", "The body is too large."],
  ["415 unsupported_media_type", "Send application/json."],
  ["422 unprocessable", "The Idempotency-Key belongs to another body."],
  ["429 rate_limited", "Too fast: wait Retry-After seconds, then retry."],
  ["429 quota_exceeded", "A limit is used up. Do not retry: free something, or have the limit lifted."],
  ["500 internal", "A failure on our side. Retry; if it stays, quote the request id."],
  ["503 unavailable", "An engine is away for a moment. Wait Retry-After seconds, then retry."],
] as const;

export default function ErrorsPage() {
  return (
    <DocsPage title="Errors and retries" lead="One body, one list of codes, and how to repeat safely.">
      <DocsSection id="body" title="The body">
        <p>
          Every refusal looks like this. <Code>param</Code>, <Code>retry_after</Code> and <Code>details</Code> are there
          when they help; <Code>details.reason</Code> is a narrower cause.
        </p>
        <CodeBlock label="JSON" code={BODY} />
      </DocsSection>
      <DocsSection id="codes" title="The codes">
        <Meanings label="Error codes" rows={CODES} />
      </DocsSection>
      <DocsSection id="retries" title="Retry">
        <p>
          Retry 429 <Code>rate_limited</Code>, 500 and 503, and calls that got no answer. Wait <Code>Retry-After</Code>{" "}
          seconds where it is given, otherwise double the pause each time and add some chance, so that your processes do
          not return together.
        </p>
      </DocsSection>
      <DocsSection id="idempotency" title="Idempotency keys">
        <p>
          A POST that creates takes <Code>Idempotency-Key: &lt;uuid&gt;</Code>. Make one for each thing you want to
          create, and send the same one with each retry. For 24 hours it brings back the first answer, with{" "}
          <Code>Idempotency-Replayed: true</Code>, and creates nothing new. Another body or another API key under it is
          422; a first request that is still running is 409 with <Code>Retry-After</Code>. Refusals with 404, 409 and
          422 are answers too and come back; after any other, correct the request and use the same key.
        </p>
      </DocsSection>
      <DocsSection id="request-ids" title="Request ids">
        <p>
          Every answer carries <Code>X-Request-ID</Code>. Send your own, 1 to 128 of letters, digits, dot, underscore
          and hyphen, and we use that one, in our logs too.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
