import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** Every socket of svc that can be reached over the network, and what a tenant's program can do. */
export const Listeners = () => (
  <DocsSection id="listeners" title="What listens where, and what tenants can do">
    <Definitions
      label="Sockets of svc"
      rows={[
        [
          "HOST, PORT",
          "Pages, APIs, tools, S3, workspaces and edge functions, distinguished by path and Host header. The only one that others need.",
        ],
        [
          "RUNTIME_ADDRESS",
          "127.0.0.1 and any free port, in a process that runs pods: other processes of svc read the output of its pods there and run programs in them. Encrypted; both ends prove that they have the installation's secret.",
        ],
        ["PUBLIC_PORTS", "The TCP ports of eip resources, on 127.0.0.1 unless you set another address."],
        [
          "Embedded PostgreSQL and ClickHouse",
          "127.0.0.1 and any free port each, with passwords that are made at the first start.",
        ],
        [
          "Joined nodes",
          "The address of svc node join, for processes of svc alone: encrypted, with keys of that node.",
        ],
      ]}
    />
    <p>
      Pods, functions and workers have networks of their own: nothing in them listens on the node, and what they connect
      to goes through svc, which passes on public addresses only, and none of the machine itself: they reach svc where{" "}
      <Code>PUBLIC_URL</Code> is an address of a proxy or load balancer. A program of a pod has users, processes, files
      and limits of its own, and the system calls that ordinary programs need. It shares the kernel with svc: run the
      programs of people you do not know on <DocsLink href="/docs/pods">nodes that have joined</DocsLink> or on
      Kubernetes, and admit to the machine of svc only tenants whose programs you would run yourself:{" "}
      <DocsLink href="/docs/production#accounts">
        <Code>svc admin admit-tenant</Code>
      </DocsLink>
      .
    </p>
  </DocsSection>
);
