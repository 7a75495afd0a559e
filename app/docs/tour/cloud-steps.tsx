import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsSection } from "../docs-text";
import { AGENTS, CHAT, OBJECT, QUEUE, SECRET } from "./examples";

/** The cloud services that need no container image. */
export const CloudSteps = () => (
  <>
    <DocsSection id="queues" title="Queues and webhooks">
      <p>Send a message through a queue, and run a command for it; exit status 0 acknowledges it:</p>
      <DocsCode label="Shell" code={QUEUE} language="bash" />
      <p>
        <Code>svc webhooks listen --forward localhost:4000</Code> sends the events of your tenant, such as{" "}
        <Code>campaign.updated</Code>, to a program on your machine, signed like the deliveries of a{" "}
        <DocsLink href="/docs/webhooks">webhook</DocsLink>. In the dashboard, <em>Cloud</em> has webhooks with their
        deliveries, <DocsLink href="/docs/queues">queues</DocsLink> with their plots, and events.
      </p>
    </DocsSection>
    <DocsSection id="storage" title="Object storage">
      <p>
        Store an object, and share it for ten minutes with anyone who has the URL. Names of buckets are unique in the
        installation.
      </p>
      <DocsCode label="Shell" code={OBJECT} language="bash" />
      <p>
        <Code>svc storage sync</Code> copies folders, and <Code>svc storage-credentials create</Code> makes credentials
        for any S3 client; <DocsLink href="/docs/storage">Object storage</DocsLink> has the settings of the AWS SDK, its
        command line and rclone. <Code>svc shield scan --bucket &quot;$BUCKET&quot;</Code> looks for keys, passwords and
        personal data in it; <Code>svc shield findings</Code> shows where they are, with masked values (see{" "}
        <DocsLink href="/docs/shield">Shield scans</DocsLink> for the rules).
      </p>
    </DocsSection>
    <DocsSection id="secrets" title="Secrets">
      <p>
        Store a <DocsLink href="/docs/secrets">secret</DocsLink> and read it back, which is recorded in the audit log:
      </p>
      <DocsCode label="Shell" code={SECRET} language="bash" />
    </DocsSection>
    <DocsSection id="chat" title="Chat models">
      <p>
        Call a language model as OpenAI&apos;s clients would, here with a test key: <Code>svc-echo</Code> is a
        simulation that repeats your message, and says so.
      </p>
      <DocsCode label="Shell" code={CHAT} language="bash" />
      <p>
        With a live key a model needs an upstream: your own provider, with its key as a secret, or{" "}
        <Code>CHAT_UPSTREAMS</Code> of the operator. <DocsLink href="/docs/chat">Chat gateway</DocsLink> has both, and{" "}
        <Code>openai</Code> for Python and Node.
      </p>
    </DocsSection>
    <DocsSection id="agents" title="Agents">
      <p>Operate svc as an agent does, with tools of the Model Context Protocol:</p>
      <DocsCode label="Shell" code={AGENTS} language="bash" />
      <p>
        Agents connect to <Code>mcp_url</Code> of <Code>demo.json</Code> with a key as bearer token, or start{" "}
        <Code>svc mcp serve</Code>. <DocsLink href="/docs/agents">Agents</DocsLink> has the configuration of clients and
        every tool.
      </p>
    </DocsSection>
  </>
);
