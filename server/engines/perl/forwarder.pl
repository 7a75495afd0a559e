# Passes connections between the network of a workload, which reaches nothing else, and svc. Inside, it listens on a port
# of the loopback interface, and passes each connection to a socket of svc after a line with the id of the workload.
# Outside, it listens on a socket in the folder of the workload: a connection begins with the line of a port, and is
# passed to it after "+"; after "-", the port does not accept it.
package Forwarder;
use strict;
use warnings;
use Errno qw(EAGAIN EINPROGRESS EINTR);
use Fcntl;
use POSIX ();
use Socket;

# Both ends of each connection are below the 1024 descriptors of select.
my $CONNECTIONS_MAX  = 256;
my $BUFFER_BYTES     = 65_536;
my $BACKLOG          = 128;
my $LINE_BYTES_MAX   = 6;
my $PR_SET_PDEATHSIG = 1;
my $SIGKILL          = 9;
my $NO_SVC = "svc: The network of this pod is not available at present; retry shortly.\n";
my $NO_SVC_RESPONSE = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: "
    . length($NO_SVC) . "\r\n\r\n$NO_SVC";

# By descriptor: socket, peer, out (what it still has to receive), is_svc, has_ended (nothing more comes from it), and
# for a connection to a port that is not open yet, is_connecting.
my %ends;

# Starts it as a child of this process, which it does not outlive. Its process-id namespace is that of the child, so it is
# started before this process gives its children another one. Options: id (of the workload), port (inside), outbound and
# inbound (sockets, relative to the working directory).
sub start {
    my ($options) = @_;
    my $parent = $$;
    pipe(my $target, my $target_end) && pipe(my $ready, my $ready_end) or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    return { pid => $pid, target => $target_end, ready => $ready } if $pid != 0;
    eval {
        SystemCalls::call("prctl", $PR_SET_PDEATHSIG, $SIGKILL, 0, 0, 0);
        die "the supervisor ended\n" if getppid() != $parent;
        SystemCalls::close_inherited(fileno $target, fileno $ready_end);
        open(STDIN, "<", "/dev/null") && open(STDOUT, ">", "/dev/null") or die "/dev/null: $!\n";
        run($options, $target, $ready_end);
    };
    my $reason = $@;
    # The first is the log of the supervisor, the second is closed once it listens.
    print STDERR "forwarder: $reason";
    syswrite($ready_end, $reason) if defined fileno $ready_end;
    POSIX::_exit(1);
}

# Returns when it listens in the network of the process `pid`.
sub enter {
    my ($forwarder, $pid) = @_;
    syswrite($forwarder->{target}, "$pid\n");
    close $forwarder->{target};
    my $ready = $forwarder->{ready};
    my $reply = <$ready> // "the forwarder ended\n";
    die "network: $reply" if $reply ne "listening\n";
}

sub stop {
    my ($forwarder) = @_;
    kill "KILL", $forwarder->{pid};
    waitpid($forwarder->{pid}, 0);
}

