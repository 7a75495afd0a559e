export interface HostAndPort {
  host: string;
  port: number;
}

/** Reads `host:port`, with an IPv6 address in brackets; undefined for anything else. */
export function parseHostAndPort(text: string): HostAndPort | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

export const formatHostAndPort = ({ host, port }: HostAndPort): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`;
