import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { CODE, DEPLOY, ENV, PYTHON, SCHEDULE } from "./examples";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Functions" };

export default function FunctionsPage() {
  return (
    <DocsPage title="Functions" lead="JavaScript or Python that runs when it is called, without a server of your own.">
      <QuickStartSection scopes="functions">
        <QuickStart />
      </QuickStartSection>
      <Writing />
      <Pods />
      <Versions />
      <Invocations />
      <Schedules />
      <Variables />
      <Isolation />
      <Prices />
      <LimitsSection of="functions" rows={LIMITS} />
    </DocsPage>
  );
}

const Writing = () => (
  <DocsSection id="code" title="Code">
    <p>
      The code is one module, by default JavaScript (ECMAScript). The export that <Code>handler</Code> names, by default{" "}
      <Code>default</Code>, is called with the payload and a context: <Code>env</Code>, <Code>invocation_id</Code>,{" "}
      <Code>function</Code> (its name), <Code>version</Code>, <Code>attempt</Code> and <Code>scheduled_at</Code>. What
      it returns, or what its promise resolves to, is the result; it must be a JSON value. Numbers that JavaScript has
      not, such as integers beyond 2<sup>53</sup>, are refused in a payload; Python reads all integers, and results keep
      all digits.
    </p>
    <DocsCode label="JavaScript" code={CODE} language="javascript" />
    <p>
      It runs on workerd, with the APIs of the web such as <Code>fetch</Code> and <Code>crypto.subtle</Code>, and
      without the modules of Node. A function that is created without <Code>code</Code> returns its payload.
    </p>
    <DocsCode label="Shell" code={DEPLOY} language="bash" />
  </DocsSection>
);

const Pods = () => (
  <DocsSection id="pods" title="Node and Python">
    <p>
      With the <Code>runtime</Code> <Code>node</Code> or <Code>python</Code> a version runs in a pod with the{" "}
      <Code>image</Code> of the function, by default <Code>node:24-alpine</Code> or <Code>python:3.14-alpine</Code>, and
      with its libraries, files and 1 CPU core. An image needs <Code>/bin/sh</Code>, <Code>sleep</Code>, and{" "}
      <Code>node</Code> or <Code>python3</Code>, and comes from a registry without a login; runtime and network are
      those of <DocsLink href="/docs/pods">pods</DocsLink>. Runtime, image and memory of a function never change. There
      are no GPUs.
    </p>
    <DocsCode label="POST /v1/functions" code={PYTHON} language="json" />
    <p>
      The first call starts the pod and, in it, a process that loads the code. The process is kept for later calls, one
      at a time, so that global variables live from call to call; calls at the same time have processes of their own.
      What is not used for 4 minutes ends, and the pod a few minutes later, at the latest after 24 hours. While the
      image is pulled for longer than a minute, calls fail with 503 and the reason <Code>busy</Code>. A deadline kills
      the process, and the next call starts another. Code is not loaded when it is deployed: what fails then is{" "}
      <Code>load_failed</Code> when it is called. Sandboxes and these pods share a quota.
    </p>
  </DocsSection>
);

const Versions = () => (
  <DocsSection id="versions" title="Versions">
    <p>
      <Code>POST /v1/functions/&#123;id&#125;/versions</Code> loads code for workerd, and stores it as the next version
      if it loads; otherwise the response is 422 with the reason <Code>load_failed</Code> and the line. Every invocation
      that begins after the response calls the new version. <Code>POST …/restore</Code> goes back to one of the last 50.
      Settings and variables belong to the function, not to a version.
    </p>
  </DocsSection>
);

const Invocations = () => (
  <DocsSection id="invocations" title="Invocations">
    <p>
      <Code>POST …/invoke</Code> waits for the result. <Code>POST …/invocations</Code> returns 202 at once, and{" "}
      <Code>GET …/invocations/&#123;invocation_id&#125;</Code> has the result later. Such an invocation runs once,
      unless the function has <Code>retries_max</Code>: then one that failed runs again, after 10 seconds at first and
      twice as long before each further time, except after <Code>load_failed</Code> and <Code>no_such_secret</Code>. One
      whose process was killed runs again within about three minutes. <Code>attempt</Code> says which run it is. A
      failed invocation is no failed request: its <Code>status</Code> is <Code>failed</Code>, and{" "}
      <Code>error.reason</Code> says why.
    </p>
    <Definitions label="Reasons of failed invocations" rows={REASONS} />
    <p>
      An invocation has what the code printed with <Code>console</Code>. It is kept for a day, at most the last 1,000 of
      a function; results only for invocations that no client waited for.
    </p>
  </DocsSection>
);

