# The files with which a supervisor tells its state: a line each, which appears whole.
package StateFiles;
use strict;
use warnings;

# Dies if it cannot be written.
sub write_file {
    my ($name, $text) = @_;
    write_text("$name.new", "$text\n") && rename("$name.new", $name) or die "$name: $!\n";
}

# False if it cannot be written.
sub write_text {
    my ($name, $text) = @_;
    open(my $handle, ">", $name) or return 0;
    defined syswrite($handle, $text) or return 0;
    return close $handle;
}

# The first line; undefined if it cannot be read.
sub read_line {
    my ($name) = @_;
    open(my $handle, "<", $name) or return undef;
    return scalar <$handle>;
}

1;
