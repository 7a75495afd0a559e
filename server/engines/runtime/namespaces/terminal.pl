# A pseudo-terminal of a workload.
package Terminal;
use strict;
use warnings;
use Fcntl;
use POSIX ();

# From <asm/ioctls.h>.
my ($TIOCSPTLCK, $TIOCGPTN, $TIOCSWINSZ) = (0x40045431, 0x80045430, 0x5414);
my $READ_BYTES = 65_536;
# What a terminal turns into the end of input.
my $END_OF_INPUT = "\x04";

# Opens one in the workload of a process; `size` is "<columns> <rows>". Returns our end and the number of the other end.
sub open_in {
    my ($pid, $size) = @_;
    my ($columns, $rows) = split / /, $size;
    # ioctl() takes no constants.
    my ($unlocked, $number, $dimensions) = (pack("i", 0), pack("I", 0), pack("S4", $rows, $columns, 0, 0));
    # /dev of a workload is not writable for it, so this path cannot lead elsewhere.
    sysopen(my $terminal, "/proc/$pid/root/dev/pts/ptmx", O_RDWR | O_NOCTTY) or die "terminal: $!\n";
    ioctl($terminal, $TIOCSPTLCK, $unlocked) or die "terminal: $!\n";
    ioctl($terminal, $TIOCGPTN, $number) or die "terminal: $!\n";
    ioctl($terminal, $TIOCSWINSZ, $dimensions) or die "terminal: $!\n";
    return ($terminal, unpack "I", $number);
}

# Makes the other end the terminal of this process, which leads a session without one, and gives it to a user.
sub attach {
    my ($number, $owner) = @_;
    sysopen(my $terminal, "/dev/pts/$number", O_RDWR) or die "terminal: $!\n";
    open(STDIN, "<&", $terminal) && open(STDOUT, ">&", $terminal) && open(STDERR, ">&", $terminal)
        or die "terminal: $!\n";
    chown($owner, $owner, $terminal) or die "terminal: $!\n";
}

# Copies between standard streams and the terminal until no program has it open.
sub relay {
    my ($terminal) = @_;
    my $has_input = 1;
    while (1) {
        my $ready = "";
        vec($ready, fileno $terminal, 1) = 1;
        vec($ready, fileno STDIN, 1) = 1 if $has_input;
        select($ready, undef, undef, undef);
        if (vec($ready, fileno $terminal, 1)) {
            my $bytes = "";
            sysread($terminal, $bytes, $READ_BYTES) && write_all(*STDOUT, $bytes) or return;
        }
        if ($has_input && vec($ready, fileno STDIN, 1)) {
            my $bytes = "";
            $has_input = sysread(STDIN, $bytes, $READ_BYTES);
            write_all($terminal, $has_input ? $bytes : $END_OF_INPUT) or return;
        }
    }
}

sub write_all {
    my ($handle, $bytes) = @_;
    while (length $bytes) {
        my $written = syswrite($handle, $bytes) // return 0;
        substr($bytes, 0, $written) = "";
    }
    return 1;
}

1;
