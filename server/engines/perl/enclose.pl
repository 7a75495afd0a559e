# A root file system with nothing but the working directory, some files of the machine and what every program expects.
package Enclose;
use strict;
use warnings;

my @DEVICES = qw(null zero random urandom);

# Makes it the root of this process, whose mount namespace is its own and which is the first of its process namespace.
# `files` are absolute paths, which cannot be written there. The working directory stays what it was, and has no programs.
sub in_root {
    my (@files) = @_;
    umask 022;
    SystemCalls::call("sethostname", "worker", length "worker");
    SystemCalls::make_mounts_private();
    mkdir "root", 0755 or die "root: $!\n";
    SystemCalls::mount("root", "tmpfs", { flags => [qw(nosuid nodev)], data => "mode=755,size=1m" });
    mkdir "root/$_", 0755 or die "$_: $!\n" for qw(work proc dev);
    bind_path("root/work", ".", qw(noexec));
    chdir "root" or die "root: $!\n";
    SystemCalls::mount("proc", "proc", { flags => [qw(nosuid nodev noexec)] });
    bind_file($_, qw(rdonly)) for @files;
    for my $device (@DEVICES) {
        open(my $file, ">", "dev/$device") or die "dev/$device: $!\n";
        SystemCalls::mount("dev/$device", "", { flags => ["bind"], source => "/dev/$device" });
    }
    SystemCalls::pivot_root_here();
    SystemCalls::mount("/", "", { flags => [qw(bind remount rdonly nosuid nodev)] });
    chdir "/work" or die "/work: $!\n";
}

sub bind_file {
    my ($path, @flags) = @_;
    my $place = ".";
    my @parts = grep { $_ ne "" } split m{/}, $path;
    my $name = pop @parts;
    for my $part (@parts) {
        $place .= "/$part";
        mkdir $place, 0755;
    }
    open(my $file, ">", "$place/$name") or die "$place/$name: $!\n";
    bind_path("$place/$name", $path, @flags);
}

sub bind_path {
    my ($place, $source, @flags) = @_;
    SystemCalls::mount($place, "", { flags => ["bind"], source => $source });
    SystemCalls::mount($place, "", { flags => [qw(bind remount nosuid nodev), @flags] });
}

1;
