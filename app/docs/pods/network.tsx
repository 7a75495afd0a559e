import { Code, DocsSection } from "../docs-text";

export const Network = () => (
  <DocsSection id="network" title="Network">
    <p>
      A pod that runs in namespaces of the kernel reaches the internet by HTTP and HTTPS, through a proxy on{" "}
      <Code>http://127.0.0.1:3127</Code> of its own loopback interface. <Code>HTTP_PROXY</Code>,{" "}
      <Code>HTTPS_PROXY</Code>, <Code>NO_PROXY</Code> and the same names in lower case say so, unless the image or{" "}
      <Code>env</Code> sets them; programs such as <Code>pip</Code>, <Code>curl</Code> and <Code>git</Code> over HTTPS
      read them. Nothing else leaves the pod: no other TCP, no UDP and no DNS, because the proxy looks names up itself.
    </p>
    <p>
      The proxy connects to public addresses only, on the ports 80, 443, 8080 and 8443. All addresses of a name are
      checked, and the connection goes to one of those: a private, loopback or link-local address, such as that of a
      metadata service, is 403 with a sentence. A name without an address and a server that does not accept the
      connection are 502, one that does not do so within 10 seconds is 504. A pod has at most 100 connections at once,
      further ones are 429, and a connection without traffic is closed after 5 minutes. Connections also end when svc
      restarts; the pod and its proxy go on, and the proxy is 503 until svc is back.
    </p>
    <p>Pods in containers of an engine or in a Kubernetes cluster have no network.</p>
  </DocsSection>
);
