import type { Metadata } from "next";
import { Code, DocsPage, DocsSection, Meanings, To } from "../docs-text";

export const metadata: Metadata = { title: "Keys, scopes and modes" };

export default function KeysPage() {
  return (
    <DocsPage title="Keys, scopes and modes" lead="What a key may do, and how it stops.">
      <DocsSection id="kinds" title="Kinds of keys">
        <Meanings
          label="Kinds of keys"
          rows={[
            ["svc_live_… svc_test_…", "A platform key of a project, for /v1: Authorization: Bearer <key>."],
            ["svc_srv_…", "A channel's key for servers, for /api/v1: X-SVC-API-Key. Keep it secret."],
            ["svc_pub_…", "A channel's key for pages. It works from the channel's origins alone, so it may be read."],
            [
              "Session token",
              "An hour of a person's own rights, from POST /v1/auth/login. For browsers, not for code.",
            ],
          ]}
        />
        <p>A key is shown once, when it is made. We keep a hash of it and cannot show it again.</p>
      </DocsSection>
      <DocsSection id="scopes" title="Scopes">
        <p>
          A platform key has a list of scopes such as <Code>ads:read</Code>. Each operation names the one that it needs;
          without it the answer is 403 <Code>forbidden</Code>. A key may also have an end date and a list of addresses
          from which it works. The keys that it makes have no scope beyond its own, end no later and work from no other
          addresses.
        </p>
      </DocsSection>
      <DocsSection id="rotation" title="Rotate and revoke">
        <p>
          Rotating gives a key a new secret under the same id. The old one stops at once, or after the{" "}
          <Code>grace_seconds</Code> that you ask for, 0 to 86,400 (a day). What is revoked or replaced is refused
          within a second or so in every process, within 30 seconds at the very most. Both are on the{" "}
          <To href="/api-keys">dashboard</To> and in the <To href="/docs/reference/platform">API</To>.
        </p>
      </DocsSection>
      <DocsSection id="modes" title="Live and test">
        <p>
          Channels, campaigns and platform keys are in one of two modes. A key sees its own mode alone and gives it to
          what it creates. In test mode everything works as in live mode, but nothing is billed, and test offers never
          appear on live channels.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
