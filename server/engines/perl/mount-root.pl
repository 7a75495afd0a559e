# The root file system of a workload: its image's layers, a layer for its changes, and what every program expects.
package MountRoot;
use strict;
use warnings;

my @DEVICES = qw(null zero full random urandom tty);
my %LINKS = (
    fd => "/proc/self/fd", stdin => "/proc/self/fd/0", stdout => "/proc/self/fd/1", stderr => "/proc/self/fd/2",
    ptmx => "pts/ptmx",
);
my $HOSTS_OF_NETWORK = "/run/svc/hosts";
# A rename of a folder of the image must copy it, so that a snapshot is complete without the overlay's attributes.
my $OVERLAY_OPTIONS = "redirect_dir=nofollow,metacopy=off,index=off";
# Of all workloads together, the kernel allows kernel.pty.max less kernel.pty.reserve.
my $TERMINALS_MAX = 64;
# They tell of other workloads, by their disks and keys, or of the kernel's memory and addresses; as in Docker, and with all
# that names a disk. Those that a kernel lacks are left out.
my @HIDDEN = (
    map({ "proc/$_" } qw(
        acpi asound diskstats fs interrupts irq kallsyms kcore key-users keys kmsg latency_stats partitions sched_debug
        schedstat scsi slabinfo timer_list timer_stats vmallocinfo
    )),
    map({ "sys/$_" } qw(
        dev/block devices/virtual/bdi devices/virtual/block devices/virtual/powercap firmware fs kernel/debug kernel/slab
    )),
);

# Makes the layers of `spec` (names in lower/, the uppermost first) with data/upper/ the root of this process, whose mount
# namespace is its own; `volume`, `device` and `driver` as in supervise.pl. `mapping`: see SystemCalls::bind. Everything is
# mounted where no workload has files, and then moved to its place: a volume has files of a workload that may run. The
# machine's file systems are out of reach afterwards. Returns the folder of the notices, open.
sub mount_root {
    my ($spec, $is_root, $mapping) = @_;
    SystemCalls::make_mounts_private();
    umask 0;
    SystemCalls::mount("root", "tmpfs", { flags => [qw(nosuid nodev)], data => "mode=700,size=1m" });
    mount_overlay($spec->{layer}, { is_root => $is_root, mapping => $mapping });
    open(my $root, "<", "root/tree") or die "root: $!\n";
    for my $volume (@{ $spec->{volume} || [] }) {
        my ($access, $path, $source) = split /=/, $volume, 3;
        my @flags = (qw(nosuid nodev), $access eq "ro" ? "rdonly" : ());
        SystemCalls::bind($source, prepared("volume"), { flags => \@flags, mapping => $mapping });
        move_to($root, $path, "volume");
    }
    # Mounted here, because an ordinary user may do so only where the machine's own are visible.
    SystemCalls::mount(prepared("proc"), "proc", { flags => [qw(nosuid nodev noexec)] });
    SystemCalls::mount(prepared("sys"), "sysfs", { flags => [qw(rdonly nosuid nodev noexec)] });
    hide($_) for @HIDDEN;
    mount_devices(@{ $spec->{device} || [] });
    move_to($root, $_, $_) for qw(proc sys dev);
    my $notices = mount_notices($root);
    mount_driver($root, @{ $spec->{driver} || [] });
    chdir $root or die "root: $!\n";
    SystemCalls::pivot_root_here();
    return $notices;
}

sub mount_overlay {
    my ($layers, $options) = @_;
    my ($is_root, $mapping) = @$options{qw(is_root mapping)};
    my @lower = map { "lower/$_" } @$layers;
    my $data = "data";
    if (defined $mapping) {
        my @mapped = map { prepared("layer$_") } 0 .. $#lower;
        SystemCalls::bind($lower[$_], $mapped[$_], { flags => [], mapping => $mapping }) for 0 .. $#lower;
        @lower = @mapped;
        SystemCalls::bind("data", $data = prepared("data"), { flags => [], mapping => $mapping });
    }
    my $lower = join ":", @lower;
    SystemCalls::mount(prepared("tree"), "overlay", {
        flags => [qw(nosuid nodev)],
        data  => "lowerdir=$lower,upperdir=$data/upper,workdir=$data/work,$OVERLAY_OPTIONS" . ($is_root ? "" : ",userxattr"),
    });
}

# A folder that only this process sees.
sub prepared {
    my ($name) = @_;
    mkdir "root/$name", 0755 or -d "root/$name" or die "$name: $!\n";
    return "root/$name";
}

# Moves what has been mounted on a prepared folder to a path below `root`.
sub move_to {
    my ($root, $path, $name) = @_;
    SystemCalls::move_mount("root/$name", make_mount_point($root, $path));
}

