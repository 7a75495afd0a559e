# A workload in namespaces of its own, whose processes all end with its first one.
# Fields of the specification: layer... (names in dir/lower, the uppermost first), volume... (ro or rw, where the workload
# has it and the folder of the machine, joined with =), device... (files of the machine that it has in /dev as well),
# driver... (name and file of the machine, with = between: what it can read in /usr/local/nvidia), ids (the first one of its
# files on the machine, and how many), own_ids (if it has others than its files: see user-namespaces.pl; it writes them to
# `ids`), hostname, cgroup... (folders), oom (file), network (file of a private network), address and prefix (in it), and
# those of confine.pl. In dir it also writes `notices_fd` (the descriptor of the supervisor of the folder /run/svc of the
# workload).
package EnclosedWorkload;
use strict;
use warnings;
use POSIX ();

# Prepares the namespaces of the next child of this process.
sub prepare {
    my ($class, $spec, $output_end) = @_;
    my $self = bless { spec => $spec }, $class;
    # For an ordinary user, whose only id is then 0.
    $self->{is_root} = $> == 0;
    SystemCalls::become_namespace_root() if !$self->{is_root};
    @$self{qw(id_base id_count)} = split / /, $spec->{ids}[0];
    $self->have_own_ids() if $spec->{own_ids};
    chown $self->{id_base}, $self->{id_base}, $output_end;
    $self->start_forwarder();
    SystemCalls::unshare_namespaces("pid");
    return $self;
}

# The kernel ends what the first process leaves behind, so that all output is there soon.
sub drain_seconds { return undef }

sub is_family { return 0 }

sub end_others { }

# Ends what belongs to the workload; also of one that did not start.
sub release {
    my ($self) = @_;
    Forwarder::stop(delete $self->{forwarder}) if defined $self->{forwarder};
    unlink "ids";
}

# Serves the requests of the new process until it has become the program.
sub start {
    my ($self, $pid, $requests, $replies_end) = @_;
    for my $cgroup (@{ $self->{spec}{cgroup} || [] }) {
        StateFiles::write_text("$cgroup/cgroup.procs", $pid) or die "cgroup.procs: $!\n";
    }
    syswrite($replies_end, "\n");
    my $request = <$requests>;
    my ($descriptor) = ($request // "") =~ /^map (\d*)$/ or die $request // "the supervised process ended\n";
    UserNamespaces::map_ids($pid, "0 $self->{id_base} $self->{id_count}\n");
    $self->join_network($pid);
    $self->take_notices($pid, $descriptor);
    # Before the program runs, which could take the port.
    Forwarder::enter($self->{forwarder}, $pid) if defined $self->{forwarder};
    syswrite($replies_end, "\n");
    # The pipe closes when the program is executed.
    $request = <$requests>;
    die $request if defined $request;
}

# The new process, with process id 1 in its namespace. Dies with a sentence.
sub become {
    my ($self, $output_end, $requests_end, $replies) = @_;
    my $spec = $self->{spec};
    <$replies> // die "the supervisor ended\n";
    SystemCalls::unshare_namespaces(qw(mnt uts ipc net cgroup));
    my $hostname = $spec->{hostname}[0];
    SystemCalls::call("sethostname", $hostname, length $hostname);
    open_network();
    my $folder = MountRoot::mount_root($spec, $self->{is_root}, $self->{mapping});
    open(STDIN, "<", "/dev/null") or die "/dev/null: $!\n";
    open(STDOUT, ">&", $output_end) && open(STDERR, ">&", $output_end) or die "output: $!\n";
    if ($self->{is_root}) { UserNamespaces::unshare_owned($self->{id_base}) }
    else                  { SystemCalls::unshare_namespaces("user") }
    print {$requests_end} "map ", defined $folder ? fileno $folder : "", "\n";
    <$replies> // die "the supervisor ended\n";
    # Without further user namespaces there is no way to new capabilities, and so to most of the kernel's interfaces.
    StateFiles::write_text("/proc/sys/user/max_user_namespaces", "0") or die "max_user_namespaces: $!\n";
    Confine::become_root();
    umask 022;
    MountRoot::name_hosts($hostname, defined $spec->{network});
    Confine::run($spec);
}

# How many processes the kernel has killed because of the memory limit, by memory.oom_control (v1) or memory.events (v2).
sub oom_kills {
    my ($self) = @_;
    my ($file) = @{ $self->{spec}{oom} || [] };
    return 0 if !defined $file || !open(my $handle, "<", $file);
    my ($line) = grep { /^oom_kill \d+$/ } <$handle>;
    return $line ? (split / /, $line)[1] + 0 : 0;
}

# Files keep the ids of all workloads, so that any of them can have a layer or a volume.
sub have_own_ids {
    my ($self) = @_;
    my ($files, $count) = @$self{qw(id_base id_count)};
    # By a workload whose supervisor has been killed.
    my $is_taken = sub {
        my ($first) = @_;
        return grep { (StateFiles::read_line($_) // "") =~ /^$first / } glob "../*/ids ../.*/ids";
    };
    @$self{qw(id_base claim)} = UserNamespaces::claim_ids($is_taken);
    StateFiles::write_file("ids", "$self->{id_base} $count");
    # The machine's root user makes the files of the overlay.
    $self->{mapping} = UserNamespaces::open_mapping("0 0 1\n$files $self->{id_base} $count\n");
}

# Keeps the folder open that the new process has as this descriptor, so that svc can write there, and copies what svc has
# written before.
sub take_notices {
    my ($self, $pid, $descriptor) = @_;
    return if $descriptor eq "";
    open($self->{notices}, "<", "/proc/$pid/fd/$descriptor") or die "notices: $!\n";
    my $written = SystemCalls::path_of($self->{notices});
    StateFiles::write_file("notices_fd", fileno $self->{notices});
    for my $file (glob "notices/*") {
        my ($name) = $file =~ m{([^/]+)$};
        my $text = do { local $/; StateFiles::read_line($file) } // next;
        # What svc has written meanwhile is newer.
        StateFiles::write_text("$written/.copy", $text) && chmod(0644, "$written/.copy")
            && link("$written/.copy", "$written/$name");
        unlink "$written/.copy";
    }
}

sub join_network {
    my ($self, $pid) = @_;
    my $spec = $self->{spec};
    my ($file) = @{ $spec->{network} || [] };
    return if !defined $file;
    PrivateNetwork::join_network({ file => $file, address => $spec->{address}[0], prefix => $spec->{prefix}[0] }, $pid);
}

sub start_forwarder {
    my ($self) = @_;
    my $spec = $self->{spec};
    my ($port) = @{ $spec->{proxy} || [] };
    return if !defined $port;
    my ($id) = $spec->{dir}[0] =~ m{([^/]+)$};
    my %sockets = (outbound => $spec->{outbound}[0], inbound => "inbound");
    $self->{forwarder} = Forwarder::start({ id => $id, port => $port, %sockets });
}

# A loopback interface that is up, and on which every user may bind every port.
sub open_network {
    # From <linux/if.h> and <linux/sockios.h>.
    my ($SIOCSIFFLAGS, $IFF_UP) = (0x8914, 1);
    socket(my $socket, 2, 2, 0) or die "socket: $!\n";
    ioctl($socket, $SIOCSIFFLAGS, pack("a16 s x22", "lo", $IFF_UP)) or die "loopback interface: $!\n";
    StateFiles::write_text("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0")
        or die "ip_unprivileged_port_start: $!\n";
}

1;
