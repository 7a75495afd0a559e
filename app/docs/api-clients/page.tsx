import type { Metadata } from "next";
import { Call } from "../call";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";

export const metadata: Metadata = { title: "For API clients" };

export default function ApiClientsPage() {
  return (
    <DocsPage title="For API clients" lead="From a key to your first channel in four calls.">
      <DocsSection id="key" title="1. Get a key">
        <p>
          Create a platform key on the dashboard&apos;s <DocsLink href="/account/api-keys">API keys</DocsLink>, with the
          scopes <Code>ads:read</Code> and <Code>ads:write</Code>. Use a test key for this page: what it creates is
          neither billed nor served.
        </p>
        <KeyField kind="platform" />
      </DocsSection>
      <DocsSection id="whoami" title="2. Check the key">
        <p>
          Send the key in the <Code>Authorization</Code> header of every call.
        </p>
        <Call title="Get the calling tenant" call="GET /v1/tenants/me" />
      </DocsSection>
      <CreateSection />
      <ReadSection />
      <FailSection />
      <MoreSection />
    </DocsPage>
  );
}

const CreateSection = () => (
  <DocsSection id="create" title="3. Create a channel">
    <p>
      A POST that creates something accepts an <Code>Idempotency-Key</Code>, a UUID that you generate. Send the same key
      again after a timeout, and you get the first response instead of a second channel. Run this twice: the ID stays
      the same.
    </p>
    <Call
      title="Create a channel"
      call="POST /v1/ads/channels"
      isIdempotent
      body={{ name: "Quick start", origins: ["https://example.com"] }}
      saveAs={["id", "channel_id"]}
    />
  </DocsSection>
);

const ReadSection = () => (
  <DocsSection id="read" title="4. Read it back">
    <Call title="Get the channel" call="GET /v1/ads/channels/<channel_id>" />
    <Call title="List channels" call="GET /v1/ads/channels?limit=2" />
    <p>
      When <Code>next_cursor</Code> is not null, there are more items: send it as <Code>cursor</Code>.
    </p>
  </DocsSection>
);

const FailSection = () => (
  <DocsSection id="fail" title="5. Handle errors">
    <p>
      All errors have the same format. Use <Code>code</Code> in your program, show <Code>message</Code> to people, and
      include <Code>request_id</Code> when you ask for help.
    </p>
    <Call title="Exceed a limit" call="GET /v1/ads/channels?limit=5000" />
  </DocsSection>
);

const MoreSection = () => (
  <DocsSection id="more" title="Next steps">
    <p>
      Every operation, with its scope and an example, is in the{" "}
      <DocsLink href="/docs/reference/platform">reference of the platform API</DocsLink>. The OpenAPI documents:{" "}
      <a className="text-primary underline underline-offset-4" href="/v1/openapi.json">
        /v1/openapi.json
      </a>{" "}
      and{" "}
      <a className="text-primary underline underline-offset-4" href="/api/v1/openapi.json">
        /api/v1/openapi.json
      </a>
      . A typed TypeScript client and a command line, <Code>svc</Code>, are in the folder <Code>sdk</Code> of the
      source.
    </p>
  </DocsSection>
);
