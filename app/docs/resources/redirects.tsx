import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsSection } from "../docs-text";

/** Redirects of the service `cdn` of the plane `edge`. */
export const Redirects = () => (
  <DocsSection id="redirects" title="Redirects">
    <p>
      A resource of the service <Code>cdn</Code> of the plane <Code>edge</Code> with the kind <Code>redirect</Code> has
      a host of its own below the domain of <DocsLink href="/docs/edge">edge functions</DocsLink>: each request to it
      gets <Code>status</Code> (301, 302, 307 or 308) with <Code>target</Code> as its <Code>Location</Code>. The path of
      the request is added to that of the target, and its query to the query of the target, unless{" "}
      <Code>keep_path</Code> or <Code>keep_query</Code> is false; the path never leaves that of the target. A change is
      effective everywhere when the resource is <Code>ready</Code> again: each process of svc responds so from then on,
      and after a deletion none does. That is also true of a permanent redirect, as responses have{" "}
      <Code>Cache-Control: no-store</Code>. Without <Code>target</Code> the resource is a placeholder with the reason{" "}
      <Code>target_missing</Code>.
    </p>
    <DocsCode label="POST /v1/resources" code={EXAMPLE} language="json" />
  </DocsSection>
);

const EXAMPLE = `{
  "plane": "edge",
  "service": "cdn",
  "kind": "redirect",
  "name": "old-docs",
  "spec": { "target": "https://new.example/docs", "status": 301 }
}`;
