import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { BINDING_CALLS, BINDINGS, CODE, DEPLOY, KV_REST, SQL_CALLS, VARIABLES } from "./examples";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Edge functions" };

export default function EdgePage() {
  return (
    <DocsPage title="Edge functions" lead="JavaScript that responds to the HTTP requests of a host of its own.">
      <QuickStartSection scopes="edge">
        <QuickStart />
      </QuickStartSection>
      <Writing />
      <Publishing />
      <Bindings />
      <SqlDatabases />
      <Variables />
      <Hosts />
      <Logs />
      <Isolation />
      <LimitsSection of="edge functions" rows={LIMITS} />
    </DocsPage>
  );
}

const Writing = () => (
  <DocsSection id="code" title="Code">
    <p>
      The code is one JavaScript module (ECMAScript) whose default export is an object with{" "}
      <Code>fetch(request, env, ctx)</Code>. It receives a <Code>Request</Code> and returns a <Code>Response</Code> or a
      promise of one. <Code>ctx.waitUntil(promise)</Code> lets work continue after the response. It runs on workerd,
      with the APIs of the web such as <Code>fetch</Code>, streams and <Code>crypto.subtle</Code>.
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
      Creating an edge function, and changing its code, bindings or variables, stores a new version, the draft, which is
      loaded and tried with <Code>GET /</Code>. Code that does not load is 422 with the reason <Code>load_failed</Code>{" "}
      and the line. <Code>smoke</Code> of the record says how the draft responded: <Code>passed</Code> with any status,{" "}
      <Code>failed</Code> if it threw or did not end, and <Code>inconclusive</Code> if it failed after it called{" "}
      <Code>fetch</Code> or used an SQL database. A draft that is tried sends no requests, and what it writes to
      bindings has no effect.
    </p>
    <p>
      <Code>POST …/publish</Code> lets the draft serve. Every request that arrives after the response gets the new
      version, in all processes of svc; requests that had begun end with the version they began with. A draft that
      failed is 422 with the reason <Code>smoke_failed</Code>. <Code>POST …/restore</Code> goes back to one of the last
      50 versions, with the bindings and variables it had.
    </p>
  </DocsSection>
);

const Bindings = () => (
  <DocsSection id="bindings" title="Bindings">
    <p>
      Bindings give the code what it finds in <Code>env</Code>: KV namespaces, buckets, queues and SQL databases of its
      own project and mode, and nothing else. To give code a bucket, the caller needs <Code>storage:read</Code> and{" "}
      <Code>storage:write</Code>, and for a queue <Code>queues:write</Code>; so it does to change or publish code that
      has one. A KV namespace exists from the first <Code>put</Code>; functions that name the same one share it.
    </p>
    <DocsCode label="bindings" code={BINDINGS} language="json" />
    <DocsCode label="JavaScript" code={BINDING_CALLS} language="javascript" />
    <p>
      <Code>/v1/edge/kv/{"{namespace}"}/keys</Code> lists, reads, stores and deletes the keys of a namespace from
      outside, with the scopes <Code>edge:read</Code> and <Code>edge:write</Code>. Values that are no text are in base64
      there. A key in a path is percent-encoded, or in base64url with <Code>key_encoding</Code>, which keys such as{" "}
      <Code>..</Code> need, because clients take them out of paths. A cursor continues the list that returned it, for 24
      hours; any other one is refused.
    </p>
    <DocsCode label="Shell" code={KV_REST} language="bash" />
    <p>
      A call that fails throws a <Code>BindingError</Code>. A write is stored when its promise resolves, and every
      request that begins later reads it.
    </p>
  </DocsSection>
);

const SqlDatabases = () => (
  <DocsSection id="sql" title="SQL databases">
    <p>
      A binding of the type <Code>sql</Code> gives the code a PostgreSQL database of its own, which is created when a
      draft first names it; functions that name the same one share it. Statements are those of PostgreSQL with
      parameters <Code>$1</Code>, <Code>$2</Code>: <Code>SELECT</Code>, <Code>VALUES</Code>, <Code>WITH</Code>,{" "}
      <Code>INSERT</Code>, <Code>UPDATE</Code>, <Code>DELETE</Code>, <Code>MERGE</Code>, <Code>TRUNCATE</Code>, and{" "}
      <Code>CREATE</Code>, <Code>ALTER</Code> and <Code>DROP</Code> of tables, indexes and views. There are no triggers,
      stored functions, extensions and sessions; of the catalogs the code can read <Code>pg_class</Code>,{" "}
      <Code>pg_attribute</Code>, <Code>pg_type</Code> and <Code>pg_index</Code>.
    </p>
    <DocsCode label="JavaScript" code={SQL_CALLS} language="javascript" />
    <p>
      <Code>all()</Code> returns objects, in which the last of several columns of one name is left; <Code>raw()</Code>{" "}
      returns rows as arrays, with all columns, and <Code>{"raw({ columnNames: true })"}</Code> begins with their names.
    </p>
    <p>
      Each call is one transaction. Integers, floating-point numbers, booleans and JSON are returned as such,{" "}
      <Code>bytea</Code> as a <Code>Uint8Array</Code>, and everything else, such as <Code>numeric</Code>, dates and
      integers beyond 2<sup>53</sup>, as the text that PostgreSQL writes, also within JSON. A failed statement throws a{" "}
      <Code>BindingError</Code> with PostgreSQL&apos;s message and SQLSTATE. A draft that is tried only reads; what it
      would change has no effect.
    </p>
    <p>
      A database lives while a stored version of an edge function binds it, and is deleted 7 days after the last one is
      gone. It is on the PostgreSQL server of svc, with a role that may use nothing else. If that server cannot keep
      tenants apart, because svc is no superuser there or its processes have no limit of memory, a draft with such a
      binding is 503 with the reason <Code>no_sql_databases</Code>. Backups of svc do not contain these databases: after
      a restore an update of the draft creates an empty one.
    </p>
  </DocsSection>
);

