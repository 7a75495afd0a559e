# Starts one workload and stays until it has ended: keeps its output, bounded, and writes how it ended.
#   perl supervise.pl < specification
# Fields: dir (of the workload), segment (bytes of a log segment), segments (how many are kept), and those of
# plain-workload.pl if there is a mark, else of enclosed-workload.pl. Prints "running", or one sentence on why it did not
# start. It survives the process that started it. In dir it writes `supervisor` and `process` (process id and start time of
# itself and of the workload's first process), `running` (empty) and `exited` (wait status and OOM kills), whose
# modification times are the times of these events. Every file appears whole.
use strict;
use warnings;
use Fcntl qw(:flock);
use POSIX qw(:sys_wait_h);

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/state-files.pl";
require "$folder/log-segments.pl";

my $READ_BYTES        = 65_536;
my $START_SECONDS_MAX = 60;
my @IGNORED           = qw(HUP INT TERM PIPE);

# The first process of the workload while it is not reaped; its wait status then.
my ($pid, $status);
my ($workload, $output, $is_open, $wake, $log);

SystemCalls::close_inherited();
my $spec = SystemCalls::read_fields(*STDIN);
chdir $spec->{dir}[0] or fail("the folder of the workload cannot be entered: $!");
# The kernel releases the lock when this process ends, however it ends.
open(my $lock, ">>", "lock") or fail("lock: $!");
eval { begin(); 1 } or fail($@);
print "running\n";
open(STDOUT, ">", "/dev/null");
eval { follow(); 1 } or fail($@);

# Returns when the workload has become its program.
sub begin {
    flock($lock, LOCK_EX | LOCK_NB) or die "the workload has a supervisor\n";
    die "the workload has exited\n" if -e "exited";
    unlink "running", "process", "ids", "notices_fd";
    StateFiles::write_file("supervisor", "$$ " . SystemCalls::process_mark($$));
    ($output, my $output_end) = pipe_pair();
    my ($requests, $requests_end) = pipe_pair();
    my ($replies, $replies_end) = pipe_pair();
    $workload = kind()->prepare($spec, $output_end);
    $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        close $_ for $output, $requests, $replies_end;
        $requests_end->autoflush(1);
        eval { $workload->become($output_end, $requests_end, $replies) };
        print {$requests_end} $@;
        POSIX::_exit(127);
    }
    close $_ for $output_end, $requests_end, $replies;
    # A process that finds this supervisor dead ends the workload by this file.
    StateFiles::write_file("process", "$pid " . (SystemCalls::process_mark($pid) // 0));
    $SIG{$_} = "IGNORE" for @IGNORED;
    # A start that hangs ends like one that was killed.
    alarm $START_SECONDS_MAX;
    $workload->start($pid, $requests, $replies_end);
    alarm 0;
    StateFiles::write_file("running", "");
}

sub kind {
    if ($spec->{mark}) {
        require "$folder/marked-processes.pl";
        require "$folder/plain-workload.pl";
        return "PlainWorkload";
    }
    require "$folder/system-call-filter.pl";
    require "$folder/confine.pl";
    require "$folder/user-namespaces.pl";
    require "$folder/mount-root.pl";
    require "$folder/forwarder.pl";
    require "$folder/private-network.pl";
    require "$folder/enclosed-workload.pl";
    return "EnclosedWorkload";
}

# Returns when the workload has ended, its output is kept and its end is recorded.
sub follow {
    ($wake, my $wake_end) = pipe_pair();
    # Ends the wait for output.
    $SIG{CHLD} = sub { syswrite($wake_end, "\n") };
    $log = LogSegments->open("log", $spec->{segment}[0], $spec->{segments}[0]);
    $is_open = 1;
    my $first = $pid;
    reap();
    keep_output(undef) until defined $status;
    $workload->end_others($first, \&reap);
    my $seconds = $workload->drain_seconds();
    my $drained_at = defined $seconds ? time + $seconds : 9**9**9;
    keep_output(0.1) while $is_open && time < $drained_at;
    $workload->release();
    StateFiles::write_file("exited", "$status " . $workload->oom_kills());
}

# Waits for output, which it appends to the log, or for the end of a process.
sub keep_output {
    my ($seconds) = @_;
    my $readable = "";
    vec($readable, fileno $wake, 1) = 1;
    vec($readable, fileno $output, 1) = 1 if $is_open;
    return if select($readable, undef, undef, $seconds) <= 0;
    if (vec($readable, fileno $wake, 1)) {
        sysread($wake, my $ignored, $READ_BYTES);
        reap();
    }
    return if !$is_open || !vec($readable, fileno $output, 1);
    my $count = sysread($output, my $bytes, $READ_BYTES);
    if ($count) { $log->append($bytes) }
    elsif (defined $count) { $is_open = 0 }
}

sub reap {
    while ((my $ended = waitpid($workload->is_family() ? -1 : $pid // return, WNOHANG)) > 0) {
        next if !defined $pid || $ended != $pid;
        $status = $?;
        undef $pid;
    }
}

# A workload that has begun ends with it.
sub fail {
    my ($reason) = @_;
    if ($pid) {
        kill "KILL", $pid;
        waitpid($pid, 0);
    }
    $workload->release() if defined $workload;
    chomp $reason;
    print "$reason\n";
    exit 1;
}

sub pipe_pair {
    pipe(my $reader, my $writer) or die "pipe: $!\n";
    return ($reader, $writer);
}
