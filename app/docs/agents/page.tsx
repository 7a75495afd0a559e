import type { Metadata } from "next";
import { Fragment } from "react";
import { surfaces } from "../../../server/surfaces";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { LimitsSection } from "../usual-sections";
import { CALL, CLAUDE_CODE, CONFIGURATION, IDEMPOTENT, SCHEMA, TASK, TASK_RESULT } from "./examples";

export const metadata: Metadata = { title: "Agents" };

export default function AgentsPage() {
  return (
    <DocsPage
      title="Agents"
      lead="Agents operate svc through the Model Context Protocol, with the rights of an API key."
    >
      <Connect />
      <Tools />
      <Choice />
      <Calls />
      <Tasks />
      <DocsSection id="prompts" title="Prompts and resources">
        <p>Besides tools the endpoint offers prompts, which clients show as commands, and resources to read:</p>
        <Definitions label="Prompts and resources" rows={PROMPTS_AND_RESOURCES} />
        <p>
          <Code>completion/complete</Code> completes ids, GPU models and names of tools. With the revision 2026-07-28 a
          client can wait for changes: <Code>subscriptions/listen</Code> with <Code>resourceSubscriptions</Code> keeps a
          stream open that names each of these objects when an event about it is written, and <Code>svc://events</Code>{" "}
          with every event. Other resources are left out of the acknowledgment. Older revisions have{" "}
          <Code>resources/subscribe</Code>, which needs a session with a stream: the endpoint has no sessions, does not
          declare it, and clients of these revisions read resources again instead.
        </p>
      </DocsSection>
      <LimitsSection of="the endpoint" rows={LIMITS} />
      <Protocol />
    </DocsPage>
  );
}

const Connect = () => (
  <DocsSection id="connect" title="Connect a client">
    <p>
      Create a key on <DocsLink href="/account/api-keys">API keys</DocsLink> with the scopes that the agent needs, and
      nothing more: it gets only the tools of its scopes. Begin with a test key, with which nothing is charged, GPUs are
      simulated and chat answers come from <Code>svc-echo</Code>.
    </p>
    <KeyField kind="platform" />
    <DocsCode label="Claude Code" code={CLAUDE_CODE} language="bash" />
    <p>Most other clients read a file like this one:</p>
    <DocsCode label="mcp.json" code={CONFIGURATION} language="json" />
    <p>
      A key is a password: keep it in the client&apos;s own store where it has one, and revoke it when the agent is no
      longer used. Everything that an agent changes is in the audit log under its key.
    </p>
  </DocsSection>
);

/** The tools of one scope belong together. */
function Tools() {
  const { agentTools } = surfaces();
  return (
    <DocsSection id="tools" title="Tools">
      <p>
        Every tool runs the same operation as the REST API, with the same checks, limits and records. The list has only
        tools that work. Those marked with * are extensions of svc.
      </p>
      <Definitions
        label="Tools"
        rows={agentTools.map(({ name, title, scope, isBeyondSpecification }) => [
          `${name}${isBeyondSpecification ? " *" : ""}`,
          <span key={name}>
            {title} (<Code>{scope}</Code>)
          </span>,
        ])}
      />
    </DocsSection>
  );
}

/** Less to read for a model, and less that it can do. */
function Choice() {
  const toolsets = [...new Set(surfaces().agentTools.map(({ toolset }) => toolset))].sort();
  return (
    <DocsSection id="toolsets" title="Fewer tools, and their schemas">
      <p>
        A list has what a model needs to make a call: one or two sentences about a tool, and the names, types, choices
        and bounds of its arguments. The address of the endpoint can choose fewer tools; those that it does not choose
        cannot be called there:
      </p>
      <Definitions label="Addresses" rows={ADDRESSES} />
      <p>
        The headers <Code>X-SVC-Toolsets</Code> and <Code>X-SVC-Readonly: true</Code>, and <Code>?toolsets=</Code>, do
        the same; of what is chosen several times, the common part counts. An unknown name is refused with the valid
        ones:{" "}
        {toolsets.map((name, at) => (
          <Fragment key={name}>
            {at > 0 && ", "}
            <Code>{name}</Code>
          </Fragment>
        ))}
        .
      </p>
      <p>
        Schemas of results, all sentences, and the constraints of texts and arrays are in the list of{" "}
        <Code>/v1/mcp?schemas=full</Code>, with which clients check each <Code>structuredContent</Code>. For one tool
        they are the resource <Code>svc://tools/&#123;name&#125;/schema</Code>:
      </p>
      <DocsCode label="Shell" code={SCHEMA} language="bash" />
      <p>
        The constraints apply in either case: an argument that breaks one is an error with its name and what was
        expected.
      </p>
    </DocsSection>
  );
}

const Calls = () => (
  <DocsSection id="calls" title="Calls and errors">
    <DocsCode label="Shell" code={CALL} language="bash" />
    <p>
      A result has the operation&apos;s response twice: as <Code>structuredContent</Code>, which matches the tool&apos;s{" "}
      <a href="#toolsets">output schema</a>, and as text. Wrong arguments, missing scopes and exceeded limits are
      results with <Code>isError</Code>, so that the model can read and correct them: the text names the argument and
      what was expected, and <Code>_meta[&quot;svc/error&quot;]</Code> has the{" "}
      <DocsLink href="/docs/errors">error</DocsLink> with its code. Only an unknown tool or method is an error of the
      protocol.
    </p>
    <p>
      The page <DocsLink href="/cloud/agents">Agents</DocsLink> of the dashboard and{" "}
      <Code>GET /v1/usage/tool-calls</Code> show the last calls with their key, duration and error, without arguments
      and results.
    </p>
    <p>
      Tools that create something take an idempotency key: a call with the same key and arguments within 24 hours
      returns the first result and creates nothing. Send it in <Code>_meta</Code>, or as the header{" "}
      <Code>Idempotency-Key</Code>.
    </p>
    <DocsCode label="Parameters of tools/call" code={IDEMPOTENT} language="json" />
    <p>
      With a log level, in <Code>_meta</Code> of a request or set by <Code>logging/setLevel</Code> in older revisions, a
      call also sends log messages: its begin, its end, and its refusal, each with the request id.
    </p>
    <p>
      A client that sends a <Code>progressToken</Code> receives a notification per second while a call runs. Closing the
      request cancels it: a program that <Code>svc_pods_exec</Code>, <Code>svc_sandbox_create</Code> or{" "}
      <Code>svc_sandbox_exec</Code> started is ended.
    </p>
  </DocsSection>
);