const Variables = () => (
  <DocsSection id="variables" title="Variables and secrets">
    <p>
      <Code>env</Code> of an edge function gives its code texts, and <DocsLink href="/docs/secrets">secrets</DocsLink>{" "}
      by their name, for which the caller needs <Code>secrets:reveal</Code>; so it does to change or publish code that
      has one. Variables belong to a version, like bindings, and have other names. A secret is resolved at each request,
      so that the next request after a change gets the new value; without it the request fails with the reason{" "}
      <Code>no_such_secret</Code>. Values of secrets are left out of the logs, but not of responses.
    </p>
    <DocsCode label="env" code={VARIABLES} language="json" />
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
      A body is sent as the code made it: <Code>Content-Encoding</Code> is kept with{" "}
      <Code>{'encodeBody: "manual"'}</Code>, and left out otherwise, because the body is not compressed. svc sets{" "}
      <Code>Content-Length</Code> and <Code>Transfer-Encoding</Code>; of a response to HEAD and a 304 the code can state
      the length of the body that is not sent.
    </p>
    <p>
      The code receives the headers of the request, except those of the connection and of proxies, and{" "}
      <Code>X-Forwarded-For</Code>, <Code>X-Forwarded-Proto</Code> and <Code>X-Request-ID</Code> from svc. Cookies of
      svc do not reach it, and the <Code>Domain</Code> of a cookie that it sets is left out. Scripts of pages can still
      set cookies for the whole domain unless it is on the public suffix list, which is for your operator; name cookies{" "}
      <Code>__Host-…</Code>, which no other host can set. If the code fails, the client gets an error with the ID of the
      request and without details, as JSON if it accepts that: 500, 504 after 30 seconds, 503 if edge functions cannot
      run or too many bodies arrive at once, 429 for too many requests, 413 for a body of more than 10 MiB, 408 for one
      that takes longer than 5 seconds and one more for each 16 KiB.
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
  [
    "At once",
    "100 requests per function in each process of svc, 64 per client address unless the operator sets CONNECTIONS_PER_ADDRESS; beyond it 429",
  ],
  [
    "Bodies",
    "Those that are in memory in a process of svc take 256 MiB. One function gets at most half of what is free and one client address a quarter; bodies of up to 64 KiB have an eighth of their own. Beyond it 503 with Retry-After",
  ],
  [
    "Processes",
    "Each project and mode with requests needs one; a tenant gets no more than half of those that are free. Its other projects wait up to 10 seconds, and then it alone gets 503 with Retry-After",
  ],
  ["Responses", "100 MiB"],
  ["Time", "30 seconds for a request, its response and what it waits for; 5 seconds when a draft is tried"],
  ["Bindings", "50 per function"],
  ["KV", "Keys of 512 bytes, values of 1 MiB, 100,000 keys and 100 MiB per namespace, 20 namespaces per tenant"],
  ["Objects", "10 MiB per object; larger ones by presigned URL"],
  ["Queues", "256 KiB per message, 100 messages per batch"],
  [
    "SQL",
    "64 MiB and 200 tables, indexes, sequences and views per database, 10 databases per tenant; 5 seconds per statement, 8 per call, 100 statements per batch, of which 20 may create, alter, drop or truncate something; replies of 4 MiB and 50,000 rows; 2 calls at once per tenant and process of svc, others wait 5 seconds; a statement that PostgreSQL cannot cancel, such as a search in very long text, counts until it has ended",
  ],
  ["Variables", "100 per version, 64 KiB in all"],
  ["Versions", "The last 50, and the published one"],
  ["Edge functions", "1,000 per tenant; your operator can raise it"],
] as const;
