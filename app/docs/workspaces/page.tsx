import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { LimitsSection } from "../usual-sections";
import { COMMAND_LINE, LIMITS, TOOL } from "./examples";
import { QuickStart } from "./quick-start";

export const metadata: Metadata = { title: "Workspaces" };

export default function WorkspacesPage() {
  return (
    <DocsPage
      title="Workspaces"
      lead="Machines to write programs on: a disk that stays, an editor in the browser, and terminals."
    >
      <DocsSection id="start" title="Quick start">
        <p>
          Create a workspace on the dashboard&apos;s page <DocsLink href="/cloud/workspaces">Workspaces</DocsLink>, or
          with a platform key that has the scopes <Code>workspaces:read</Code> and <Code>workspaces:write</Code>.
        </p>
        <KeyField kind="platform" />
        <QuickStart />
        <p>The same with the command line:</p>
        <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
        <p>
          <DocsLink href="/docs/agents">Agents</DocsLink> use tools:
        </p>
        <DocsCode label="tools/call" code={TOOL} language="json" />
      </DocsSection>
      <Life />
      <Editors />
      <Files />
      <Isolation />
      <LimitsSection of="workspaces" rows={LIMITS} />
      <Operators />
    </DocsPage>
  );
}

const Life = () => (
  <DocsSection id="life" title="Life of a workspace">
    <Definitions
      label="States of a workspace"
      rows={[
        ["starting", "It waits for capacity, or its image is pulled"],
        ["running", "It can be used"],
        ["stopping", "Its programs are being ended"],
        ["stopped", "Nothing runs, and it costs nothing; its disk stays"],
        ["failed", "It could not be started, or its node was lost; status_reason says why. It can be started again"],
      ]}
    />
    <p>
      The disk at <Code>/workspace</Code> stays until the workspace is deleted. What else was changed, such as packages
      that were installed, is there after a start too if the node that starts it still has it.
    </p>
    <p>
      A workspace that was not used for <Code>idle_timeout_seconds</Code> is stopped with the reason <Code>idle</Code>.
      Use is a request for its files or programs, an open terminal, and a connection of code-server; looking at its
      record is none. A terminal is closed after an hour without input or output. It is metered by the second while it
      runs, at the price of a pod with as many cores and as much memory. The events are <Code>workspace.created</Code>,{" "}
      <Code>workspace.started</Code>, <Code>workspace.stopped</Code> and <Code>workspace.deleted</Code>.
    </p>
  </DocsSection>
);

const Editors = () => (
  <DocsSection id="editors" title="Editors">
    <p>
      When a workspace starts, svc looks for <Code>code-server</Code> on the <Code>PATH</Code> of its image, and starts
      it there; <Code>editor</Code> of the record is then <Code>code-server</Code>, and the page of the workspace has a
      button that opens it in a new tab. svc passes HTTP and WebSockets to it at a host that only this workspace has, so
      that what runs in the editor reaches neither the dashboard nor another workspace. Only a person of the tenant who
      is logged in gets there: the button exchanges the session for a cookie of that host, which ends with the session,
      and requests from any other origin are refused.
    </p>
    <p>
      Otherwise <Code>editor</Code> is <Code>built-in</Code>. The editor of the dashboard, which every workspace has,
      shows the files in <Code>/workspace</Code>, edits text with the syntax of JavaScript, TypeScript, Python, JSON,
      Markdown, HTML and CSS, finds and replaces, and asks before it replaces a file that has changed since you opened
      it. Below it is a terminal. Programs in a workspace open ports for themselves alone; there is no URL for them.
    </p>
  </DocsSection>
);

const Files = () => (
  <DocsSection id="files" title="Files by API">
    <p>
      <Code>GET …/files?path=</Code> reads a file, <Code>PUT …/files</Code> writes one, <Code>POST …/files/move</Code>{" "}
      renames it, <Code>DELETE …/files?path=</Code> deletes it, and <Code>…/folder</Code> lists and makes folders, all
      as the user of the image. A file that is read has a <Code>version</Code>. Written with{" "}
      <Code>expected_version</Code>, it is a conflict with the reason <Code>changed</Code> if the file has another
      content by then, and <Code>none</Code> makes a file only if there is none. The file is read right before it is
      written: a program that writes it in that moment is not noticed.
    </p>
    <p>
      <Code>POST …/exec</Code> runs a program in <Code>/workspace</Code>, and the WebSocket <Code>…/terminal</Code> is a
      terminal there, as <DocsLink href="/docs/pods#terminals">that of pods</DocsLink>.
    </p>
  </DocsSection>
);

const Isolation = () => (
  <DocsSection id="isolation" title="Isolation">
    <p>
      Workspaces run as <DocsLink href="/docs/pods#isolation">pods</DocsLink> do, and reach public addresses by HTTP and
      HTTPS through a proxy, and nothing else. Other tenants cannot see a workspace; everyone in the tenant who may
      write workspaces can open it. code-server runs inside of the workspace only, never on the machine of svc.
    </p>
  </DocsSection>
);

const Operators = () => (
  <DocsSection id="operators" title="For operators">
    <p>
      With a <Code>PUBLIC_URL</Code> on <Code>localhost</Code>, workspaces have hosts below{" "}
      <Code>workspaces.localhost</Code>, which browsers resolve to the machine itself. Otherwise set{" "}
      <Code>WORKSPACES_DOMAIN</Code> to a domain that shares none with svc, such as <Code>svc-workspaces.example</Code>,
      and point <Code>*.</Code> below it, the certificate and the proxy at svc; without it every workspace has the
      built-in editor. Nodes that reach no ports of workloads, such as those of a Kubernetes cluster, have the built-in
      editor too. svc was tested with a program named <Code>code-server</Code> that serves HTTP and WebSockets, not with
      code-server itself.
    </p>
  </DocsSection>
);
