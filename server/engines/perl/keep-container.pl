# Keeps the output of one container, bounded, until the container has ended; it survives the process that started it.
#   perl keep-container.pl < specification
# Fields: dir (svc's folder of the container), socket (of the engine), container (its id), segment (bytes of a log
# segment), segments (how many are kept), starts (1: starts the container when its output is received), and for a container
# with a network id (of the workload), proxy (the port of the proxy inside) and outbound (the socket of svc, relative to
# dir). Prints "running", or one sentence on why the container did not start. In dir it writes `keeper` (process id and start time of itself, and
# the id of the machine's boot) and, when the container has ended, `ended`.
use strict;
use warnings;
use Fcntl qw(:flock);
use Socket;

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/state-files.pl";
require "$folder/log-segments.pl";
require "$folder/forwarder.pl";

my $READ_BYTES          = 65_536;
my $LOCK_SECONDS        = 10;
my $END_SECONDS         = 0.05;
my $LOST_SECONDS        = 1;

SystemCalls::close_inherited();
my $spec = SystemCalls::read_fields(*STDIN);
$SIG{$_} = "IGNORE" for qw(HUP INT TERM PIPE);
chdir $spec->{dir}[0] or fail("the folder of the workload cannot be entered: $!");
open(my $lock, ">>", "lock") or fail("lock: $!");
# One whose start was given up ends soon, and the kernel releases its lock.
take_lock() or fail("the workload has a keeper");
fail("the workload has ended") if -e "ended";
record("keeper", "$$ " . SystemCalls::process_mark($$) . " " . boot_id());
my $container = $spec->{container}[0];
my $log       = LogSegments->open("log", $spec->{segment}[0], $spec->{segments}[0]);

my $forwarder;
my $output = attach();
# Podman makes the network when output is attached, so that the program finds the proxy; other engines at the start.
serve_network();
if ($spec->{starts}[0]) {
    # An engine that cannot prepare the program gives no output; its answer to the start says why.
    my ($status, $message) = post_start();
    fail($message) if $status != 204;
    serve_network();
}
print "running\n";
open(STDOUT, ">", "/dev/null");
# The connection also ends when the engine restarts, which containers may survive.
while (1) {
    receive($output) if defined $output;
    undef $output;
    my $pid = running_pid();
    last if defined $pid && $pid == 0;
    # Without svc's folder nobody reads the output, even if the engine does not come back.
    exit 0 if !-e "lock";
    # Podman prepares a container anew when one that has ended is attached, and notices an end late.
    my $is_alive = defined $pid && -e "/proc/$pid";
    select(undef, undef, undef, $is_alive || !defined $pid ? $LOST_SECONDS : $END_SECONDS);
    $output = attach() if $is_alive && -e "/proc/$pid";
}
Forwarder::stop($forwarder) if defined $forwarder;
record("ended", "");

# Connects the network of the container, which reaches nothing else, with svc; does nothing before the container has one.
sub serve_network {
    my ($port) = @{ $spec->{proxy} || [] };
    return if !defined $port || defined $forwarder;
    my (undef, $pid) = state_of_container();
    return if !$pid;
    my %sockets = (outbound => $spec->{outbound}[0], inbound => "inbound");
    my $started = Forwarder::start({ id => $spec->{id}[0], port => $port, %sockets });
    return $forwarder = $started if eval { Forwarder::enter($started, $pid); 1 };
    my $reason = $@;
    Forwarder::stop($started);
    # The program may have ended already. A container that runs on without svc's starting it is worth keeping.
    return if !-e "/proc/$pid";
    print STDERR $reason;
    fail("its network cannot be entered") if $spec->{starts}[0];
}

# The frames of Docker's API: a byte for the stream, three zeros, a length of four bytes, and as many bytes of output.
sub receive {
    my ($socket) = @_;
    while (defined(my $header = read_bytes($socket, 8))) {
        my $left = unpack "x4 N", $header;
        while ($left > 0) {
            my $bytes = read_some($socket, $left) // return;
            $log->append($bytes);
            $left -= length $bytes;
        }
    }
}

