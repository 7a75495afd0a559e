import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { Code, DocsPage, DocsSection, To } from "../docs-text";
import { KeyField } from "../key-field";
import { Snippet } from "../snippet";

export const metadata: Metadata = { title: "For API clients" };

export default function ApiClientsPage() {
  return (
    <DocsPage title="For API clients" lead="From a key to your first channel in four calls.">
      <DocsSection id="key" title="1. Get a key">
        <p>
          Create a platform key on the dashboard&apos;s <To href="/api-keys">API keys</To>, with the scopes{" "}
          <Code>ads:read</Code> and <Code>ads:write</Code>. A test key is best for this page: what it makes is neither
          billed nor served.
        </p>
        <KeyField kind="platform" />
      </DocsSection>
      <DocsSection id="whoami" title="2. See who you are">
        <p>
          The key goes into the header <Code>Authorization</Code> of every call.
        </p>
        <Snippet title="Get the calling tenant" request={{ method: "GET", path: "/v1/tenants/me", key: "platform" }} />
      </DocsSection>
      <DocsSection id="create" title="3. Create something">
        <p>
          A POST that creates takes an <Code>Idempotency-Key</Code>, a UUID that you make. Send the same one again after
          a time-out, and you get the first answer instead of a second channel: run this twice, and the id stays.
        </p>
        <Snippet
          title="Create a channel"
          request={{
            method: "POST",
            path: "/v1/ads/channels",
            key: "platform",
            idempotencyKey: randomUUID(),
            body: { name: "Quick start", origins: ["https://example.com"] },
          }}
          keep={["id", "channel_id"]}
        />
      </DocsSection>
      <DocsSection id="read" title="4. Read it back">
        <Snippet
          title="Get the channel"
          request={{ method: "GET", path: "/v1/ads/channels/<channel_id>", key: "platform" }}
        />
        <Snippet title="List channels" request={{ method: "GET", path: "/v1/ads/channels?limit=2", key: "platform" }} />
        <p>
          When <Code>next_cursor</Code> is not null, there is more: send it as <Code>cursor</Code>.
        </p>
      </DocsSection>
      <DocsSection id="fail" title="5. Fail once, on purpose">
        <p>
          Every refusal has one body. Decide by <Code>code</Code>, show <Code>message</Code> to people, quote{" "}
          <Code>request_id</Code> when you ask for help.
        </p>
        <Snippet
          title="Ask for too much"
          request={{ method: "GET", path: "/v1/ads/channels?limit=5000", key: "platform" }}
        />
      </DocsSection>
      <DocsSection id="more" title="Where to go on">
        <p>
          Every operation, with its scope and an example, is in the{" "}
          <To href="/docs/reference/platform">reference of the platform API</To>. The same as documents for tools:{" "}
          <a className="text-primary underline underline-offset-4" href="/v1/openapi.json">
            /v1/openapi.json
          </a>{" "}
          and{" "}
          <a className="text-primary underline underline-offset-4" href="/api/v1/openapi.json">
            /api/v1/openapi.json
          </a>
          . A typed client for TypeScript and a command line, <Code>svc</Code>, come with the source of svc, in the
          folder <Code>sdk</Code>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
