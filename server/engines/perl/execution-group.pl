# All that a further program of a workload has started: a control group of its own or, without control groups, the
# processes with its mark.
package ExecutionGroup;
use strict;
use warnings;
use Errno;

my $PREFIX        = "exec-";
my $PAUSE_SECONDS = 0.01;
# A process that waits for a disk ends later.
my $TRIES_MAX = 3000;
my $JOINS_MAX = 10;
# Of the sets of signals in proc(5): SIGKILL is the ninth.
my $SIGKILL_PENDING = 1 << 8;

# Fields of `spec`: cgroup..., of which the last one is the folder of its own, or `mark` (a variable, `NAME=value`).
sub new {
    my ($class, $spec) = @_;
    my @cgroups = @{ $spec->{cgroup} || [] };
    return bless { cgroups => \@cgroups, own => $cgroups[-1], mark => $spec->{mark}[0] }, $class;
}

# Puts a process into the control groups; dies with a sentence.
sub join_groups {
    my ($self, $pid) = @_;
    $self->{pid} = $pid;
    for my $folder (@{ $self->{cgroups} }) {
        my $is_in = 0;
        # One that is still empty is removed when another program ends.
        for (1 .. $JOINS_MAX) {
            mkdir $folder, 0755 if $folder eq $self->{own};
            last if $is_in = write_text("$folder/cgroup.procs", $pid);
        }
        die "cgroup.procs: $!\n" if !$is_in;
    }
}

# Kills all processes; calls `reap` until there are none.
sub end {
    my ($self, $reap) = @_;
    my $own = $self->{own};
    # Version 2 kills a group at once; in version 1 no process can begin another one any more.
    defined $own && (write_text("$own/cgroup.kill", "1") || write_text("$own/pids.max", "0"));
    for (1 .. $TRIES_MAX) {
        $reap->();
        my @found = grep { $_ > 0 } $self->processes() or return;
        kill "KILL", @found;
        select(undef, undef, undef, $PAUSE_SECONDS);
    }
}

sub processes {
    my ($self) = @_;
    my $own = $self->{own};
    if (!defined $own) {
        return MarkedProcesses::find_all({ mark => $self->{mark}, session => $self->{pid}, ancestor => $self->{pid} });
    }
    open(my $handle, "<", "$own/cgroup.procs") or return;
    chomp(my @pids = <$handle>);
    return @pids;
}

# Removes its control group and those of earlier programs, except where something goes on.
sub remove {
    my ($self) = @_;
    my ($parent) = ($self->{own} // return) =~ m{^(.*)/};
    opendir(my $folder, $parent) or return;
    my @left = map { "$parent/$_" } grep { /^\Q$PREFIX\E/ } readdir $folder;
    for (1 .. $TRIES_MAX) {
        @left = grep { !rmdir && !$!{ENOENT} && is_ending($_) } @left or return;
        select(undef, undef, undef, $PAUSE_SECONDS);
    }
}

# Whether all processes of a control group have been killed; the kernel keeps a group until they have ended.
sub is_ending {
    my ($folder) = @_;
    open(my $handle, "<", "$folder/cgroup.procs") or return 0;
    chomp(my @pids = <$handle>);
    return !grep { !is_killed($_) } @pids;
}

sub is_killed {
    my ($pid) = @_;
    open(my $status, "<", "/proc/$pid/status") or return 1;
    while (<$status>) {
        return 1 if /^State:\s+[ZX]/;
        return 1 if /^S\w*Pnd:.*(\w{4})$/ && hex($1) & $SIGKILL_PENDING;
    }
    return 0;
}

sub write_text {
    my ($name, $text) = @_;
    open(my $handle, ">", $name) or return 0;
    defined syswrite($handle, $text) or return 0;
    return close $handle;
}

1;
