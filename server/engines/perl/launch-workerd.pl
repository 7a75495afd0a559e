# Runs workerd in the working directory, apart from the machine.
#   perl launch-workerd.pl <apart> <uid> <files> <workerd> <argument>...  3> control 4> process id of workerd
# As root it becomes the user `uid`; as an ordinary user it stays that one. workerd ends with the process that started it.
# `apart`: "full" needs root; workerd then sees its own processes only, and of the machine's files only `files`, which are
# separated by colons. "filter" and "full" filter its system calls, "none" does not.
use strict;
use warnings;
use Fcntl qw(F_SETFD FD_CLOEXEC);
use POSIX ();

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/system-call-filter.pl";
require "$folder/enclose.pl";

# From <sys/prctl.h>.
my $PR_SET_PDEATHSIG    = 1;
my $PR_SET_NO_NEW_PRIVS = 38;

my ($apart, $uid, $files, $workerd, @arguments) = @ARGV;
my $parent = getppid;
SystemCalls::close_inherited(3, 4);
open(my $report, ">&=", 4) or die "descriptor 4: $!\n";
fcntl($report, F_SETFD, FD_CLOEXEC) or die "descriptor 4: $!\n";
# Opened before the user changes, who may not be able to enter its folder.
open(my $program, "<", $workerd) or die "$workerd: $!\n";
fcntl($program, F_SETFD, 0) or die "$workerd: $!\n";
if ($> == 0) {
    SystemCalls::unshare_namespaces(qw(net ipc));
} else {
    # Not every machine lets an ordinary user have namespaces; the configuration of workerd closes the network too.
    eval { SystemCalls::unshare_namespaces(qw(user net ipc)) };
}
end_with_parent(sub { getppid == $parent });
my $is_parent_alive = $apart eq "full" ? enclosed() : sub { getppid == $parent };
print_pid($$) if $apart ne "full";
if ($> == 0) {
    $) = "$uid $uid";
    POSIX::setgid($uid) or die "setgid: $!\n";
    POSIX::setuid($uid) or die "setuid: $!\n";
}
SystemCalls::call("prctl", $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
# The change of the user has ended this.
end_with_parent($is_parent_alive);
SystemCallFilter::install() if $apart ne "none";
exec { "/proc/self/fd/" . fileno $program } "workerd", @arguments or die "exec: $!\n";

# Returns in a child that is the first process of its namespace; this process waits for it and does not return. The child
# does not know its parent: a pipe tells whether it has ended.
sub enclosed {
    SystemCalls::unshare_namespaces(qw(mnt pid uts));
    pipe(my $ended, my $open) or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        close $open;
        close $report;
        Enclose::in_root(split /:/, $files);
        return sub {
            my $bits = "";
            vec($bits, fileno $ended, 1) = 1;
            return select($bits, undef, undef, 0) == 0;
        };
    }
    print_pid($pid);
    POSIX::close($_) for 0, 3, fileno $program;
    waitpid $pid, 0;
    exit($? >> 8 || ($? & 127 ? 1 : 0));
}

sub print_pid { syswrite $report, "$_[0]\n"; close $report }

# `is_alive` tells whether the parent has not ended before this call.
sub end_with_parent {
    my ($is_alive) = @_;
    SystemCalls::call("prctl", $PR_SET_PDEATHSIG, POSIX::SIGKILL(), 0, 0, 0);
    exit 1 if !$is_alive->();
}
