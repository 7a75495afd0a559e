# Reads and writes what a layer of an overlay says about deletions, which Node has no functions for.
#   perl overlay-marks.pl write <root> < marks   "opaque <folder>", "whiteout <path>" and "fifo:<mode>[:<uid>:<gid>] <path>" below a folder
#   perl overlay-marks.pl list <root>            prints the opaque folders below a folder
# Every item ends with a NUL. The folder becomes the root of this process, so that no symbolic link leads out of it.
use strict;
use warnings;

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";

# The overlay of an ordinary user has the option `userxattr`.
my $OPAQUE = $> == 0 ? "trusted.overlay.opaque" : "user.overlay.opaque";
SystemCalls::become_namespace_root() if $> != 0;
my %WRITE = (
    opaque   => sub { SystemCalls::call("lsetxattr", $_[0], $OPAQUE, "y", 1, 0) },
    whiteout => sub { SystemCalls::make_device($_[0], 0, 0) if !-l $_[0] && !-e _ },
    fifo     => \&make_fifo,
);

# As in a snapshot; each level needs an open folder.
my $DEPTH_MAX = 256;

my ($mode, $root) = @ARGV;
binmode $_ for *STDIN, *STDOUT;
$/ = "\0";
umask 0;
chroot $root or die "$root: $!\n";
chdir "/" or die "$root: $!\n";
if ($mode eq "write") { write_marks() }
else                  { list_opaque() }

sub write_marks {
    while (defined(my $line = <STDIN>)) {
        chomp $line;
        my ($kind, $path) = split / /, $line, 2;
        ($kind, my @attributes) = split /:/, $kind;
        $WRITE{$kind}->("/$path", @attributes);
    }
}

sub make_fifo {
    my ($path, $mode, @ids) = @_;
    return if -l $path || -e _;
    SystemCalls::make_fifo($path, oct $mode);
    chown(@ids, $path) or die "$path: $!\n" if @ids;
}

# Reads one entry at a time: a workload decides how many there are, and how deep they are.
sub list_opaque {
    my @open = (folder_of("."));
    while (@open) {
        my ($directory, $path) = @{ $open[-1] };
        my $entry = readdir $directory;
        if (!defined $entry) { pop @open; next }
        next if $entry eq "." || $entry eq "..";
        my $child = $path eq "." ? $entry : "$path/$entry";
        next if -l $child || !-d _;
        die "folders are nested more than $DEPTH_MAX levels deep\n" if @open > $DEPTH_MAX;
        my $folder = folder_of($child) or next;
        push @open, $folder;
    }
}

# An open folder and its path, which is printed if it is opaque; nothing if it has gone.
sub folder_of {
    my ($path) = @_;
    print $path eq "." ? "" : $path, "\0" if (SystemCalls::attribute($path, $OPAQUE) // "") eq "y";
    opendir(my $directory, $path) or return;
    return [$directory, $path];
}
