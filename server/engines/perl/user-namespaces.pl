# The ids of a workload on the machine, which no other one has meanwhile: the kernel counts much per user.
package UserNamespaces;
use strict;
use warnings;
use Errno qw(EADDRINUSE);
use POSIX ();

# Ranges follow those of files on disks and of workers. The last one ends below 2^31: some programs count ids with a sign.
my ($FIRST, $COUNT, $RANGES) = (1_900_262_144, 65_536, 3_700);
my ($AF_UNIX, $SOCK_STREAM)  = (1, 1);
# From <linux/prctl.h> and <linux/securebits.h>.
my ($PR_SET_SECUREBITS, $NO_SETUID_FIXUP) = (28, 1 << 2);

# Claims a range for as long as `claim`, which is returned after its first id, is open: no process of the machine has the
# name meanwhile. `is_taken` tells of a first id that is claimed whether something may still have it.
sub claim_ids {
    my ($is_taken) = @_;
    my $start = int rand $RANGES;
    for my $try (0 .. $RANGES - 1) {
        my $first = $FIRST + $COUNT * (($start + $try) % $RANGES);
        socket(my $claim, $AF_UNIX, $SOCK_STREAM, 0) or die "socket: $!\n";
        if (bind($claim, pack "S a*", $AF_UNIX, "\0svc-ids-$first")) {
            return ($first, $claim) if !$is_taken->($first);
        } elsif ($! != EADDRINUSE) {
            die "ids: $!\n";
        }
    }
    die "all ids for workloads of this machine are in use\n";
}

# A user namespace for `SystemCalls::bind` that maps ids by these lines.
sub open_mapping {
    my ($lines) = @_;
    pipe(my $made, my $made_end) && pipe(my $end, my $end_end) or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        close $_ for $made, $end_end;
        eval { SystemCalls::unshare_namespaces("user"); 1 } and syswrite($made_end, "\n");
        readline $end;
        POSIX::_exit(0);
    }
    close $_ for $made_end, $end;
    my $mapping;
    eval {
        readline($made) // die "there is no further user namespace\n";
        map_ids($pid, $lines);
        open($mapping, "<", "/proc/$pid/ns/user") or die "ns/user: $!\n";
    };
    my $failure = $@;
    close $end_end;
    waitpid($pid, 0);
    die $failure if $failure ne "";
    return $mapping;
}

# Maps the ids of the user namespace of a process.
sub map_ids {
    my ($pid, $lines) = @_;
    for my $name (qw(uid_map gid_map)) {
        open(my $file, ">", "/proc/$pid/$name") or die "$name: $!\n";
        defined syswrite($file, $lines) or die "$name: $!\n";
    }
}

# Enters a new user namespace that belongs to the user `id` of the machine: the kernel counts its inotify instances,
# message queues and pending signals for its owner as well, and root would be the owner of all.
sub unshare_owned {
    my ($id) = @_;
    # Not every security module lets a user without capabilities make the namespace.
    eval { SystemCalls::call("prctl", $PR_SET_SECUREBITS, $NO_SETUID_FIXUP, 0, 0, 0) };
    $) = "$id $id";
    $> = $id;
    die "the user $id cannot be assumed\n" if $> != $id;
    SystemCalls::unshare_namespaces("user");
}

1;
