import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { BINDING_CALLS, BINDINGS, CODE, DEPLOY } from "./examples";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Edge functions" };

export default function EdgePage() {
  return (
    <DocsPage title="Edge functions" lead="JavaScript that responds to the HTTP requests of a host of its own.">
      <DocsSection id="start" title="Quick start">
        <p>
          Create a platform key on the dashboard&apos;s <DocsLink href="/account/api-keys">API keys</DocsLink> with the
          scopes <Code>edge:read</Code> and <Code>edge:write</Code>.
        </p>
        <KeyField kind="platform" />
        <QuickStart newId={randomUUID} />
      </DocsSection>
      <Writing />
      <Publishing />
      <Bindings />
      <Hosts />
      <Logs />
      <Isolation />
      <DocsSection id="limits" title="Limits">
        <Definitions label="Limits of edge functions" rows={LIMITS} />
      </DocsSection>
    </DocsPage>
  );
}

const Writing = () => (
  <DocsSection id="code" title="Code">
    <p>
      The code is one JavaScript module (ECMAScript) whose default export is an object with{" "}
      <Code>fetch(request, env, ctx)</Code>. It receives a <Code>Request</Code> and returns a <Code>Response</Code> or a
      promise of one. <Code>ctx.waitUntil(promise)</Code> lets work go on after the response. It runs on workerd, with
      the APIs of the web such as <Code>fetch</Code>, streams and <Code>crypto.subtle</Code>.
    </p>
    <DocsCode label="JavaScript" code={CODE} language="javascript" />
    <DocsCode label="Shell" code={DEPLOY} language="bash" />
    <p>
      A body of a response is sent as it becomes ready, so that server-sent events work; it is sent as the code wrote
      it, without <Code>Content-Encoding</Code>. WebSockets are refused with 501.
    </p>
  </DocsSection>
);

const Publishing = () => (
  <DocsSection id="versions" title="Drafts and versions">
    <p>
      Creating an edge function, and changing its code or bindings, stores a new version, the draft, which is loaded and
      tried with <Code>GET /</Code>. Code that does not load is 422 with the reason <Code>load_failed</Code> and the
      line. <Code>smoke</Code> of the record says how the draft responded: <Code>passed</Code> with any status,{" "}
      <Code>failed</Code> if it threw or did not end, and <Code>inconclusive</Code> if it failed after it called{" "}
      <Code>fetch</Code>. A draft that is tried sends no requests, and what it writes to bindings has no effect.
    </p>
    <p>
      <Code>POST …/publish</Code> lets the draft serve. Every request that arrives after the response gets the new
      version, in all processes of svc; requests that had begun end with the version they began with. A draft that
      failed is 422 with the reason <Code>smoke_failed</Code>. <Code>POST …/restore</Code> goes back to one of the last
      50 versions, with the bindings it had.
    </p>
  </DocsSection>
);

const Bindings = () => (
  <DocsSection id="bindings" title="Bindings">
    <p>
      Bindings give the code what it finds in <Code>env</Code>: KV namespaces, buckets and queues of its own project and
      mode, and nothing else. To give code a bucket, the caller needs <Code>storage:read</Code> and{" "}
      <Code>storage:write</Code>, and for a queue <Code>queues:write</Code>; so it does to change or publish code that
      has one. A KV namespace exists from the first <Code>put</Code>; functions that name the same one share it.
    </p>
    <DocsCode label="bindings" code={BINDINGS} language="json" />
    <DocsCode label="JavaScript" code={BINDING_CALLS} language="javascript" />
    <p>
      A call that fails throws a <Code>BindingError</Code>. A write is stored when its promise resolves, and every
      request that begins later reads it.
    </p>
  </DocsSection>
);

const Hosts = () => (
  <DocsSection id="hosts" title="Hosts">
    <p>
      <Code>url</Code> has the host: the name, random characters, and the domain that your operator set as{" "}
      <Code>EDGE_DOMAIN</Code>. It never changes. An installation without the domain that is not on localhost publishes
      nothing: <Code>url</Code> is null, and <Code>POST …/publish</Code> is 503 with the reason{" "}
      <Code>no_edge_domain</Code>. With an installation on localhost, browsers and curl resolve{" "}
      <Code>….edge.localhost</Code> themselves; other clients connect to localhost and send it as <Code>Host</Code>.
    </p>
    <p>
      The code receives the headers of the request, except those of the connection and of proxies, and{" "}
      <Code>X-Forwarded-For</Code>, <Code>X-Forwarded-Proto</Code> and <Code>X-Request-ID</Code> from svc. Cookies of
      svc do not reach it, and the <Code>Domain</Code> of a cookie that it sets is left out. If the code fails, the
      client gets an error with the ID of the request and without details, as JSON if it accepts that: 500, 504 after 30
      seconds, 503 if edge functions cannot run, 429 for too many requests, 413 for a body of more than 10 MiB.
    </p>
  </DocsSection>
);

const Logs = () => (
  <DocsSection id="logs" title="Logs">
    <p>
      <Code>GET …/logs</Code> has the requests, without their query, what the code printed with <Code>console</Code>,
      and its errors with their stack, about half a second after they happened. With <Code>follow=true</Code> new lines
      are sent as server-sent events. The last 1,000 lines of a day are kept; of more than 1,000 lines in a minute the
      others are left out.
    </p>
  </DocsSection>
);

const Isolation = () => (
  <DocsSection id="isolation" title="Isolation">
    <p>
      The edge functions of a project and mode share one process of workerd, each version with a heap of its own; other
      projects have other processes, and so have <DocsLink href="/docs/functions#isolation">functions</DocsLink>. A
      process has no files and no network but svc&apos;s proxy, which reaches public addresses by HTTP and HTTPS. Code
      that computes for more than 1.5 seconds without a pause, or uses too much memory, ends the process: requests that
      had not begun are repeated in a new one, others fail.
    </p>
  </DocsSection>
);

const LIMITS = [
  ["Code", "1 MiB of UTF-8 text, one module"],
  ["Requests", "1,000 a second on average and 2,000 at once per function; bodies of 10 MiB"],
  ["At once", "100 requests per function in each process of svc; beyond it 429"],
  ["Responses", "100 MiB"],
  ["Time", "30 seconds for a request, its response and what it waits for; 5 seconds when a draft is tried"],
  ["Bindings", "50 per function"],
  ["KV", "Keys of 512 bytes, values of 1 MiB, 100,000 keys and 100 MiB per namespace, 20 namespaces per tenant"],
  ["Objects", "10 MiB per object; larger ones by presigned URL"],
  ["Queues", "256 KiB per message, 100 messages per batch"],
  ["Versions", "The last 50, and the published one"],
  ["Edge functions", "1,000 per tenant; your operator can raise it"],
] as const;
