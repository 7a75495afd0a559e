# Becomes workerd in the working directory, apart from the network of the machine.
#   perl launch.pl <uid> <workerd> <argument>...  3> control
# As root it becomes the user `uid`; as an ordinary user it stays that one. workerd ends with the process that started it.
use strict;
use warnings;
use Fcntl qw(F_SETFD);
use POSIX ();

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/../runtime/namespaces/system-calls.pl";

# From <sys/prctl.h>.
my $PR_SET_PDEATHSIG    = 1;
my $PR_SET_NO_NEW_PRIVS = 38;

my ($uid, $workerd, @arguments) = @ARGV;
my $parent = getppid;
SystemCalls::close_inherited(3);
# Opened before the user changes, who may not be able to enter its folder.
open(my $program, "<", $workerd) or die "$workerd: $!\n";
fcntl($program, F_SETFD, 0) or die "$workerd: $!\n";
if ($> == 0) {
    SystemCalls::unshare_namespaces(qw(net ipc));
    $) = "$uid $uid";
    POSIX::setgid($uid) or die "setgid: $!\n";
    POSIX::setuid($uid) or die "setuid: $!\n";
} else {
    # Not every machine lets an ordinary user have namespaces; the configuration of workerd closes the network too.
    eval { SystemCalls::unshare_namespaces(qw(user net ipc)) };
}
SystemCalls::call("prctl", $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
SystemCalls::call("prctl", $PR_SET_PDEATHSIG, POSIX::SIGKILL(), 0, 0, 0);
exit 1 if getppid != $parent;
exec { "/proc/self/fd/" . fileno $program } "workerd", @arguments or die "exec: $!\n";
