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

# Makes the layers of `spec` (names in lower/, the uppermost first) with data/upper/ the root of this process, whose mount
# namespace is its own; `volume`, `device` and `driver` as in supervise.pl. The machine's file systems are out of reach afterwards.
sub mount_root {
    my ($spec, $is_root) = @_;
    SystemCalls::make_mounts_private();
    my $lower = join ":", map { "lower/$_" } @{ $spec->{layer} };
    my $options = $OVERLAY_OPTIONS . ($is_root ? "" : ",userxattr");
    SystemCalls::mount("root", "overlay", {
        flags => [qw(nosuid nodev)],
        data  => "lowerdir=$lower,upperdir=data/upper,workdir=data/work,$options",
    });
    chdir "root" or die "root: $!\n";
    umask 0;
    mount_volume(split /=/, $_, 3) for @{ $spec->{volume} || [] };
    make_mount_point($_) for qw(proc sys dev);
    # Mounted here, because an ordinary user may do so only where the machine's own are visible.
    SystemCalls::mount("proc", "proc", { flags => [qw(nosuid nodev noexec)] });
    SystemCalls::mount("sys", "sysfs", { flags => [qw(rdonly nosuid nodev noexec)] });
    mount_devices(@{ $spec->{device} || [] });
    mount_notices();
    mount_driver(@{ $spec->{driver} || [] });
    SystemCalls::pivot_root_here();
}

# Before everything else, which is mounted on top of it where paths meet. The kernel would follow a symbolic link.
sub mount_volume {
    my ($access, $path, $source) = @_;
    my $place;
    for my $part (grep { $_ ne "" } split m{/}, $path) {
        $place = defined $place ? "$place/$part" : $part;
        make_mount_point($place);
    }
    SystemCalls::mount($place, "", { flags => ["bind"], source => $source });
    SystemCalls::mount($place, "", { flags => [qw(bind remount nosuid nodev), $access eq "ro" ? "rdonly" : ()] });
}

# `further` are paths of the machine.
sub mount_devices {
    my (@further) = @_;
    SystemCalls::mount("dev", "tmpfs", { flags => [qw(nosuid noexec)], data => "mode=755,size=64k" });
    for my $device ((map { "/dev/$_" } @DEVICES), @further) {
        my ($name) = $device =~ m{([^/]+)$};
        bind_file("dev/$name", $device);
    }
    symlink $LINKS{$_}, "dev/$_" or die "dev/$_: $!\n" for keys %LINKS;
    mkdir "dev/$_", 0755 or die "dev/$_: $!\n" for qw(pts shm);
    SystemCalls::mount("dev/pts", "devpts", { flags => [qw(nosuid noexec)], data => "newinstance,ptmxmode=0666" });
    SystemCalls::mount("dev/shm", "tmpfs", { flags => [qw(nosuid nodev noexec)], data => "mode=1777,size=64m" });
}

# What svc tells the workload while it runs. Restored files may have put anything in the way, which then stays as it is.
sub mount_notices {
    for my $folder (qw(run run/svc)) {
        if (mkdir $folder, 0755) { chown((stat ".")[4, 5], $folder) }
        return if -l $folder || !-d _;
    }
    SystemCalls::mount("run/svc", "", { flags => ["bind"], source => "../notices" });
    SystemCalls::mount("run/svc", "", { flags => [qw(bind remount rdonly nosuid nodev noexec)] });
}

# Files of the machine's NVIDIA driver, for workloads with GPUs.
sub mount_driver {
    my (@files) = @_;
    return if !@files;
    my $root = "usr/local/nvidia";
    make_mount_point($_) for "usr", "usr/local", $root;
    SystemCalls::mount($root, "tmpfs", { flags => [qw(nosuid nodev)], data => "mode=755,size=64k" });
    mkdir "$root/$_", 0755 or die "$root/$_: $!\n" for qw(lib64 bin);
    for my $file (@files) {
        my ($name, $source) = split /=/, $file, 2;
        bind_file("$root/$name", $source);
        SystemCalls::mount("$root/$name", "", { flags => [qw(bind remount rdonly nosuid nodev)] });
    }
    SystemCalls::mount($root, "", { flags => [qw(bind remount rdonly nosuid nodev)] });
}

sub bind_file {
    my ($target, $source) = @_;
    open(my $file, ">", $target) or die "$target: $!\n";
    SystemCalls::mount($target, "", { flags => ["bind"], source => $source });
}

# A symbolic link here would lead out of the new root.
sub make_mount_point {
    my ($name) = @_;
    if (mkdir $name, 0755) { chown((stat ".")[4, 5], $name) }
    die "/$name of the image is not a folder\n" if -l $name || !-d _;
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