const Schedules = () => (
  <DocsSection id="schedules" title="Schedules">
    <p>
      A function with a <Code>schedule</Code> is called when the time matches its cron expression, with the{" "}
      <Code>payload</Code> of the schedule and the due time as <Code>scheduled_at</Code> in its context.{" "}
      <Code>next_run_at</Code> is the next time, and <Code>&#123;&quot;schedule&quot;: null&#125;</Code> ends it.
    </p>
    <DocsCode label="PATCH /v1/functions/{id}" code={SCHEDULE} language="json" />
    <p>
      Each time has exactly one invocation, however many processes of svc run; it begins within about a second. Times
      that passed while svc was stopped have one invocation together, with the first of them. A time is left out while
      the invocation of an earlier one waits or runs. With a time zone, a local time that the clocks skip is replaced by
      the next one, and one that they repeat counts once.
    </p>
  </DocsSection>
);

const REASONS = [
  ["threw", "The code threw an error; message and stack are those of the error."],
  ["load_failed", "The module failed while it was loaded, or the pod of the function did not start."],
  ["timed_out", "It took longer than timeout_ms."],
  ["blocked", "It computed for more than 1.5 seconds without a pause, such as in an endless loop."],
  [
    "out_of_memory",
    "Its heap exceeded 128 MB, or the functions of the project together 768 MB; in a pod, the memory of the pod.",
  ],
  ["interrupted", "Another function of the project, or svc, ended the process while it ran. It may have taken effect."],
  ["invalid_result", "The result is no JSON value."],
  ["response_too_large", "The result has more than 1 MiB."],
  ["no_such_secret", "A variable names a secret that does not exist."],
  ["unavailable", "Functions cannot run on this installation."],
] as const;

const Variables = () => (
  <DocsSection id="env" title="Variables and secrets">
    <p>
      <Code>env</Code> has texts, and references to <DocsLink href="/docs/secrets">secrets</DocsLink>. Their values are
      read at each invocation. Code can pass on what it receives, so naming a secret, and deploying code to a function
      that has one, requires the scope <Code>secrets:reveal</Code>. Values of at least 8 characters are replaced in
      results, errors and logs.
    </p>
    <DocsCode label="PATCH /v1/functions/{id}" code={ENV} language="json" />
  </DocsSection>
);

const Isolation = () => (
  <DocsSection id="isolation" title="Isolation">
    <p>
      The functions on workerd of a project and mode share one process of workerd, each with a heap of its own; other
      projects have other processes. A process has no files, no environment of svc and no network but svc&apos;s proxy,
      which reaches public addresses on the ports 80, 443, 8080 and 8443. Its system calls are filtered, as those of
      pods are. Where svc runs as root on Linux, it has a user of its own and can access neither the files nor the
      processes of the node; where that is not possible, the log of svc says so. Code that blocks the process or uses
      too much memory ends it: calls that had not begun are repeated in a new process, others fail as{" "}
      <Code>interrupted</Code>. workerd is no hardened sandbox against flaws of V8. Functions in Node and Python have
      the isolation of <DocsLink href="/docs/sandboxes">sandboxes</DocsLink>, and no other program runs in their pods.
    </p>
  </DocsSection>
);

const Prices = () => (
  <DocsSection id="prices" title="Prices">
    <p>
      Each run is an invocation, at 0.20 per million, and its duration counts with 128 MiB of memory, at 16.00 per
      million GiB-seconds: a call of 50 ms costs 0.0000003. Runs that never began, and those whose process of svc was
      killed, cost nothing. Calls in Node and Python have no duration: their pods are metered by the second while they
      run, as sandboxes are. <DocsLink href="/docs/billing">Usage and invoices</DocsLink>
    </p>
  </DocsSection>
);

const LIMITS = [
  ["Code", "1 MiB of UTF-8 text, one module"],
  ["Payload", "1 MiB; 256 KiB for invocations without a waiting client"],
  ["Result", "1 MiB"],
  ["Logs", "65,536 characters per invocation"],
  ["Time", "1 to 30,000 ms, default 10,000 ms"],
  [
    "At once",
    "1 to 100 invocations per function, default 20; beyond it 429. Those of a process of svc that is killed count until timeout_ms and 10 seconds have passed",
  ],
  [
    "Processes",
    "Those that run calls at the same time hold at most half of the memory of svc's machine. Each project and mode with calls needs one, and a tenant gets no more than half of those that are free: alone a third. Its other projects wait up to 10 seconds, and then it alone gets 503 with the reason busy and Retry-After",
  ],
  ["Waiting invocations", "1,000 per project; beyond it 429"],
  ["Outbound requests", "100 at once per project"],
  ["Schedule", "At most one call a minute; a payload of at most 16 KiB"],
  ["Versions", "The last 50"],
  ["Functions", "1,000 per tenant; your operator can raise it"],
] as const;