sub run {
    my ($options, $target, $ready_end) = @_;
    chomp(my $pid = <$target> // die "the supervisor ended\n");
    open(my $namespace, "<", "/proc/$pid/ns/net") or die "ns/net: $!\n";
    SystemCalls::enter_namespace($namespace, "net");
    close_socket($_) for $namespace, $target;
    $SIG{PIPE} = "IGNORE";
    my $inside = listen_on(PF_INET, pack_sockaddr_in($options->{port}, INADDR_LOOPBACK));
    unlink $options->{inbound};
    my $outside = listen_on(PF_UNIX, pack_sockaddr_un($options->{inbound}));
    syswrite($ready_end, "listening\n");
    close_socket($ready_end);
    while (1) { turn($inside, $outside, $options) }
}

sub listen_on {
    my ($family, $address) = @_;
    my $socket = open_socket($family);
    bind($socket, $address) && listen($socket, $BACKLOG) or die "listen: $!\n";
    return $socket;
}

sub open_socket {
    my ($family) = @_;
    socket(my $socket, $family, SOCK_STREAM, 0) or die "socket: $!\n";
    return without_waiting($socket);
}

sub without_waiting {
    my ($socket) = @_;
    fcntl($socket, F_SETFL, fcntl($socket, F_GETFL, 0) | O_NONBLOCK) or die "O_NONBLOCK: $!\n";
    return $socket;
}

# Waits until something can be passed, and passes it.
sub turn {
    my ($inside, $outside, $options) = @_;
    my ($reading, $writing) = ("", "");
    if (keys %ends < 2 * $CONNECTIONS_MAX) { vec($reading, fileno $_, 1) = 1 for $inside, $outside }
    for my $fd (keys %ends) {
        vec($reading, $fd, 1) = 1 if is_read($ends{$fd});
        vec($writing, $fd, 1) = 1 if $ends{$fd}{is_connecting} || $ends{$fd}{out} ne "";
    }
    return if select($reading, $writing, undef, undef) <= 0;
    for my $fd (keys %ends) {
        # One that was closed in this turn is no longer there.
        write_to($ends{$fd}) if $ends{$fd} && vec($writing, $fd, 1);
        read_from($ends{$fd}) if $ends{$fd} && vec($reading, $fd, 1);
    }
    pass_out($inside, $options) if vec($reading, fileno $inside, 1);
    pass_in($outside) if vec($reading, fileno $outside, 1);
}

# Nothing is read that the other end cannot take yet.
sub is_read {
    my ($end) = @_;
    return 0 if $end->{has_ended};
    my $peer = $end->{peer} // return 1;
    return !$peer->{is_connecting} && $peer->{out} eq "";
}

sub pass_out {
    my ($inside, $options) = @_;
    accept(my $client, $inside) or return;
    my $svc = open_socket(PF_UNIX);
    if (!connect($svc, pack_sockaddr_un($options->{outbound}))) {
        syswrite($client, $NO_SVC_RESPONSE);
        close_socket($_) for $client, $svc;
        return;
    }
    my ($from, $to) = (add_end($client), add_end($svc, is_svc => 1, out => "$options->{id}\n"));
    ($from->{peer}, $to->{peer}) = ($to, $from);
}

sub pass_in {
    my ($outside) = @_;
    accept(my $svc, $outside) or return;
    add_end($svc, is_svc => 1, asked => "");
}

sub add_end {
    my ($socket, %fields) = @_;
    without_waiting($socket);
    return $ends{ fileno $socket } = { socket => $socket, out => "", %fields };
}

sub read_from {
    my ($end) = @_;
    my $count = sysread($end->{socket}, my $bytes, $BUFFER_BYTES);
    if (!defined $count) {
        close_pair($end) if $! != EAGAIN && $! != EINTR;
        return;
    }
    if ($count == 0) {
        $end->{has_ended} = 1;
        return $end->{peer} ? write_to($end->{peer}) : close_pair($end);
    }
    return open_port($end, $bytes) if !$end->{peer};
    $end->{peer}{out} .= $bytes;
    write_to($end->{peer});
}

# Connects a new connection of svc to the port of its first line.
sub open_port {
    my ($svc, $bytes) = @_;
    $svc->{asked} .= $bytes;
    my ($port) = $svc->{asked} =~ /^(\d{1,5})\n$/;
    if (!defined $port) {
        close_pair($svc) if length $svc->{asked} >= $LINE_BYTES_MAX;
        return;
    }
    my $socket = open_socket(PF_INET);
    my $is_open = connect($socket, pack_sockaddr_in($port, INADDR_LOOPBACK));
    if (!$is_open && $! != EINPROGRESS) {
        close_socket($socket);
        return refuse($svc);
    }
    my $program = add_end($socket, is_connecting => 1, peer => $svc);
    $svc->{peer} = $program;
    write_to($program) if $is_open;
}

sub refuse {
    my ($svc) = @_;
    syswrite($svc->{socket}, "-");
    close_pair($svc);
}

sub write_to {
    my ($end) = @_;
    my $peer = $end->{peer};
    if ($end->{is_connecting}) {
        my $error = unpack "i", getsockopt($end->{socket}, SOL_SOCKET, SO_ERROR);
        return refuse($peer) if $error != 0;
        $end->{is_connecting} = 0;
        $peer->{out} .= "+";
    }
    if ($end->{out} ne "") {
        my $count = syswrite($end->{socket}, $end->{out});
        if (!defined $count) {
            close_pair($end) if $! != EAGAIN && $! != EINTR;
            return;
        }
        substr($end->{out}, 0, $count) = "";
    }
    return if $end->{out} ne "" || !$peer || !$peer->{has_ended};
    # svc closes a connection as a whole; a program may still wait for an answer when it has sent everything.
    return close_pair($end) if $peer->{is_svc};
    shutdown($end->{socket}, SHUT_WR);
}

sub close_pair {
    my ($end) = @_;
    my @pair = grep { defined } $end, $end->{peer};
    for my $closed (@pair) {
        delete $ends{ fileno $closed->{socket} };
        close_socket($closed->{socket});
        # The two refer to each other.
        delete $closed->{peer};
    }
}

# Perl leaves a descriptor open that a handle of the supervisor had before: it counts handles by descriptor.
sub close_socket {
    my ($socket) = @_;
    my $fd = fileno $socket;
    close $socket;
    POSIX::close($fd);
}

1;
