const LOOPBACK_V4 = /^127\./;
const PRIVATE_V4 =
  /^(0|10|127|22[4-9]|23\d|24\d|25[0-5])\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_V6 = /^\[(::|f[cd]|fe[89ab]|ff)/;
const NOT_PUBLIC =
  "svc sends events only to public addresses. To receive them on your own machine, run: svc webhooks listen --forward localhost:4000";

/**
 * Why a URL cannot receive events, as far as that is known before the server checks it; undefined if nothing is wrong.
 * `allowsLoopback`: svc itself runs on a loopback address, for development.
 */
export function urlProblem(text: string, allowsLoopback: boolean): string | undefined {
  const url = text.trim();
  if (url === "") return "Enter the URL that receives the events.";
  if (/\s/.test(url) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || !URL.canParse(url)) {
    return "Enter a full URL, such as https://example.com/webhooks.";
  }
  const { protocol, hostname, username, password } = new URL(url);
  const isLoopback = isLoopbackHost(hostname);
  const isDevelopment = allowsLoopback && isLoopback;
  if (protocol !== "https:" && !(protocol === "http:" && isDevelopment)) {
    return "Use https: events are not sent over unencrypted connections.";
  }
  if (username !== "" || password !== "") {
    return "Remove the user name and password: requests are signed, so your endpoint can verify them.";
  }
  if (!isDevelopment && (isLoopback || PRIVATE_V4.test(hostname) || PRIVATE_V6.test(hostname))) return NOT_PUBLIC;
  return undefined;
}

const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || LOOPBACK_V4.test(host);
