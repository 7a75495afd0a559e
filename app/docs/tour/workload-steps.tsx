import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsSection } from "../docs-text";
import { FUNCTIONS, INSTANCES, PODS } from "./examples";

/** What runs programs, on Linux. */
export const WorkloadSteps = () => (
  <>
    <DocsSection id="pods" title="Pods, sandboxes and workspaces">
      <p>
        These run programs from container images, on Linux. The image must be in a registry that svc can reach: Docker
        Hub with internet, or one of your own such as <Code>localhost:5000</Code> (svc was tested with a registry on
        loopback only).
      </p>
      <DocsCode label="Shell" code={PODS} language="bash" />
      <p>
        A <DocsLink href="/docs/pods">pod</DocsLink> runs until its program ends or it is stopped;{" "}
        <Code>svc pods list</Code> shows how it ended and what it costs, and <Code>svc pods shell</Code> opens a
        terminal. With <Code>{`--volume '{"size_gb":10}'`}</Code> it has a disk at <Code>/workspace</Code> that keeps
        its files when it stops, starts or runs on another node; with <Code>--port 8080</Code> its HTTP server has an
        address, below <Code>url</Code> of the record&apos;s <Code>ports</Code>. Programs in it reach public addresses
        by HTTP and HTTPS, so <Code>pip install</Code> works, and nothing else. With a test key add{" "}
        <Code>--gpu h100</Code>, which is simulated, and <Code>--spot --auto-resume</Code>: when an on-demand pod needs
        its GPUs, a spot pod has 30 seconds to end, and continues later with its files. <Code>svc pods explain</Code>{" "}
        says why a pod waits, and what would fit now.
      </p>
      <p>
        A <DocsLink href="/docs/sandboxes">sandbox</DocsLink> returns the output and the exit status of a command, and
        everything in it is deleted; <Code>svc sandboxes create</Code> keeps one for <Code>svc sandboxes exec</Code> and{" "}
        <Code>svc sandbox-files</Code>. A <DocsLink href="/docs/workspaces">workspace</DocsLink> has an editor in the
        browser and terminals, and its files stay when it stops after an hour without use;{" "}
        <Code>svc workspaces open</Code> prints the address of its page.
      </p>
      <p>
        <Code>svc reservations create --gpu h100 --count 8 --duration 30d</Code>{" "}
        <DocsLink href="/docs/reservations">reserves GPUs</DocsLink>, <Code>svc usage get</Code> shows what everything
        costs, and <Code>svc metrics summary</Code> what runs. <em>Cloud</em> in the dashboard has the same, with a
        picture of the GPU pools, a calendar of reservations, and <DocsLink href="/docs/billing">invoices</DocsLink>.
      </p>
    </DocsSection>
    <DocsSection id="functions" title="Functions and edge functions">
      <p>
        A <DocsLink href="/docs/functions">function</DocsLink> runs when it is called or on a schedule; an{" "}
        <DocsLink href="/docs/edge">edge function</DocsLink> responds to the requests of a host of its own, such as{" "}
        <Code>http://hello-….edge.localhost:3000/</Code>, which browsers and curl open.
      </p>
      <DocsCode label="Shell" code={FUNCTIONS} language="bash" />
      <p>
        A later deployment is the next version. <Code>svc function-versions restore total --version 1</Code> and{" "}
        <Code>svc edge rollback hello --version 1</Code> roll back. Functions reach public addresses by HTTP and HTTPS
        and nothing else; bindings give edge functions KV namespaces, buckets, queues, SQL databases, texts and secrets.
      </p>
    </DocsSection>
    <DocsSection id="instances" title="Instances and other resources">
      <p>
        An instance stays until you delete it. Without the activation of its service the response is a placeholder with
        the reason and the plan.
      </p>
      <DocsCode label="Shell" code={INSTANCES} language="bash" />
      <p>
        <Code>svc instances stop</Code> and <Code>svc instances start</Code> keep its files, and <em>Resources</em> in
        the dashboard has the same with forms. <DocsLink href="/docs/resources">Resources and instances</DocsLink> has
        states, tiers and limits.
      </p>
    </DocsSection>
  </>
);
