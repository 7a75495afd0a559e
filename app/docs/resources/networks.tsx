import { Code, Definitions, DocsSection } from "../docs-text";

/** Private networks of pods. */
export const Networks = () => (
  <DocsSection id="networks" title="Private networks">
    <p>
      A resource of <Code>net</Code> is a part of a network. A <Code>vpc</Code> is a private network of pods on one
      node, which svc chooses when it is created: pods and instances with <Code>network</Code>, the id of the vpc or of
      one of <Code>observed.subnets</Code>, run on that node and wait for it if it is away.
    </p>
    <Definitions label="Kinds of net" rows={KINDS} />
    <p>
      A pod has its address from its first start, in <Code>network.address</Code> of its record. The first four
      addresses of a subnet and the last one are not given to pods. While a pod runs no other one has its address; an
      instance keeps it until it is deleted. Pods of a vpc find each other in <Code>/etc/hosts</Code>, which svc updates
      within seconds when one starts or ends: as <Code>&lt;name&gt;</Code>, <Code>&lt;name&gt;.internal</Code> and by
      their id with <Code>-</Code> in place of <Code>_</Code>. Clients of HTTP use the outbound proxy for bare names;
      use <Code>.internal</Code> or the address with them.
    </p>
    <p>
      Each vpc is a network namespace of the Linux kernel with a bridge, and each of its pods is connected to it by an
      interface <Code>eth0</Code> without a default route. So pods of other networks, pods without one, and the network
      of the node are not reachable, in either direction. Pods have no privileges to change addresses or send raw
      packets. Not prevented: pods of one vpc reach all ports of each other, also across its subnets, there are no
      security groups, and their traffic is neither encrypted nor limited. What is lost with the node is not moved to
      another one.
    </p>
    <p>
      A vpc with pods that run or wait, with instances or volumes, or with a nat cannot be deleted: 409 with the reason{" "}
      <Code>has_dependents</Code>. Subnets can be added at any time; the other addresses change only while no pod has
      one; a pod that starts after a change has one of the new addresses. When the service is deactivated, pods that run
      keep their network until they end, no pod starts in it, and its nats and ports are closed.
    </p>
  </DocsSection>
);

const KINDS = [
  ["vpc", "cidr: private IPv4 addresses, /16 to /28, default 10.0.0.0/24. subnets: name and cidr, default one"],
  [
    "nat",
    "network: a vpc, default the only one of the project. While it exists with egress true, pods of the vpc reach public addresses by HTTP and HTTPS, through the proxy that all pods have; without one they reach none. A change takes effect for pods that run",
  ],
  [
    "eip",
    "target and target_port: a TCP port of the installation that leads to a port of a pod or an instance of the same project and mode, on its loopback interface or on all: one of the ports in its spec (422 with the reason port_not_declared for another one), and of a pod only for a key that has pods:write as well. A port that is removed from an instance accepts no more connections. A tenant has at most 50 unless the operator raises its quota public_ports. It stays the same until it is deleted, has at most 256 connections at a time, 64 of one client address unless the operator sets CONNECTIONS_PER_ADDRESS, which end after 10 minutes without a byte, and is metered by the second",
  ],
  ["byoip", "cidr and asn: a placeholder with the plan to announce your addresses"],
  ["dx_port", "bandwidth, location and vlan: a placeholder with the plan to connect your network by a cable"],
] as const;
