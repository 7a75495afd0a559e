import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { COMMAND_LINE, LIMITS, SECRET_ENV, TOOL } from "./examples";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Sandboxes" };

export default function SandboxesPage() {
  return (
    <DocsPage title="Sandboxes" lead="Isolated environments that run untrusted code in one call.">
      <QuickStartSection scopes="sandboxes">
        <QuickStart />
        <p>The same with the command line, which ends with the exit status of the command:</p>
        <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
        <p>
          <DocsLink href="/docs/agents">Agents</DocsLink> use tools:
        </p>
        <DocsCode label="tools/call" code={TOOL} language="json" />
      </QuickStartSection>
      <Life />
      <Files />
      <Environment />
      <Isolation />
      <LimitsSection of="sandboxes" rows={LIMITS} />
    </DocsPage>
  );
}

const Life = () => (
  <DocsSection id="life" title="Life of a sandbox">
    <Definitions
      label="States of a sandbox"
      rows={[
        ["starting", "It waits for capacity, or its image is pulled"],
        ["running", "It runs a command, or waits for one"],
        ["ended", "Nothing runs in it any more, for the reason in status_reason"],
      ]}
    />
    <p>
      With <Code>command</Code> a sandbox ends when that has ended; <Code>keep_alive</Code> keeps it. Without{" "}
      <Code>command</Code> it stays. In any case everything in it is killed <Code>timeout_seconds</Code> after its
      start, also if svc was killed meanwhile and starts again; one that is to end with its command ends a minute after
      that. A client that disconnects while its command runs ends it. The response of a repeated request with the same{" "}
      <Code>Idempotency-Key</Code> has the result of the first one.
    </p>
    <p>
      <Code>timed_out</Code> says that the time was over; a command that exceeds the memory ends by SIGKILL, and
      depending on the node the whole sandbox with it. A sandbox is metered by the second from its start to its end, at
      the price of a pod with as many cores and as much memory. The events are <Code>sandbox.created</Code> and{" "}
      <Code>sandbox.ended</Code>.
    </p>
  </DocsSection>
);

const Files = () => (
  <DocsSection id="files" title="Files">
    <p>
      <Code>PUT …/files</Code> writes a file, <Code>GET …/files?path=</Code> reads one, and{" "}
      <Code>GET …/folder?path=</Code> lists a folder, all as the user of the image. Bytes that are no text are in
      Base64, and <Code>encoding</Code> says so. A path is resolved inside the sandbox, so that links and{" "}
      <Code>..</Code> lead to nothing outside of it. Everything is deleted when the sandbox ends: copy what is to stay,
      for example to <DocsLink href="/docs/storage">object storage</DocsLink> with a presigned URL.
    </p>
    <p>
      The image must have <Code>/bin/sh</Code> and <Code>sleep</Code>, for files also <Code>cat</Code>,{" "}
      <Code>mkdir</Code> and <Code>ls</Code>, as most images do.
    </p>
  </DocsSection>
);

const Environment = () => (
  <DocsSection id="environment" title="Environment and secrets">
    <p>
      As for <DocsLink href="/docs/pods#environment">pods</DocsLink>, a variable has a value or the name of a secret,
      which requires the scope <Code>secrets:reveal</Code>. In the output of commands secrets are replaced by{" "}
      <Code>[redacted]</Code>; code that you do not trust can still send a secret elsewhere. Commands and files in a
      sandbox with secrets require <Code>secrets:reveal</Code> too.
    </p>
    <DocsCode label="Body" code={SECRET_ENV} language="json" />
  </DocsSection>
);

const Isolation = () => (
  <DocsSection id="isolation" title="Isolation">
    <p>
      Sandboxes run as <DocsLink href="/docs/pods#isolation">pods</DocsLink> do, with files, processes and a host name
      of their own. They reach public addresses by HTTP and HTTPS through a proxy, and neither the node, nor other
      sandboxes, nor addresses of private networks and of metadata services. <Code>runtime</Code> of the record says
      what separates a sandbox from others and whether all limits are enforced. Except on a Kubernetes cluster, all
      sandboxes share the kernel of the node: an attacker who breaks out of it reaches svc. With{" "}
      <Code>RUNTIME=process</Code> nothing does: svc then runs sandboxes of test keys only.
    </p>
  </DocsSection>
);