# The open stream of output, after the head of the answer; undef if the engine does not give it.
sub attach {
    my $query = "stream=1&stdout=1&stderr=1";
    my $socket = ask("POST /containers/$container/attach?$query", "Connection: Upgrade\r\nUpgrade: tcp\r\n") // return;
    my ($status) = read_head($socket);
    return $status == 101 || $status == 200 ? $socket : undef;
}

sub post_start {
    my $socket = ask("POST /containers/$container/start", "Connection: close\r\n");
    return (0, "the engine cannot be reached") if !defined $socket;
    my ($status, $head) = read_head($socket);
    my $body = "";
    while ($status != 204 && length $body < $READ_BYTES && defined(my $bytes = read_some($socket, $READ_BYTES))) {
        $body .= $bytes;
    }
    my ($message) = $body =~ /"message":"((?:[^"\\]|\\.)*)"/;
    $message = defined $message ? unescape($message) : "the engine answered $status";
    return ($status, $message);
}

# The process of the container, 0 if it has ended or the engine does not have it; undef if the engine does not answer.
sub running_pid {
    my ($is_running, $pid) = state_of_container();
    return undef if !defined $is_running;
    return $is_running ? $pid : 0;
}

# Whether it runs, and its process, which can exist before; empty if the engine does not answer.
sub state_of_container {
    my $socket = ask("GET /containers/$container/json", "Connection: close\r\n") // return;
    my ($status) = read_head($socket);
    return (0, 0) if $status == 404;
    return if $status != 200;
    my $body = "";
    while (defined(my $bytes = read_some($socket, $READ_BYTES))) { $body .= $bytes }
    my ($is_running) = $body =~ /"Running":\s*(true|false)/;
    my ($pid) = $body =~ /"Pid":\s*(\d+)/;
    return if !defined $is_running || !defined $pid;
    return ($is_running eq "true" ? 1 : 0, $pid);
}

sub ask {
    my ($line, $headers) = @_;
    socket(my $socket, PF_UNIX, SOCK_STREAM, 0) or return undef;
    connect($socket, pack_sockaddr_un($spec->{socket}[0])) or return undef;
    my $text = "$line HTTP/1.1\r\nHost: engine\r\nContent-Length: 0\r\n$headers\r\n";
    return defined syswrite($socket, $text) ? $socket : undef;
}

# The status of an answer and its head; what follows is left to be read.
sub read_head {
    my ($socket) = @_;
    my $head = "";
    while ($head !~ /\r\n\r\n$/ && length $head < $READ_BYTES) {
        $head .= read_some($socket, 1) // return (0, "");
    }
    return (($head =~ m{^HTTP/1\.\d (\d+)})[0] // 0, $head);
}

sub read_bytes {
    my ($socket, $count) = @_;
    my $bytes = "";
    while (length $bytes < $count) { $bytes .= read_some($socket, $count - length $bytes) // return undef }
    return $bytes;
}

# Undef at the end.
sub read_some {
    my ($socket, $count) = @_;
    my $read = sysread($socket, my $bytes, $count < $READ_BYTES ? $count : $READ_BYTES);
    return $read ? $bytes : undef;
}

sub take_lock {
    for (1 .. $LOCK_SECONDS * 10) {
        return 1 if flock($lock, LOCK_EX | LOCK_NB);
        select(undef, undef, undef, 0.1);
    }
    return 0;
}

sub unescape {
    my ($text) = @_;
    my %plain = (n => " ", t => " ", r => " ");
    $text =~ s{\\u([0-9a-fA-F]{4})}{ my $code = hex $1; $code < 128 ? chr $code : "?" }ge;
    $text =~ s{\\(.)}{ $plain{$1} // $1 }ge;
    return $text;
}

sub boot_id {
    open(my $file, "<", "/proc/sys/kernel/random/boot_id") or return "";
    my $id = <$file>;
    chomp $id;
    return $id;
}

sub fail {
    my ($reason) = @_;
    chomp $reason;
    print "$reason\n";
    exit 1;
}

sub record {
    my ($name, $text) = @_;
    eval { StateFiles::write_file($name, $text); 1 } or fail($@);
}
