# System calls that the scripts of this folder need and that Perl has no function for. Perl is used because Node can
# neither fork nor enter namespaces, and because the tools of util-linux would run with the environment of a tenant.
package SystemCalls;
use strict;
use warnings;
use POSIX ();

my %NUMBERS = (
    x86_64 => {
        mount => 165, umount2 => 166, pivot_root => 155, unshare => 272, setns => 308, prctl => 157,
        mknodat => 259, sethostname => 170, lsetxattr => 189, lgetxattr => 192, keyctl => 250, prlimit64 => 302,
        open_tree => 428, move_mount => 429, openat2 => 437, mount_setattr => 442, signalfd4 => 289,
    },
    aarch64 => {
        mount => 40, umount2 => 39, pivot_root => 41, unshare => 97, setns => 268, prctl => 167,
        mknodat => 33, sethostname => 161, lsetxattr => 6, lgetxattr => 9, keyctl => 219, prlimit64 => 261,
        open_tree => 428, move_mount => 429, openat2 => 437, mount_setattr => 442, signalfd4 => 74,
    },
);
my $machine = (POSIX::uname())[4];
my $numbers = $NUMBERS{$machine} or die "the architecture $machine is not supported\n";

# From <sched.h>.
my %CLONE = (
    mnt => 0x00020000, cgroup => 0x02000000, uts => 0x04000000, ipc => 0x08000000,
    user => 0x10000000, pid => 0x20000000, net => 0x40000000,
);
# From <sys/mount.h>.
my %MS = (
    rdonly => 1, nosuid => 2, nodev => 4, noexec => 8, remount => 0x20, bind => 0x1000, move => 0x2000, rec => 0x4000,
    private => 0x40000,
);
my $MNT_DETACH = 2;
my $AT_FDCWD   = -100;
my $S_IFCHR    = 0020000;
my $S_IFIFO    = 0010000;
# From <linux/mount.h> and <linux/fcntl.h>.
my ($OPEN_TREE_CLONE, $MOVE_MOUNT_F_EMPTY_PATH, $AT_EMPTY_PATH) = (1, 4, 0x1000);
my %MOUNT_ATTR = (rdonly => 1, nosuid => 2, nodev => 4, noexec => 8);
my $MOUNT_ATTR_IDMAP = 0x00100000;
# From <linux/openat2.h> and <asm-generic/fcntl.h>; directories and no-follow have other numbers on arm64.
my $RESOLVE_BENEATH = 0x01 << 3 | 0x04 | 0x02;    # with NO_SYMLINKS and NO_MAGICLINKS
my $O_CLOEXEC_PATH = 02000000 | 010000000;

sub machine { return $machine }

# Calls by name; dies with "<name>: <reason>". Strings are passed as pointers, and other values must be numbers.
sub call {
    my ($name, @arguments) = @_;
    # Literals are read-only, and syscall() refuses them.
    my @copies = map { my $copy = $_; $copy } @arguments;
    my $result = syscall($numbers->{$name}, @copies);
    die "$name: $!\n" if $result == -1;
    return $result;
}

# mount(target, type, { flags, data, source })
sub mount {
    my ($target, $type, $options) = @_;
    my $flags = 0;
    $flags |= $MS{$_} for @{ $options->{flags} || [] };
    eval { call("mount", $options->{source} || $type, $target, $type, $flags, $options->{data} || "") };
    die "mounting $type on $target: $@" if $@;
}

# Mounts the folder `source` on `target` with these flags; `mapping`, an open user namespace, shows other owners of its files.
sub bind {
    my ($source, $target, $options) = @_;
    my ($flags, $mapping) = @$options{qw(flags mapping)};
    if (!defined $mapping) {
        mount($target, "", { flags => ["bind"], source => $source });
        return mount($target, "", { flags => [qw(bind remount), @$flags] });
    }
    my $tree = open_descriptor("open_tree", $AT_FDCWD, $source, $OPEN_TREE_CLONE | 02000000);
    my $attributes = $MOUNT_ATTR_IDMAP;
    $attributes |= $MOUNT_ATTR{$_} for @$flags;
    # struct mount_attr: what is set, what is cleared, propagation, descriptor of the user namespace.
    my $request = pack "Q4", $attributes, 0, 0, fileno $mapping;
    eval { call("mount_setattr", fileno $tree, "", $AT_EMPTY_PATH, $request, length $request); 1 }
        && eval { call("move_mount", fileno $tree, "", $AT_FDCWD, $target, $MOVE_MOUNT_F_EMPTY_PATH); 1 }
        or die "mounting $source with the ids of the workload: $@";
}