/** Calls that continue without their request. */
function Tasks() {
  const able = surfaces().agentTools.filter(({ mayBeTask }) => mayBeTask);
  return (
    <DocsSection id="tasks" title="Tasks">
      <p>
        A call that takes long can run in the background: the client gets a task at once, can leave, and asks for the
        result later, also after a restart of svc and from another process of it. The call is the same otherwise: it has
        the rights of its key, counts against the same limits, and is in the audit log.
      </p>
      <Definitions label="Tasks by revision" rows={TASKS_BY_REVISION} />
      <DocsCode label="Begin a task" code={TASK} language="bash" />
      <DocsCode label="Its result, when it has ended" code={TASK_RESULT} language="bash" />
      <p>
        Keys of the same project and mode see a task if their scopes allow its tool; for any other key it does not
        exist. A task can be cancelled: programs that it runs and waits of it are ended, and an operation that cannot be
        interrupted continues to its end while the task stays cancelled. When a process of svc ends in the middle of a
        task, such as by <Code>kill -9</Code>, the task has failed within 20 seconds with the reason{" "}
        <Code>task_lost</Code>: svc cannot know whether the call had finished. With an idempotency key it can be called
        again and creates nothing twice.
      </p>
      <p>
        Tasks never ask for input, and svc sends no notifications about them: ask for their state every two seconds, or
        wait for the result. These tools can run as tasks:{" "}
        {able.map(({ name }, at) => (
          <Fragment key={name}>
            {at > 0 && ", "}
            <Code>{name}</Code>
          </Fragment>
        ))}
        .
      </p>
    </DocsSection>
  );
}

const Protocol = () => (
  <DocsSection id="protocol" title="Protocol">
    <p>
      <Code>POST /v1/mcp</Code> is Streamable HTTP without sessions, and supports the revisions 2025-03-26 to
      2026-07-28. Lists are the same until svc is upgraded or the scopes of the key change, and may be cached for five
      minutes. The manifest with every tool is at <Code>GET /v1/mcp/manifest.json</Code> and{" "}
      <Code>/.well-known/mcp.json</Code>, without a key. Requests of pages on other sites are refused.
    </p>
  </DocsSection>
);

const ADDRESSES = [
  ["/v1/mcp", "Every tool of the key's scopes"],
  ["/v1/mcp/x/pods,storage", "Only tools of these toolsets"],
  ["/v1/mcp/readonly", "Only tools that change nothing"],
  ["/v1/mcp/x/pods/readonly", "Both"],
] as const;

const TASKS_BY_REVISION = [
  [
    "2025-11-25",
    "The client asks for a task with task in the parameters of tools/call, with a ttl in milliseconds if it likes. Lists mark tools that can with execution.taskSupport. tasks/get, tasks/result (waits for the end), tasks/list, tasks/cancel. A result that is an error of the tool is a failed task.",
  ],
  [
    "2026-07-28",
    "The extension io.modelcontextprotocol/tasks: to a client that declares it svc answers a call that takes longer than a second with a task, and any other with its result. tasks/get, with the result in it, tasks/update, tasks/cancel.",
  ],
  ["Older", "No tasks: task in the parameters of a call is ignored"],
] as const;

const PROMPTS_AND_RESOURCES = [
  ["deploy_model", "Choose a GPU, estimate price and wait, create the pod and follow it until it runs"],
  ["find_why_pod_is_pending", "What a pod waits for, and what would make it run sooner"],
  ["explain_campaign", "Why a campaign does not serve, and the smallest change that fixes it"],
  ["svc://quotas", "Limits of the tenant, and how much of them is used"],
  ["svc://gpu-pools", "GPU models by region: capacity and prices"],
  ["svc://usage", "What was used this month, and what it costs"],
  ["svc://events", "The latest events"],
  ["svc://event-kinds", "Kinds of events that webhooks receive"],
  ["svc://pods/{id}, svc://sandboxes/{id}, svc://campaigns/{id}", "One of these objects, with its status"],
  ["svc://tools/{name}/schema", "All constraints of a tool's arguments, and the schema of its result"],
] as const;

const LIMITS = [
  ["Calls of tools", "300 per minute, key and scope; half of the requests per minute where those were raised"],
  ["Other requests", "Count against the requests per minute of the key"],
  ["Body of a request", "2 MiB; arguments as the operation of the tool allows"],
  [
    "Batch",
    "20 messages, which run one after the other and count one by one; a message that would begin after 4 MiB of results is refused and not run",
  ],
  ["Tools per page", "100"],
  ["Streams of changes", "20 per tenant, with 100 resources each"],
  [
    "Tasks",
    "20 at once per tenant and process, and 1,000 with those that have ended; kept for an hour from their begin, or for the ttl of one minute to 24 hours; a call that still runs then is ended",
  ],
  ["Results of tasks", "4 MiB each; no task begins while those of a tenant have more than 64 MiB"],
  ["Waits for the end of a task", "20 per tenant and process"],
] as const;
