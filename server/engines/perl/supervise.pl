# Starts one workload and stays until it has ended: keeps its output, bounded, and writes how it ended.
#   perl supervise.pl < specification
# Fields: dir (of the workload), segment (bytes of a log segment), segments (how many are kept), layer... (names in
# dir/lower, the uppermost first), volume... (ro or rw, where the workload has it and the folder of the machine, joined
# with =), device... (files of the machine that it has in /dev as well), driver... (name and file of the machine, with =
# between: what it can read in /usr/local/nvidia), ids (the first one of its files on the machine, and how many), own_ids
# (if it has others than its files: see user-namespaces.pl; it writes them to `ids`), hostname, cgroup... (folders), oom
# (file), network (file of a private network), address and prefix (in it), and those of confine.pl. Prints "running", or
# one sentence on why it did not start. It survives the process that started it. In dir it writes `supervisor` and
# `process` (process id and start time of itself and of the workload's first process), `notices_fd` (its descriptor of the
# folder /run/svc of the workload), `running` (empty) and `exited` (wait status and OOM kills), whose modification times
# are the times of these events. Every file appears whole.
use strict;
use warnings;
use Fcntl qw(:flock);
use POSIX ();

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/system-call-filter.pl";
require "$folder/confine.pl";
require "$folder/user-namespaces.pl";
require "$folder/mount-root.pl";
require "$folder/log-segments.pl";
require "$folder/forwarder.pl";
require "$folder/private-network.pl";

my $READ_BYTES        = 65_536;
my $START_SECONDS_MAX = 60;

SystemCalls::close_inherited();
my $spec = SystemCalls::read_fields(*STDIN);
chdir $spec->{dir}[0] or fail("the folder of the workload cannot be entered: $!");
# The kernel releases the lock when this process ends, however it ends.
open(my $lock, ">>", "lock") or fail("lock: $!");
flock($lock, LOCK_EX | LOCK_NB) or fail("the workload has a supervisor");
fail("the workload has exited") if -e "exited";
unlink "running", "process", "ids", "notices_fd";
write_file("supervisor", "$$ " . SystemCalls::process_mark($$));

