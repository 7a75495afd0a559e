# Starts programs for svc: a process with as much memory as svc takes long to fork, and does nothing else meanwhile.
#   perl start-programs.pl <socket> < requests > reports
# The end of the requests ends it, and not the programs. It listens on an abstract socket of this name, for svc alone. A
# request is fields that end with an empty one:
#   id, program, arg..., env..., cwd, descriptor... (of 0, 1, ...: "stream", "none", or "read=" or "append=" and a file)
#   id, kill (a signal)
# The streams of a program are connections to the socket, made before its request, that begin with its id and the number
# of the descriptor. Reports are lines: "listening", and of a program "started <id> <process id>" or "unstarted <id>
# <reason>", then "exited <id> <wait status>", before which "failed <id> <reason>" says that it could not be run.
use strict;
use warnings;
use POSIX qw(:sys_wait_h SIGCHLD SIG_BLOCK SIG_SETMASK);
use Socket;

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";

my $DESCRIPTORS_MAX = 16;
# svc has fewer connections under way; older kernels allow no more.
my $BACKLOG      = 128;
my $HEADER_BYTES = 40;
my $READ_BYTES   = 65_536;
my @IGNORED      = qw(HUP INT TERM PIPE);
# From <sys/signalfd.h> and <asm-generic/socket.h>.
my ($SFD_CLOEXEC, $SO_PEERCRED) = (02000000, 17);

my $GROUP = "svc-programs";

my ($name) = @ARGV;
my $svc = getppid;
SystemCalls::close_inherited();
# svc uses it until it ends itself.
$SIG{$_} = "IGNORE" for @IGNORED;
# Nothing that is opened later has the number of a descriptor that a program gets.
my @taken = (open_file("none"));
push @taken, open_file("none") until fileno $taken[-1] >= $DESCRIPTORS_MAX;
join_group();
open(my $reports, ">&", \*STDOUT) or die "reports: $!\n";
# A signal could come just before a wait; a descriptor cannot be missed.
POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGCHLD));
my $ends = SystemCalls::open_descriptor("signalfd4", -1, pack("Q", 1 << (SIGCHLD - 1)), 8, $SFD_CLOEXEC);
socket(my $listener, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
bind($listener, pack_sockaddr_un("\0$name")) && listen($listener, $BACKLOG) or die "socket: $!\n";

# Streams by id of the program and number, and process ids by id and the reverse.
my (%streams, %pids, %ids);
report("listening");
my $requests = "";
while (1) {
    my $readable = "";
    vec($readable, fileno $_, 1) = 1 for *STDIN, $ends, $listener;
    next if select($readable, undef, undef, undef) <= 0;
    reap()          if vec($readable, fileno $ends,     1);
    accept_stream() if vec($readable, fileno $listener, 1);
    next            if !vec($readable, fileno STDIN, 1);
    sysread(STDIN, $requests, $READ_BYTES, length $requests) or last;
    while ((my $end = index $requests, "\0\0") >= 0) {
        take(SystemCalls::fields_of(substr $requests, 0, $end));
        substr($requests, 0, $end + 2) = "";
    }
}

# Where the cores do not suffice, all programs together count as one session, and not each of them. Without the rights for
# that each does.
sub join_group {
    my ($root) = grep { -e "$_/cgroup.procs" } "/sys/fs/cgroup/cpu", "/sys/fs/cgroup" or return;
    mkdir "$root/$GROUP", 0755;
    open(my $processes, ">", "$root/$GROUP/cgroup.procs") or return;
    syswrite $processes, $$;
}

sub take {
    my ($request) = @_;
    my $id = $request->{id}[0];
    # What has ended is not reaped meanwhile, so that its process id is not another's yet.
    if (my $signal = $request->{kill}) { kill $signal->[0], $pids{$id} if $pids{$id} }
    else                               { start($id, $request) }
}

sub start {
    my ($id, $request) = @_;
    my @descriptors = @{ $request->{descriptor} };
    my $own = streams_of($id, grep { $descriptors[$_] eq "stream" } 0 .. $#descriptors);
    my $pid = fork();
    return report("unstarted $id fork: $!") if !defined $pid;
    if ($pid == 0) {
        eval { become_program($request, map { $own->{$_} // open_file($descriptors[$_]) } 0 .. $#descriptors) };
        report("failed $id $@");
        POSIX::_exit(127);
    }
    ($ids{$pid}, $pids{$id}) = ($id, $pid);
    report("started $id $pid");
}

# Its connections have been made, and may not have been accepted yet.
sub streams_of {
    my ($id, @numbers) = @_;
    accept_stream() while grep { !$streams{$id}{$_} } @numbers;
    return delete $streams{$id} // {};
}

# svc writes the beginning at once. Every user of the machine can connect.
sub accept_stream {
    accept(my $stream, $listener) or die "accept: $!\n";
    return if (unpack "i", getsockopt $stream, SOL_SOCKET, $SO_PEERCRED)[0] != $svc;
    my $header = "";
    1 while length $header < $HEADER_BYTES && sysread $stream, $header, $HEADER_BYTES - length $header, length $header;
    $streams{$1}{ $2 + 0 } = $stream if $header =~ /^(\S+) (\d+)\n\z/;
}

sub become_program {
    my ($request, @handles) = @_;
    POSIX::setsid();
    POSIX::dup2(fileno $handles[$_], $_) // die "descriptor $_: $!\n" for 0 .. $#handles;
    chdir $request->{cwd}[0] or die "$request->{cwd}[0]: $!\n";
    %ENV = map { split /=/, $_, 2 } @{ $request->{env} || [] };
    $SIG{$_} = "DEFAULT" for @IGNORED;
    POSIX::sigprocmask(SIG_SETMASK, POSIX::SigSet->new());
    my $program = $request->{program}[0];
    exec { $program } $program, @{ $request->{arg} || [] } or die "$program: $!\n";
}

sub open_file {
    my ($how) = @_;
    my ($mode, $file) = $how =~ /^(read|append)=(.*)\z/s ? ($1 eq "read" ? "<" : ">>", $2) : ("+<", "/dev/null");
    open(my $handle, $mode, $file) or die "$file: $!\n";
    return $handle;
}

sub reap {
    sysread($ends, my $ignored, $READ_BYTES);
    while ((my $pid = waitpid(-1, WNOHANG)) > 0) {
        my $id = delete $ids{$pid};
        delete $pids{$id};
        report("exited $id $?");
    }
}

# One write, which is not mixed with that of a program that could not be run.
sub report {
    my ($line) = @_;
    $line =~ tr/\n/ /;
    syswrite $reports, "$line\n";
}
