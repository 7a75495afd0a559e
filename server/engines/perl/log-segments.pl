# The bounded log of a workload: segments named by the offset of their first byte, of which the oldest are deleted.
package LogSegments;
use strict;
use warnings;

# At most 16 MiB in a second: a program that writes more waits, and does not take the cores of the machine for output of
# which hardly any is kept.
my $PACE_BYTES   = 262_144;
my $PACE_SECONDS = 1 / 64;

# Goes on after the segments that are there. `bytes` is the size of a segment, `count` how many are kept.
sub open {
    my ($class, $folder, $bytes, $count) = @_;
    my @segments = sort glob "$folder/*";
    my $offset = @segments ? ($segments[-1] =~ m{(\d+)$})[0] + (-s $segments[-1] || 0) : 0;
    return bless { folder => $folder, bytes => $bytes, count => $count, offset => $offset, left => 0,
        unpaced => 0, segments => \@segments }, $class;
}

sub append {
    my ($self, $bytes) = @_;
    if (($self->{unpaced} += length $bytes) >= $PACE_BYTES) {
        select(undef, undef, undef, $PACE_SECONDS);
        $self->{unpaced} = 0;
    }
    while (length $bytes) {
        $self->_begin_segment() if $self->{left} == 0;
        my $part = substr($bytes, 0, $self->{left}, "");
        syswrite($self->{handle}, $part) if defined $self->{handle};
        $self->{left} -= length $part;
        $self->{offset} += length $part;
    }
}

sub _begin_segment {
    my ($self) = @_;
    my $name = sprintf("%s/%015d", $self->{folder}, $self->{offset});
    # On a full disk the output is lost, and the workload goes on.
    CORE::open($self->{handle}, ">", $name) or undef $self->{handle};
    my $segments = $self->{segments};
    push @$segments, $name if !@$segments || $segments->[-1] ne $name;
    unlink shift @$segments if @$segments > $self->{count};
    $self->{left} = $self->{bytes};
}

1;
