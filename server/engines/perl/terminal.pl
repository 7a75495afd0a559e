# A pseudo-terminal of a workload.
package Terminal;
use strict;
use warnings;
use Errno;
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

# Copies between standard streams and the terminal until no program has it open; false: `control` has ended before. Each
# line of `control` is a new size. Nothing waits for one direction alone: a program whose output is not read can still be
# interrupted. With a third argument, it calls `at_look` of it at least every `seconds`.
sub relay {
    my ($terminal, $control, $look) = @_;
    set_nonblocking($_) for $terminal, $control, *STDIN, *STDOUT;
    my ($typed, $shown, $sizes, $has_input) = ("", "", "", 1);
    while (1) {
        my ($readable, $writable) = ("", "");
        vec($readable, fileno $control, 1) = 1;
        vec($readable, fileno $terminal, 1) = 1 if !length $shown;
        vec($readable, fileno STDIN, 1) = 1 if $has_input && !length $typed;
        vec($writable, fileno STDOUT, 1) = 1 if length $shown;
        vec($writable, fileno $terminal, 1) = 1 if length $typed;
        my $count = select($readable, $writable, undef, $look && $look->{seconds});
        $look->{at_look}->() if $look;
        next if $count <= 0;
        if (vec($readable, fileno $control, 1)) {
            read_into($control, \$sizes) or return 0;
            resize($terminal, \$sizes);
        }
        read_into($terminal, \$shown) or return 1 if vec($readable, fileno $terminal, 1);
        if (vec($readable, fileno STDIN, 1)) {
            $has_input = read_into(*STDIN, \$typed);
            $typed = $END_OF_INPUT if !$has_input;
        }
        write_from(*STDOUT, \$shown) or return 1 if length $shown;
        write_from($terminal, \$typed) or return 1 if length $typed;
    }
}

# Gives the terminal the size of the last whole line, and leaves what comes after it.
sub resize {
    my ($terminal, $sizes) = @_;
    $$sizes =~ s/\A(?:.*\n)?(\d+) (\d+)\n//s or return;
    my $dimensions = pack("S4", $2, $1, 0, 0);
    ioctl($terminal, $TIOCSWINSZ, $dimensions);
}

sub set_nonblocking {
    my ($handle) = @_;
    my $flags = fcntl($handle, F_GETFL, 0) or die "terminal: $!\n";
    fcntl($handle, F_SETFL, $flags | O_NONBLOCK) or die "terminal: $!\n";
}

# Appends what can be read without waiting; false at the end.
sub read_into {
    my ($handle, $bytes) = @_;
    my $count = sysread($handle, $$bytes, $READ_BYTES, length $$bytes);
    return defined $count ? $count > 0 : $!{EAGAIN} || $!{EINTR};
}

# Removes what could be written without waiting; false if nothing can be written any more.
sub write_from {
    my ($handle, $bytes) = @_;
    my $count = syswrite($handle, $$bytes);
    return $!{EAGAIN} || $!{EINTR} if !defined $count;
    substr($$bytes, 0, $count) = "";
    return 1;
}

1;
