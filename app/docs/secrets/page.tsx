import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { REFERENCE, REVEAL, ROTATE, STORE } from "./examples";

export const metadata: Metadata = { title: "Secrets" };

export default function SecretsPage() {
  return (
    <DocsPage title="Secrets" lead="Passwords, tokens and keys: stored encrypted, with versions, and used by name.">
      <Start />
      <Places />
      <Versions />
      <Reading />
      <References />
      <LimitsSection of="secrets" rows={LIMITS} />
      <Encryption />
    </DocsPage>
  );
}

const Start = () => (
  <QuickStartSection scopes="secrets" note=", and store a value under a name:">
    <DocsCode label="Shell" code={STORE} language="bash" />
    <p>
      The response has the secret without its value. <Code>POST /v1/secrets</Code> does the same for a new name only,
      and takes an <Code>Idempotency-Key</Code>. A value in the body of a request is neither logged nor stored in clear;
      do not put one into a URL.
    </p>
  </QuickStartSection>
);

const Places = () => (
  <DocsSection id="places" title="Project or tenant">
    <p>
      A secret belongs to a project and a mode, so that only keys of that project and mode can use it. With{" "}
      <Code>&quot;tenant&quot;: true</Code> it belongs to the whole tenant: every project can use it in its mode. Where
      both have a secret of one name, the project&apos;s comes first. Storing and deleting never fall back to the other
      place: send <Code>tenant</Code> to mean the one of the tenant. Any key with <Code>secrets:write</Code> can change
      secrets of the tenant.
    </p>
  </DocsSection>
);

const Versions = () => (
  <DocsSection id="versions" title="Versions">
    <p>
      Every <Code>PUT</Code> stores a new version, also with the same value. The values of the last 10 versions are
      kept, older ones are erased. A reference always means the current version; a new one applies at the next use.
      Deleting a secret erases all its versions.
    </p>
  </DocsSection>
);

const Reading = () => (
  <DocsSection id="reading" title="Reading a value">
    <p>
      Only <Code>GET /v1/secrets/&#123;name&#125;/value</Code> returns a value, for keys with the scope{" "}
      <Code>secrets:reveal</Code> and for owners and admins; <Code>version</Code> chooses an older one. Every call is
      recorded in the audit log as <Code>secret.revealed</Code>, so clients must not repeat it on their own.
    </p>
    <DocsCode label="Shell" code={REVEAL} language="bash" />
    <p>
      Lists, events (<Code>secret.created</Code>, <Code>secret.updated</Code>, <Code>secret.deleted</Code>) and the
      audit log never contain values.
    </p>
  </DocsSection>
);

const References = () => (
  <DocsSection id="references" title="References">
    <p>
      Where svc accepts a reference in place of a value, name the secret. Today that is the <Code>api_key</Code> of an{" "}
      <DocsLink href="/docs/chat#upstreams">upstream for chat models</DocsLink> and <Code>env</Code> of a{" "}
      <DocsLink href="/docs/pods#environment">pod</DocsLink> or a{" "}
      <DocsLink href="/docs/functions#env">function</DocsLink>; because its value goes to an address or a program that
      you choose, naming one there requires the scope <Code>secrets:reveal</Code>.
    </p>
    <DocsCode label="Reference" code={REFERENCE} language="json" />
    <p>
      It means the secret of the project, or else of the tenant, in the same mode. The value is read at each use, so a
      new version applies at once; a name without a secret is the error 422 with the reason <Code>no_such_secret</Code>.
    </p>
  </DocsSection>
);

const LIMITS = [
  ["Value", "1 byte to 64 KiB of UTF-8 text without NUL characters"],
  ["Name", "1 to 128 characters of A-Z a-z 0-9 . _ -, not beginning with sct_"],
  ["Versions", "The last 10"],
  ["Secrets", "1,000 per tenant; your operator can raise it"],
] as const;

const Encryption = () => (
  <DocsSection id="encryption" title="Encryption and the master key">
    <p>
      Every version of a secret is encrypted with a random data key of its own (AES-256-GCM), and that with the master
      key, which svc derives from <Code>SVC_SECRET</Code> by HKDF and stores nowhere. Tenant, secret and version are
      authenticated with the value, so that rows of the database cannot be exchanged. A backup contains values only in
      encrypted form; with the embedded engines it also contains the generated secret.
    </p>
    <p>For operators: this creates a new version of the master key, also while svc runs.</p>
    <DocsCode label="Shell" code={ROTATE} language="bash" />
    <p>
      It encrypts every data key with the new version and retires the older ones; run it again if it was interrupted. It
      covers secrets only. <Code>SVC_SECRET</Code> itself must stay the same: master keys are derived from it, and it
      also encrypts signing secrets of webhooks, logins of feeds and the keys of session tokens.
    </p>
  </DocsSection>
);