# Moves what is mounted on the path `from` to an open folder or file.
sub move_mount { my ($from, $place) = @_; mount(path_of($place), "", { flags => ["move"], source => $from }) }

# Opens a path below an open folder, without following any link, so that a program that may change the folder cannot lead elsewhere.
sub open_beneath {
    my ($folder, $path) = @_;
    # struct open_how: flags, mode, how the path is resolved.
    my $how = pack "Q3", $O_CLOEXEC_PATH, 0, $RESOLVE_BENEATH;
    return open_descriptor("openat2", fileno $folder, $path, $how, length $how);
}

# The path of an open file for calls that take no descriptor.
sub path_of { my ($handle) = @_; return "/proc/self/fd/" . fileno $handle }

sub open_descriptor {
    my $descriptor = call(@_);
    open(my $handle, "<&=", $descriptor) or die "$_[0]: $!\n";
    return $handle;
}

# Keeps later mounts of this process from the rest of the machine.
sub make_mounts_private { call("mount", "none", "/", 0, $MS{rec} | $MS{private}, 0) }

# Makes the mount at the working directory the root of this process, and detaches the former root.
sub pivot_root_here {
    call("pivot_root", ".", ".");
    # The former root now lies on top of the new one.
    call("umount2", ".", $MNT_DETACH);
    chdir "/" or die "/: $!\n";
}

# Moves this process, or its children for pid, into new namespaces of these kinds.
sub unshare_namespaces { call("unshare", clone_flags(@_)) }

# Becomes the root user of a new user namespace, in which an ordinary user may mount; its only id is that user's.
sub become_namespace_root {
    my ($uid, $gid) = ($>, (split / /, $))[0]);
    unshare_namespaces("user");
    my %files = (setgroups => "deny", uid_map => "0 $uid 1", gid_map => "0 $gid 1");
    for my $name (qw(setgroups uid_map gid_map)) {
        open(my $file, ">", "/proc/self/$name") or die "$name: $!\n";
        defined syswrite($file, $files{$name}) or die "$name: $!\n";
    }
}

# Moves this process, or its children for pid, into the namespace of an open file of /proc/<pid>/ns.
sub enter_namespace { my ($handle, $kind) = @_; call("setns", fileno $handle, clone_flags($kind)) }

sub clone_flags { my $flags = 0; $flags |= $CLONE{$_} for @_; return $flags; }

# The value, up to 8 bytes, of an extended attribute; undefined if the file has none.
sub attribute {
    my ($path, $name) = @_;
    my $value = "\0" x 8;
    my $length = syscall($numbers->{lgetxattr}, $path, $name, $value, length $value);
    return $length < 0 ? undef : substr($value, 0, $length);
}

# Makes a character device with major and minor numbers below 256.
sub make_device {
    my ($path, $major, $minor) = @_;
    call("mknodat", $AT_FDCWD, $path, $S_IFCHR | 0666, ($major << 8) | $minor);
}

sub make_fifo { my ($path, $mode) = @_; call("mknodat", $AT_FDCWD, $path, $S_IFIFO | $mode, 0) }

# Closes what this process has inherited beyond its standard streams, and `kept`: a workload must not receive it.
sub close_inherited {
    my (@kept) = @_;
    opendir(my $directory, "/proc/self/fd") or die "/proc/self/fd: $!\n";
    my %kept = map { $_ => 1 } 0, 1, 2, @kept;
    POSIX::close($_) for grep { /^\d+$/ && !$kept{$_} } readdir $directory;
}

# The start time of a process in clock ticks, which tells it from others with the same id; undefined if it has ended.
sub process_mark {
    my ($pid) = @_;
    open(my $stat, "<", "/proc/$pid/stat") or return undef;
    my $line = <$stat> // return undef;
    my @fields = split / /, substr($line, rindex($line, ")") + 2);
    return $fields[0] =~ /[ZX]/ ? undef : $fields[19];
}

# Fields of a specification: "key=value" strings, each ended by a NUL, in a hash of lists.
sub read_fields {
    my ($handle) = @_;
    local $/ = undef;
    return fields_of(<$handle> // "");
}

sub fields_of {
    my ($text) = @_;
    my %fields;
    for my $field (split /\0/, $text) {
        my ($key, $value) = split /=/, $field, 2;
        push @{ $fields{$key} }, $value;
    }
    return \%fields;
}

1;
