import type { Metadata } from "next";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "Keys, scopes and modes" };

export default function KeysPage() {
  return (
    <DocsPage title="Keys, scopes and modes" lead="What a key can do, and how to rotate and revoke it.">
      <DocsSection id="kinds" title="Kinds of keys">
        <Definitions
          label="Kinds of keys"
          rows={[
            ["svc_live_… svc_test_…", "A platform key of a project, for /v1: Authorization: Bearer <key>."],
            ["svc_srv_…", "A channel's key for servers, for /api/v1: X-SVC-API-Key. Keep it secret."],
            ["svc_pub_…", "A channel's key for pages. It works only from the channel's origins, so it can be public."],
            [
              "Session token",
              "The user's own permissions for an hour, from POST /v1/auth/login. For browsers, not for code.",
            ],
          ]}
        />
        <p>
          Platform keys and server keys are secret. They are shown once, when they are created: svc stores only their
          hashes. Browser keys are public: the channel&rsquo;s page always shows them in full.
        </p>
      </DocsSection>
      <DocsSection id="scopes" title="Scopes">
        <p>
          A platform key has a list of scopes such as <Code>ads:read</Code>. Each operation requires one scope; without
          it the response is 403 <Code>forbidden</Code>. A key can also have an expiry date and a list of allowed
          addresses. Keys that it creates cannot have more scopes, a later expiry or other addresses.
        </p>
      </DocsSection>
      <DocsSection id="rotation" title="Rotate and revoke">
        <p>
          Rotating gives a key a new secret under the same ID. The old secret stops working immediately, or after the{" "}
          <Code>grace_seconds</Code> that you set, 0 to 86,400 (a day). Every process rejects a revoked or replaced
          secret within about a second, and always within 30 seconds. You can rotate and revoke keys on the{" "}
          <DocsLink href="/account/api-keys">dashboard</DocsLink> and in the{" "}
          <DocsLink href="/docs/reference/platform">API</DocsLink>.
        </p>
      </DocsSection>
      <DocsSection id="modes" title="Live and test">
        <p>
          Channels, campaigns and platform keys are in one of two modes. A key can only access its own mode, and what it
          creates has that mode. Test mode works like live mode, but nothing is billed, and test offers never appear on
          live channels.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
