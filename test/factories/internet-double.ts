import http from "node:http";
import { Duplex } from "node:stream";
import type { Network } from "../../server/engines/guarded-fetch";

/** The only name that the double of the internet has. */
export const INTERNET_NAME = "internet.example";
const ADDRESS = "93.184.216.34";

const server = http.createServer(({ method, url, headers }, response) => {
  response.setHeader("connection", "close");
  response.end(`${method} ${url} for ${headers.host}`);
});

/** A network with one public address, behind which an HTTP server says what it was asked for. */
export const INTERNET: Network = {
  resolve: async (hostname) => (hostname === INTERNET_NAME ? [ADDRESS] : []),
  connect: ({ address }) => {
    if (address !== ADDRESS) throw new Error(`${address} was reached.`);
    const [near, far] = duplexPair();
    server.emit("connection", far);
    return near;
  },
};

/** Two ends of a connection within this process. */
function duplexPair(): [Duplex, Duplex] {
  const end = (peer: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write: (chunk, _encoding, done) => {
        peer().push(chunk);
        done();
      },
      final: (done) => {
        peer().push(null);
        done();
      },
    });
  const near: Duplex = end(() => far);
  const far: Duplex = end(() => near);
  return [near, far];
}

/**
 * Perl without modules, for an image with nothing else: sends a request to the proxy, and one more through the tunnel of
 * CONNECT; prints the line of the status and the last line of the response.
 */
export const PERL_CLIENT = String.raw`
my ($method, $target) = @ARGV;
my $proxy;
socket($proxy, 2, 1, 0) && connect($proxy, pack("S n C4 x8", 2, 3127, 127, 0, 0, 1)) or die "no proxy: $!";
syswrite($proxy, "$method $target HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n");
my $status = <$proxy>;
$status =~ s/\r\n//;
if ($method eq "CONNECT" && $status =~ / 200 /) {
    <$proxy>;
    syswrite($proxy, "GET / HTTP/1.1\r\nHost: tunnel\r\n\r\n");
}
my $last;
while (<$proxy>) { $last = $_ }
$last =~ s/\r?\n//;
print "$status $last\n";
`;

/** Perl that answers one line on port 8000. */
export const PERL_SERVER = String.raw`
my $server;
socket($server, 2, 1, 0) && bind($server, pack("S n x12", 2, 8000)) && listen($server, 5) or die "port: $!";
$| = 1;
print "serving\n";
while (accept(my $client, $server)) {
    my $line = <$client>;
    syswrite($client, "served $line");
    close $client;
}
`;
