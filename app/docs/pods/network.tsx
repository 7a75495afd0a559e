import { DocsCode } from "../docs-code";
import { Code, DocsSection } from "../docs-text";
import { PORTS } from "./examples";

export const Network = () => (
  <DocsSection id="network" title="Network">
    <p>
      A pod reaches the internet by HTTP and HTTPS, through a proxy on <Code>http://127.0.0.1:3127</Code> of its own
      loopback interface. <Code>HTTP_PROXY</Code>, <Code>HTTPS_PROXY</Code>, <Code>NO_PROXY</Code> and the same names in
      lower case say so, unless the image or <Code>env</Code> sets them; programs such as <Code>pip</Code>,{" "}
      <Code>curl</Code> and <Code>git</Code> over HTTPS read them. Nothing else leaves the pod: no other TCP, no UDP and
      no DNS, because the proxy resolves names itself.
    </p>
    <p>
      The proxy connects to public addresses only, but to none that the machine of svc has itself, on the ports 80, 443,
      8080 and 8443. All addresses of a name are checked, and the connection goes to one of those: a private, loopback
      or link-local address, such as that of a metadata service, is 403 with a sentence. A name without an address and a
      server that does not accept the connection are 502, one that does not do so within 10 seconds is 504. A pod has at
      most 100 connections at once, further ones are 429, and a connection without traffic is closed after 5 minutes.
      Connections also end when svc restarts; the pod and its proxy continue, and the proxy is 503 until svc is back.
    </p>
    <p>
      This holds where namespaces of the kernel or containers of an engine run the pods. With Podman the proxy is there
      before the program; with Docker it can follow by a moment, so a program that needs the internet at once should
      retry. Pods in a Kubernetes cluster have no network.
    </p>
  </DocsSection>
);

export const Ports = () => (
  <DocsSection id="ports" title="Servers in pods">
    <p>
      Name the ports of HTTP servers in <Code>ports</Code>, and svc passes requests to them: with any method, path and
      query, and with bodies and responses of any length as they arrive. A key needs the scope <Code>pods:write</Code>.
      Each request counts as one of the API. <Code>Upgrade: websocket</Code> works, too.
    </p>
    <DocsCode label="Shell" code={PORTS} language="bash" />
    <p>
      The server receives <Code>X-Forwarded-For</Code>, <Code>-Proto</Code>, <Code>-Host</Code> and <Code>-Prefix</Code>{" "}
      from svc, and neither <Code>Authorization</Code> nor <Code>Cookie</Code> nor other headers of proxies.{" "}
      <Code>Host</Code> is <Code>localhost</Code> with the port. Redirects to paths lead below the port. A pod that does
      not run is 409 with the reason <Code>not_running</Code>, a port that the pod was created without is 409{" "}
      <Code>port_not_declared</Code>, and a port on which nothing listens is 503 <Code>port_closed</Code>. A pod has at
      most 100 connections at once and a tenant 500, through each process of svc; a connection without traffic is closed
      after 5 minutes, and WebSockets end when svc stops.
    </p>
    <p>
      In a browser in which a person is logged in, the links of the pod&apos;s page open pages of the server. Such a
      page is sandboxed: its scripts run, but not with the origin of svc, its cookies are dropped, and it loads nothing
      more that needs a login, so it should contain its scripts and styles. Programs, and pages that call the server,
      send a key.
    </p>
    <p>
      Servers are reached where namespaces of the kernel or containers of an engine run the pods, also on nodes that
      were joined; nothing listens on an address of the node for them. In an installation that runs pods in a Kubernetes
      cluster only, a pod with ports is 503 with the reason <Code>ports_unsupported</Code>.
    </p>
  </DocsSection>
);
