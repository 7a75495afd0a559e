import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsSection } from "../docs-text";
import { CADDY, NGINX } from "./examples";

/** How a reverse proxy passes requests on. */
export const BehindProxy = () => (
  <DocsSection id="proxy" title="Behind a reverse proxy">
    <p>
      Set <Code>PUBLIC_URL</Code> to the https origin that people use, and name the proxy&apos;s address or network in{" "}
      <Code>TRUSTED_PROXIES</Code>. Only then is its <Code>X-Forwarded-For</Code> trusted; otherwise every client has
      the proxy&apos;s address, and all share one limit: of requests, and of connections (
      <Code>HTTP_CONNECTIONS_PER_ADDRESS</Code>). Pass <Code>X-Request-ID</Code> through, and do not buffer: product
      feeds are up to 1 GiB, a PUT to the S3 endpoint up to 5 GiB, and answers of models are streams. Do not rewrite
      paths and pass <Code>Host</Code> as the client sent it, with its port: S3 clients sign both.
    </p>
    <CodeBlock label="Caddyfile" code={CADDY} />
    <CodeBlock label="nginx" code={NGINX} />
    <p>
      svc accepts requests whose <Code>Host</Code> is that of <Code>PUBLIC_URL</Code> or a loopback name with its port.
      Pass it through, as above, or list what your load balancer sends in <Code>SVC_ALLOWED_HOSTS</Code>. The probes
      also accept an IP address.
    </p>
    <p>
      Without a proxy, set <Code>TLS_CERT</Code> and <Code>TLS_KEY</Code>: svc then terminates TLS itself, 1.3 only.
    </p>
  </DocsSection>
);
