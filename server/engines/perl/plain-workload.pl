# A workload that is a process of the machine, and all that it starts.
# Fields of the specification: mark (the variable that all of its processes have, `NAME=value`), cwd, command... and env...
# (`NAME=value`).
package PlainWorkload;
use strict;
use warnings;
use POSIX ();

# From <linux/prctl.h>: a process ends with its parent, and processes whose parents have ended become children of this one.
my ($PR_SET_PDEATHSIG, $PR_SET_CHILD_SUBREAPER) = (1, 36);
# What is left of a program may write for so long when it was killed.
my $DRAIN_SECONDS = 2;

sub prepare {
    my ($class, $spec) = @_;
    # Without it, the session and the mark still find its processes.
    eval { SystemCalls::call("prctl", $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
    return bless { spec => $spec }, $class;
}

sub drain_seconds { return $DRAIN_SECONDS }

# Processes that it leaves behind become children of this one.
sub is_family { return 1 }

# Kills what the program has left behind, until nothing is found.
sub end_others {
    my ($self, $pid, $reap) = @_;
    my $own = { mark => $self->{spec}{mark}[0], session => $pid, ancestor => $$ };
    for (1 .. 200) {
        my @found = MarkedProcesses::find_all($own) or return;
        kill "KILL", @found;
        select(undef, undef, undef, 0.01);
        $reap->();
    }
}

sub release { }

# Returns when the new process has become the program: then the pipe closes.
sub start {
    my ($self, undef, $requests) = @_;
    my $reason = <$requests>;
    die $reason if defined $reason;
}

# The new process. Dies with a sentence.
sub become {
    my ($self, $output_end) = @_;
    my $spec = $self->{spec};
    POSIX::setsid();
    eval { SystemCalls::call("prctl", $PR_SET_PDEATHSIG, POSIX::SIGKILL(), 0, 0, 0) };
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

# The kernel counts none where no control group holds the workload.
sub oom_kills { return 0 }

1;