# Files are empty, folders are empty and read-only.
sub hide {
    my ($name) = @_;
    if (-d "root/$name") {
        return SystemCalls::mount("root/$name", "tmpfs", { flags => [qw(rdonly nosuid nodev noexec)], data => "size=4k" });
    }
    SystemCalls::bind("/dev/null", "root/$name", { flags => [qw(rdonly nosuid noexec)] }) if -e _;
}

# `further` are paths of the machine.
sub mount_devices {
    my (@further) = @_;
    my $dev = prepared("dev");
    SystemCalls::mount($dev, "tmpfs", { flags => [qw(nosuid noexec)], data => "mode=755,size=64k" });
    for my $device ((map { "/dev/$_" } @DEVICES), @further) {
        my ($name) = $device =~ m{([^/]+)$};
        bind_file("$dev/$name", $device);
    }
    symlink $LINKS{$_}, "$dev/$_" or die "dev/$_: $!\n" for keys %LINKS;
    mkdir "$dev/$_", 0755 or die "dev/$_: $!\n" for qw(pts shm);
    my $terminals = "newinstance,ptmxmode=0666,max=$TERMINALS_MAX";
    SystemCalls::mount("$dev/pts", "devpts", { flags => [qw(nosuid noexec)], data => $terminals });
    SystemCalls::mount("$dev/shm", "tmpfs", { flags => [qw(nosuid nodev noexec)], data => "mode=1777,size=64m" });
}

# What svc tells the workload while it runs, in a file system of its own: of a folder of the machine the workload could read
# the path in /proc/self/mountinfo. Returns it open, for what svc writes; undefined if the workload has none, because restored
# files may have put anything in the way, which then stays as it is.
sub mount_notices {
    my ($root) = @_;
    my $place = eval { make_mount_point($root, "run/svc") } // return undef;
    my @flags = qw(nosuid nodev noexec);
    SystemCalls::mount(prepared("notices"), "tmpfs", { flags => \@flags, data => "mode=755,size=1m" });
    open(my $notices, "<", "root/notices") or die "notices: $!\n";
    SystemCalls::bind("root/notices", prepared("shown"), { flags => ["rdonly", @flags] });
    SystemCalls::move_mount("root/shown", $place);
    return $notices;
}

# Files of the machine's NVIDIA driver, for workloads with GPUs.
sub mount_driver {
    my ($root, @files) = @_;
    return if !@files;
    my $driver = prepared("driver");
    SystemCalls::mount($driver, "tmpfs", { flags => [qw(nosuid nodev)], data => "mode=755,size=64k" });
    mkdir "$driver/$_", 0755 or die "$driver/$_: $!\n" for qw(lib64 bin);
    for my $file (@files) {
        my ($name, $source) = split /=/, $file, 2;
        bind_file("$driver/$name", $source);
        SystemCalls::mount("$driver/$name", "", { flags => [qw(bind remount rdonly nosuid nodev)] });
    }
    SystemCalls::mount($driver, "", { flags => [qw(bind remount rdonly nosuid nodev)] });
    move_to($root, "usr/local/nvidia", "driver");
}

sub bind_file {
    my ($target, $source) = @_;
    open(my $file, ">", $target) or die "$target: $!\n";
    SystemCalls::mount($target, "", { flags => ["bind"], source => $source });
}

# Makes a folder below `root`, with those above it, and opens it. Each is opened from the one above: a link would lead to
# files of the machine, and a workload that has a volume as well may make one at any moment.
sub make_mount_point {
    my ($root, $path) = @_;
    my ($folder, $name) = ($root, "");
    my ($uid, $gid) = (stat $root)[4, 5];
    for my $part (grep { $_ ne "" } split m{/}, $path) {
        $name .= "/$part";
        my $is_new = mkdir SystemCalls::path_of($folder) . "/$part", 0755;
        $folder = eval { SystemCalls::open_beneath($folder, $part) };
        die "$name of the image is not a folder\n" if !defined $folder || !-d $folder;
        chown($uid, $gid, SystemCalls::path_of($folder)) if $is_new;
    }
    return $folder;
}

# Called as the root user of the workload, because an image decides where these paths lead.
# Names in a private network change while the workload runs, so that svc writes the file.
sub name_hosts {
    my ($hostname, $is_networked) = @_;
    mkdir "/etc", 0755;
    my $is_given = (readlink("/etc/hosts") // "") eq $HOSTS_OF_NETWORK;
    if ($is_networked || $is_given) { unlink "/etc/hosts" }
    if ($is_networked) { symlink $HOSTS_OF_NETWORK, "/etc/hosts" or die "/etc/hosts: $!\n" }
    return if $is_networked;
    return if -s "/etc/hosts" || -l "/etc/hosts" || (-e _ && !-f _);
    open(my $file, ">", "/etc/hosts") or return;
    print {$file} "127.0.0.1 localhost $hostname\n::1 localhost\n";
    close $file;
}

1;
