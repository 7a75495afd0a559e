import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createHttpServer } from "../../server/surfaces/http/create-server";
import type { TestApp } from "./app";
import { programLayer } from "./image-layers";
import type { PodScene } from "./pod-scene";
import { SHELL_CONFIG } from "./runtime-scene";
import type { TlsFiles } from "./tls-files";

/** The platform API, the ports of pods and nothing else on a port of loopback; `ports` is instead of those of the app. */
export async function servePorts(
  test: Pick<TestApp, "app" | "config">,
  { tls, ports: own }: { tls?: TlsFiles; ports?: TestApp["app"]["ports"] } = {},
): Promise<{ port: number; stop(): void }> {
  const log = pino({ level: "silent" });
  const { publicUrl } = test.config;
  const { server, serve } = createHttpServer({ tls, publicUrl, allowedHosts: [], log });
  const ports = {
    takes: (incoming: Parameters<TestApp["app"]["ports"]["takes"]>[0]) => (own ?? test.app.ports).takes(incoming),
    serve: (...request: Parameters<TestApp["app"]["ports"]["serve"]>) => void (own ?? test.app.ports).serve(...request),
  };
  serve({
    streams: [{ ...ports, upgrades: true }],
    clientAddress: () => "192.0.2.1",
    direct: [{ path: "/v1/", answer: (request, peer) => test.app.platform.fetch(request, peer) }],
    pages: ({ method, url }, outgoing) => void outgoing.end(`page ${method} ${url}`),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => void server.close().closeAllConnections() };
}

/** The reference of an image with Perl. */
export async function imageWithPerl(registry: PodScene["registry"], shell: { bytes: Buffer }): Promise<string> {
  const perl = await programLayer(["perl"]);
  if (typeof perl === "string") throw new Error(perl);
  return registry.add("pod-server", { layers: [shell, perl], config: SHELL_CONFIG }).reference;
}

/**
 * Perl without modules that serves HTTP on port 8080, and prints "serving". It returns the request as it arrives, except
 * on the paths of `%special`; prints "hangs" for a request to /hang and "gone" if its client disconnects; and returns bytes
 * after an upgrade.
 */
export const HTTP_SERVER = String.raw`
$| = 1;
$SIG{CHLD} = $SIG{PIPE} = "IGNORE";
$SIG{TERM} = sub { exit };
my $server;
socket($server, 2, 1, 0) && setsockopt($server, 1, 2, 1) or die "port: $!";
bind($server, pack("S n x12", 2, 8080)) && listen($server, 50) or die "port: $!";
my %special = (
    "/hostile" => "HTTP/1.1 200 OK\r\nSet-Cookie: svc_session=x\r\nClear-Site-Data: \"*\"\r\nService-Worker-Allowed: /\r\n"
        . "Strict-Transport-Security: max-age=1\r\nAlt-Svc: h3=\":443\"\r\nNEL: {}\r\nReport-To: {}\r\nKeep-Alive: timeout=1\r\n"
        . "Content-Security-Policy: sandbox allow-same-origin\r\nX-Content-Type-Options: x\r\nX-Own: kept\r\nContent-Length: 2\r\n\r\nok",
    "/redirect" => "HTTP/1.1 302 Found\r\nLocation: /there?a=b\r\nContent-Length: 0\r\n\r\n",
    "/short" => "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    "/two-lengths" => "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    "/long" => "HTTP/1.1 200 OK\r\nX-Long: " . ("x" x 100000) . "\r\n\r\n",
    "/garbage" => "hello\n",
);
print "serving\n";
while (accept(my $client, $server)) {
    next if fork();
    my $head = "";
    while ($head !~ /\r\n\r\n/) { sysread($client, $head, 1, length $head) or exit }
    my ($path) = $head =~ m{^\S+ ([^ ?]+)};
    if ($special{$path}) { syswrite($client, $special{$path}); exit }
    if ($path eq "/hang") { print "hangs\n"; sysread($client, my $byte, 1); print "gone\n"; exit }
    my $is_upgrade = $head =~ /^Upgrade: websocket/mi && $path ne "/refuse";
    syswrite($client, $is_upgrade
        ? "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSet-Cookie: a=b\r\n\r\n"
        : "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n$head");
    my ($left) = $head =~ /^Content-Length: (\d+)/mi;
    my $is_chunked = $head =~ /^Transfer-Encoding: chunked/mi;
    $left = 1e9 if $is_upgrade || $is_chunked;
    my $end = "";
    while ($left > 0 && sysread($client, my $bytes, 65536)) {
        syswrite($client, $bytes);
        $left -= length $bytes;
        $end = substr("$end$bytes", -7);
        last if $is_chunked && $end eq "\r\n0\r\n\r\n";
    }
    exit;
}
`;
