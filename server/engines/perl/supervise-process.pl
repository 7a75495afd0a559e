# Starts the program of one workload as a process of the machine and stays until it has ended: keeps its output, bounded,
# ends what it leaves behind, and writes how it ended.
#   perl supervise-process.pl < specification
# Fields: dir (of the workload), segment (bytes of a log segment), segments (how many are kept), mark (the variable that
# all of its processes have), cwd, command... and env... (`NAME=value`). Prints "running", or one sentence on why it did
# not start. It survives the process that started it, and writes the same files as supervise.pl of the namespaces runtime.
use strict;
use warnings;
use Fcntl qw(:flock);
use POSIX qw(:sys_wait_h);

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/log-segments.pl";
require "$folder/marked-processes.pl";

my $READ_BYTES = 65_536;
# From <linux/prctl.h>: processes whose parents have ended become children of this one.
my $PR_SET_CHILD_SUBREAPER = 36;
# A process ends with its parent.
my $PR_SET_PDEATHSIG = 1;
# What is left of a program may write for so long when it was killed.
my $DRAIN_SECONDS = 2;

SystemCalls::close_inherited();
my $spec = SystemCalls::read_fields(*STDIN);
chdir $spec->{dir}[0] or fail("the folder of the workload cannot be entered: $!");
# The kernel releases the lock when this process ends, however it ends.
open(my $lock, ">>", "lock") or fail("lock: $!");
flock($lock, LOCK_EX | LOCK_NB) or fail("the workload has a supervisor");
fail("the workload has exited") if -e "exited";
unlink "running", "process";
write_file("supervisor", "$$ " . SystemCalls::process_mark($$));
# Without it, the session and the mark still find them.
eval { SystemCalls::call("prctl", $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
$SIG{$_} = "IGNORE" for qw(HUP INT TERM PIPE);
# Ends the wait for output.
my ($wake, $wake_end) = pipe_pair();
$SIG{CHLD} = sub { syswrite($wake_end, "\n") };

my ($output, $output_end) = pipe_pair();
my ($failure, $failure_end) = pipe_pair();
my $pid = fork() // fail("fork: $!");
if ($pid == 0) {
    eval { become_program() };
    print {$failure_end} $@;
    POSIX::_exit(127);
}
close $_ for $output_end, $failure_end;
# A process that finds this supervisor dead ends the workload by this file.
write_file("process", "$pid " . (SystemCalls::process_mark($pid) // 0));
# The pipe closes when the program is executed.
my $reason = <$failure>;
fail($reason) if defined $reason;
write_file("running", "");
$| = 1;
print "running\n";
open(STDOUT, ">", "/dev/null");
my $log = LogSegments->open("log", $spec->{segment}[0], $spec->{segments}[0]);
my ($status, $is_open) = (undef, 1);
keep_output(undef) until defined $status;
end_others();
my $drained_at = time + $DRAIN_SECONDS;
keep_output(0.1) while $is_open && time < $drained_at;
write_file("exited", "$status 0");

sub become_program {
    POSIX::setsid();
    eval { SystemCalls::call("prctl", $PR_SET_PDEATHSIG, POSIX::SIGKILL(), 0, 0, 0) };
    $SIG{$_} = "DEFAULT" for qw(HUP INT TERM PIPE CHLD);
    open(STDIN, "<", "/dev/null") or die "/dev/null: $!\n";
    open(STDOUT, ">&", $output_end) && open(STDERR, ">&", $output_end) or die "output: $!\n";
    umask 022;
    chdir $spec->{cwd}[0] or die "the working directory cannot be entered: $!\n";
    %ENV = map { split /=/, $_, 2 } @{ $spec->{env} || [] }, $spec->{mark}[0];
    my @command = @{ $spec->{command} };
    no warnings "exec";
    exec { $command[0] } @command;
    die "the program $command[0] cannot be run: $!\n";
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
    while ((my $ended = waitpid(-1, WNOHANG)) > 0) { $status = $? if $ended == $pid }
}

# Kills what the program has left behind, until nothing is found.
sub end_others {
    for (1 .. 200) {
        my @found = others() or return;
        kill "KILL", @found;
        select(undef, undef, undef, 0.01);
        reap();
    }
}

sub others { return MarkedProcesses::find_all({ mark => $spec->{mark}[0], session => $pid, ancestor => $$ }) }

# A program that has begun ends with it.
sub fail {
    my ($text) = @_;
    if ($pid) {
        kill "KILL", $pid;
        waitpid($pid, 0);
    }
    chomp $text;
    print "$text\n";
    exit 1;
}

sub pipe_pair {
    pipe(my $reader, my $writer) or fail("pipe: $!");
    return ($reader, $writer);
}

sub write_file {
    my ($name, $text) = @_;
    open(my $handle, ">", "$name.new") or fail("$name: $!");
    defined syswrite($handle, "$text\n") && close $handle && rename("$name.new", $name) or fail("$name: $!");
}
