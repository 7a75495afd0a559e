import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { ServiceError } from "../../kernel/errors";
import { LOOPBACK_HOSTS } from "../../kernel/loopback-hosts";
import { PROBE_PATHS } from "./probes";

export interface HostOptions {
  publicUrl: string;
  /** Additional values of `Host` in lower case: `name` with any port, or `name:port` with that port. */
  allowedHosts: readonly string[];
  /** The host of the S3 endpoint, below which each bucket has a host; any port. */
  s3Host?: string | undefined;
  /** The domain below which each workspace has a host; any port. */
  workspacesDomain?: string | undefined;
  /** The domain below which each edge function has a host; any port. */
  edgeDomain?: string | undefined;
}

/** The parts of a request that name its host. */
type HostRequest = Pick<IncomingMessage, "rawHeaders" | "url"> & { socket: { localPort?: number | undefined } };

interface Authority {
  host: string;
  /** Empty if no port was sent. */
  port: string;
}

/** A name or address and an optional port, without user, path or empty port. */
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;
const NAME_LENGTH_SHOWN = 80;

/**
 * Rejects requests for hosts of other installations, as protection against DNS rebinding and tunnels. Allowed are the
 * host of PUBLIC_URL, the loopback names with the port of the connection, and `allowedHosts`; for probes also any IP
 * address, since orchestrators use those. Only `Host` and the request target count, not `X-Forwarded-Host`. Throws
 * `invalid_request` with `param: "host"`.
 */
export function createHostCheck({ publicUrl, allowedHosts, ...own }: HostOptions): (request: HostRequest) => void {
  const { hostname, port, protocol } = new URL(publicUrl);
  const defaultPort = protocol === "https:" ? "443" : "80";
  const domains = [own.s3Host, own.workspacesDomain, own.edgeDomain].filter((domain) => domain !== undefined);
  const allowed = new Set([`${hostname}:${port || defaultPort}`, ...allowedHosts]);
  return (request) => {
    for (const text of authoritiesOf(request)) {
      const authority = parseAuthority(text);
      if (authority && isAllowed(authority, request)) continue;
      throw refusal(text, publicUrl);
    }
  };

  function isAllowed({ host, port = "" }: Authority, { url = "", socket }: HostRequest): boolean {
    const effectivePort = port || defaultPort;
    if (allowed.has(`${host}:${effectivePort}`) || allowed.has(host)) return true;
    if (domains.some((domain) => host === domain || host.endsWith(`.${domain}`))) return true;
    if (LOOPBACK_HOSTS.has(host) && effectivePort === String(socket.localPort)) return true;
    return isAddress(host) && PROBE_PATHS.has(url.split("?", 1)[0] ?? "");
  }
}

/** Whether a text is a valid entry of `allowedHosts`. */
export const isHostAndPort = (text: string): boolean => AUTHORITY.test(text);

/** `Host`, which must be sent exactly once, and the host of an absolute target (RFC 9112 section 3.2.2). */
function authoritiesOf({ rawHeaders, url = "" }: HostRequest): (string | undefined)[] {
  let one: string | undefined;
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isHostName(rawHeaders[i])) continue;
    count++;
    one = count === 1 ? rawHeaders[i + 1] : undefined;
  }
  return url.startsWith("/") || url === "*" ? [one] : [one, ABSOLUTE_FORM.exec(url)?.[1]];
}

const isHostName = (name = ""): boolean => name.length === 4 && name.toLowerCase() === "host";

function parseAuthority(text: string | undefined): Authority | undefined {
  const [, host, port = ""] = AUTHORITY.exec(text?.toLowerCase() ?? "") ?? [];
  return host === undefined ? undefined : { host, port };
}

const isAddress = (host: string): boolean => isIPv4(host) || (host.startsWith("[") && isIPv6(host.slice(1, -1)));

function refusal(host: string | undefined, publicUrl: string): ServiceError {
  const named = host ? `"${host.slice(0, NAME_LENGTH_SHOWN)}" is not a host of this server` : "Send one Host header";
  return new ServiceError(
    "invalid_request",
    `${named}: use ${publicUrl}. Operators set PUBLIC_URL to the address that people use, and SVC_ALLOWED_HOSTS to additional hosts.`,
    { param: "host", details: { reason: "host" } },
  );
}
