/**
 * Where a workload with a network finds the HTTP proxy, on its loopback interface: below the ports that the kernel gives
 * to programs which ask for any.
 */
export const PROXY_PORT = 3127;

/** The socket of outbound connections, as seen from the folder of a workload; the paths of sockets have at most 107 bytes. */
export const OUTBOUND_FROM_WORKLOAD = "../../outbound";

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
/** What is reached without the proxy. */
export const DIRECT = "localhost,127.0.0.1,::1";

/** `NAME=value`: what makes programs use the proxy. Some read only the upper or the lower case. */
export const PROXY_VARIABLES: readonly string[] = [
  ...["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => `${name}=${PROXY}`),
  ...["NO_PROXY", "no_proxy"].map((name) => `${name}=${DIRECT}`),
];
