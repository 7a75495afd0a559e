# The last steps before the program of a workload runs: its root file system is mounted, its user namespace entered.
package Confine;
use strict;
use warnings;
use Fcntl;
use POSIX ();

# From <linux/prctl.h>.
my $PR_SET_PDEATHSIG    = 1;
my $PR_CAPBSET_DROP     = 24;
my $PR_SET_NO_NEW_PRIVS = 38;
# What Docker leaves to a container, without MKNOD, NET_*, SYS_CHROOT and AUDIT_WRITE; valid in its user namespace only.
my %KEPT = map { $_ => 1 } (
    0, 1, 3, 4,    # CHOWN DAC_OVERRIDE FOWNER FSETID
    5, 6, 7, 8,    # KILL SETGID SETUID SETPCAP
    31,            # SETFCAP
);
# From <linux/keyctl.h> and <asm-generic/resource.h>.
my ($KEYCTL_JOIN_SESSION_KEYRING, $RLIMIT_CORE) = (1, 4);
my $DEFAULT_PATH      = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
my $ACCOUNT_BYTES_MAX = 1024 * 1024;

# Becomes the root user of the namespace.
sub become_root {
    no warnings "once";
    $) = "0 0";
    POSIX::setgid(0) or die "setgid: $!\n";
    POSIX::setuid(0) or die "setuid: $!\n";
}

# Runs the program of `spec` (command, env, user, cwd, ids) and does not return; dies with a sentence.
sub run {
    my ($spec) = @_;
    # With a single id there is only the root user of the namespace.
    my $is_single = (split / /, $spec->{ids}[0])[1] == 1;
    my ($uid, $gid, $groups, $home) = account($is_single ? "0" : $spec->{user}[0] // "");
    my $cwd = $spec->{cwd}[0] || "/";
    make_directories($cwd);
    chown($uid, $gid, *STDOUT, *STDERR);
    leave_session();
    drop_privileges();
    $( = $gid;
    $) = join " ", $gid, @$groups ? @$groups : $gid;
    POSIX::setgid($gid);
    POSIX::setuid($uid);
    die "the user $uid:$gid cannot be assumed\n" if $< != $uid || $> != $uid || (split / /, $))[0] != $gid;
    # Nothing would record its end or take its output: it ends with its supervisor. A change of the user resets this.
    SystemCalls::call("prctl", $PR_SET_PDEATHSIG, POSIX::SIGKILL(), 0, 0, 0);
    chdir $cwd or die "the working directory $cwd cannot be entered: $!\n";
    %ENV = (PATH => $DEFAULT_PATH, HOME => $home, map { split /=/, $_, 2 } @{ $spec->{env} || [] });
    my @command = @{ $spec->{command} };
    no warnings "exec";
    exec { $command[0] } @command;
    die "the program $command[0] cannot be run: $!\n";
}

# Keys of the machine's root user are no longer in reach, and no memory is written to the machine's collector of core dumps:
# with a limit of one byte, none is made at all, as core(5) says.
sub leave_session {
    eval { SystemCalls::call("keyctl", $KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) };
    my $one_byte = pack "Q2", 1, 1;
    SystemCalls::call("prlimit64", 0, $RLIMIT_CORE, $one_byte, 0);
}

# The bounding set limits what the root user of the namespace has after exec.
sub drop_privileges {
    open(my $file, "<", "/proc/sys/kernel/cap_last_cap") or die "cap_last_cap: $!\n";
    for my $capability (0 .. <$file>) {
        SystemCalls::call("prctl", $PR_CAPBSET_DROP, $capability, 0, 0, 0) if !$KEPT{$capability};
    }
    SystemCalls::call("prctl", $PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    SystemCallFilter::install();
}

# uid, gid, further groups and home directory of "name", "uid", "name:group" or "uid:gid", by the files of the image.
sub account {
    my ($user, $group) = split /:/, $_[0], 2;
    $user = "0" if !defined $user || $user eq "";
    my ($entry) = grep { $_->[0] eq $user || (($_->[2] // "") eq $user) } lines("/etc/passwd");
    my $uid = $entry ? $entry->[2] : $user;
    die "the image has no user $user\n" if $uid !~ /^\d{1,5}$/;
    my @groups = lines("/etc/group");
    my $gid = $entry ? $entry->[3] : 0;
    if (defined $group && $group ne "") {
        my ($found) = grep { $_->[0] eq $group } @groups;
        $gid = $found ? $found->[2] : $group;
    }
    die "the image has no group " . ($group // $gid) . "\n" if $gid !~ /^\d{1,5}$/;
    my $name = $entry ? $entry->[0] : "";
    my @further = map { $_->[2] } grep { is_member($_, $name) } @groups;
    return ($uid + 0, $gid + 0, [$gid, @further], ($entry && $entry->[5]) || "/");
}

sub is_member {
    my ($group, $name) = @_;
    return 0 if $name eq "" || ($group->[2] // "") !~ /^\d{1,5}$/;
    return grep { $_ eq $name } split /,/, $group->[3] // "";
}

# The beginning of a file, by lines and fields. It may be anything that a workload has put there, such as a pipe.
sub lines {
    my ($file) = @_;
    my ($handle, $text);
    sysopen($handle, $file, O_RDONLY | O_NONBLOCK) && -f $handle or return ();
    sysread($handle, $text, $ACCOUNT_BYTES_MAX);
    return grep { @$_ && $_->[0] ne "" } map { [split /:/, $_, -1] } split /\n/, $text;
}

sub make_directories {
    my ($directory) = @_;
    my $path = "";
    for my $part (grep { $_ ne "" } split m{/}, $directory) {
        $path .= "/$part";
        mkdir $path, 0755;
    }
}

1;