# For an ordinary user, whose only id is then 0.
my $is_root = $> == 0;
$is_root or eval { SystemCalls::become_namespace_root(); 1 } or fail($@);
my ($id_base, $id_count) = split / /, $spec->{ids}[0];
my ($claim, $mapping);
eval { have_own_ids() if $spec->{own_ids}; 1 } or fail($@);
my ($output, $output_end) = pipe_pair();
my ($requests, $requests_end) = pipe_pair();
my ($replies, $replies_end) = pipe_pair();
chown $id_base, $id_base, $output_end;
my ($forwarder, $notices);
my $pid;
eval { start_forwarder(); SystemCalls::unshare_namespaces("pid"); 1 } or fail($@);
$pid = fork() // fail("fork: $!");
if ($pid == 0) {
    close $_ for $output, $requests, $replies_end;
    eval { become_workload() };
    print {$requests_end} $@;
    POSIX::_exit(127);
}
close $_ for $output_end, $requests_end, $replies;
# A process that finds this supervisor dead ends the workload by this file.
write_file("process", "$pid " . (SystemCalls::process_mark($pid) // 0));
$SIG{$_} = "IGNORE" for qw(HUP INT TERM PIPE);
# A start that hangs ends like one that was killed.
alarm $START_SECONDS_MAX;
start_workload();
alarm 0;
write_file("running", "");
print "running\n";
open(STDOUT, ">", "/dev/null");
keep_output();
waitpid($pid, 0);
my $status = $?;
undef $pid;
Forwarder::stop($forwarder) if defined $forwarder;
unlink "ids";
write_file("exited", "$status " . oom_kills());

# Serves the requests of the new process until it has become the program.
sub start_workload {
    for my $cgroup (@{ $spec->{cgroup} || [] }) {
        write_text("$cgroup/cgroup.procs", $pid) or fail("cgroup.procs: $!");
    }
    syswrite($replies_end, "\n");
    my $request = <$requests>;
    my ($descriptor) = ($request // "") =~ /^map (\d*)$/ or fail($request // "the supervised process ended");
    eval { UserNamespaces::map_ids($pid, "0 $id_base $id_count\n"); 1 } or fail($@);
    eval { join_network(); take_notices($descriptor); 1 } or fail($@);
    # Before the program runs, which could take the port.
    !defined $forwarder || eval { Forwarder::enter($forwarder, $pid); 1 } or fail($@);
    syswrite($replies_end, "\n");
    # The pipe closes when the program is executed.
    $request = <$requests>;
    fail($request) if defined $request;
}

# Files keep the ids of all workloads, so that any of them can have a layer or a volume.
sub have_own_ids {
    my ($files, $count) = ($id_base, $id_count);
    # By a workload whose supervisor has been killed.
    my $is_taken = sub { my ($first) = @_; return grep { (read_text($_) // "") =~ /^$first / } glob "../*/ids ../.*/ids" };
    ($id_base, $claim) = UserNamespaces::claim_ids($is_taken);
    write_file("ids", "$id_base $id_count");
    # The machine's root user makes the files of the overlay.
    $mapping = UserNamespaces::open_mapping("0 0 1\n$files $id_base $count\n");
}

# Keeps the folder open that the new process has as this descriptor, so that svc can write there, and copies what svc has
# written before.
sub take_notices {
    my ($descriptor) = @_;
    return if $descriptor eq "";
    open($notices, "<", "/proc/$pid/fd/$descriptor") or die "notices: $!\n";
    my $written = SystemCalls::path_of($notices);
    write_file("notices_fd", fileno $notices);
    for my $file (glob "notices/*") {
        my ($name) = $file =~ m{([^/]+)$};
        my $text = do { local $/; read_text($file) } // next;
        # What svc has written meanwhile is newer.
        write_text("$written/.copy", $text) && chmod(0644, "$written/.copy") && link("$written/.copy", "$written/$name");
        unlink "$written/.copy";
    }
}

sub join_network {
    my ($file) = @{ $spec->{network} || [] };
    return if !defined $file;
    PrivateNetwork::join_network({ file => $file, address => $spec->{address}[0], prefix => $spec->{prefix}[0] }, $pid);
}

sub start_forwarder {
    my ($port) = @{ $spec->{proxy} || [] };
    return if !defined $port;
    my ($id) = $spec->{dir}[0] =~ m{([^/]+)$};
    $forwarder = Forwarder::start({ id => $id, port => $port, outbound => $spec->{outbound}[0], inbound => "inbound" });
}

# The new process, with process id 1 in its namespace.
sub become_workload {
    $requests_end->autoflush(1);
    <$replies> // die "the supervisor ended\n";
    SystemCalls::unshare_namespaces(qw(mnt uts ipc net cgroup));
    my $hostname = $spec->{hostname}[0];
    SystemCalls::call("sethostname", $hostname, length $hostname);
    open_network();
    my $folder = MountRoot::mount_root($spec, $is_root, $mapping);
    open(STDIN, "<", "/dev/null") or die "/dev/null: $!\n";
    open(STDOUT, ">&", $output_end) && open(STDERR, ">&", $output_end) or die "output: $!\n";
    if ($is_root) { UserNamespaces::unshare_owned($id_base) }
    else          { SystemCalls::unshare_namespaces("user") }
    print {$requests_end} "map ", defined $folder ? fileno $folder : "", "\n";
    <$replies> // die "the supervisor ended\n";
    # Without further user namespaces there is no way to new capabilities, and so to most of the kernel's interfaces.
    write_text("/proc/sys/user/max_user_namespaces", "0") or die "max_user_namespaces: $!\n";
    Confine::become_root();
    umask 022;
    MountRoot::name_hosts($hostname, defined $spec->{network});
    Confine::run($spec);
}

# A loopback interface that is up, and on which every user may bind every port.
sub open_network {
    # From <linux/if.h> and <linux/sockios.h>.
    my ($SIOCSIFFLAGS, $IFF_UP) = (0x8914, 1);
    socket(my $socket, 2, 2, 0) or die "socket: $!\n";
    ioctl($socket, $SIOCSIFFLAGS, pack("a16 s x22", "lo", $IFF_UP)) or die "loopback interface: $!\n";
    write_text("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0") or die "ip_unprivileged_port_start: $!\n";
}

# Copies output to the log of the workload.
sub keep_output {
    my $log = LogSegments->open("log", $spec->{segment}[0], $spec->{segments}[0]);
    while (sysread($output, my $bytes, $READ_BYTES)) { $log->append($bytes) }
}

# How many processes the kernel has killed because of the memory limit, by memory.oom_control (v1) or memory.events (v2).
sub oom_kills {
    my ($file) = @{ $spec->{oom} || [] };
    return 0 if !defined $file || !open(my $handle, "<", $file);
    my ($line) = grep { /^oom_kill \d+$/ } <$handle>;
    return $line ? (split / /, $line)[1] + 0 : 0;
}

# A workload that has begun ends with it.
sub fail {
    my ($reason) = @_;
    if ($pid) {
        kill "KILL", $pid;
        waitpid($pid, 0);
    }
    Forwarder::stop($forwarder) if defined $forwarder;
    chomp $reason;
    print "$reason\n";
    exit 1;
}

sub pipe_pair {
    pipe(my $reader, my $writer) or fail("pipe: $!");
    return ($reader, $writer);
}

sub read_text {
    my ($name) = @_;
    open(my $handle, "<", $name) or return undef;
    return scalar <$handle>;
}

sub write_file {
    my ($name, $text) = @_;
    write_text("$name.new", "$text\n") && rename("$name.new", $name) or fail("$name: $!");
}

sub write_text {
    my ($name, $text) = @_;
    open(my $handle, ">", $name) or return 0;
    defined syswrite($handle, $text) or return 0;
    return close $handle;
}
