# Private networks: a network namespace with a bridge, which a file keeps, and workloads that are connected to it.
package PrivateNetwork;
use strict;
use warnings;
use POSIX ();

my @IP     = qw(ip -batch -);
my $BRIDGE = "br0";
my $MTU    = 1500;

# Makes the network in this process, and mounts it on a file, which keeps it. The mount is the last step: what has it is whole.
sub make {
    my ($file) = @_;
    SystemCalls::unshare_namespaces("net");
    configure(undef, <<"END");
link set lo up
link add $BRIDGE type bridge stp_state 0 forward_delay 0 mcast_snooping 0
link set $BRIDGE addrgenmode none
link set $BRIDGE up
END
    SystemCalls::mount($file, "", { flags => ["bind"], source => "/proc/self/ns/net" });
}

sub remove { my ($file) = @_; SystemCalls::call("umount2", $file, 2) }

# Connects the network namespace of the process `pid` with that of `options`: file, address and prefix (its length). The
# interface in the network is named after the address, which no other workload has.
sub join_network {
    my ($options, $pid) = @_;
    my $bytes = join "", map { sprintf "%02x", $_ } split /\./, $options->{address};
    my $mac   = join ":", "02", "fd", $bytes =~ /../g;
    my $inside = "/proc/$pid/ns/net";
    # That of an earlier run, whose namespace the kernel is about to delete.
    eval { configure($options->{file}, "link del v$bytes\n") };
    configure($options->{file}, <<"END");
link add v$bytes mtu $MTU type veth peer name eth0 mtu $MTU address $mac netns $inside
link set v$bytes addrgenmode none
link set v$bytes master $BRIDGE
link set v$bytes up
END
    configure($inside, <<"END");
link set eth0 addrgenmode none
address add $options->{address}/$options->{prefix} dev eth0
link set eth0 up
END
}

# Runs lines of `ip -batch` in the network namespace of a file, or in that of this process.
sub configure {
    my ($file, $lines) = @_;
    pipe(my $commands, my $commands_end) && pipe(my $errors, my $errors_end) or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        eval { become_ip($file, $commands, $errors_end) };
        syswrite($errors_end, $@);
        POSIX::_exit(127);
    }
    close $_ for $commands, $errors_end;
    syswrite($commands_end, $lines);
    close $commands_end;
    my $reason = <$errors> // "ip failed";
    waitpid($pid, 0);
    die "private network: $reason\n" if $? != 0;
}

sub become_ip {
    my ($file, $commands, $errors_end) = @_;
    if (defined $file) {
        open(my $namespace, "<", $file) or die "$file: $!\n";
        SystemCalls::enter_namespace($namespace, "net");
    }
    open(STDIN, "<&", $commands) && open(STDOUT, ">", "/dev/null") && open(STDERR, ">&", $errors_end) or die "ip: $!\n";
    no warnings "exec";
    exec { $IP[0] } @IP;
    die "ip: $!\n";
}

1;
