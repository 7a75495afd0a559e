# The bounded log of a workload: segments named by the offset of their first byte, of which the oldest are deleted.
package LogSegments;
use strict;
use warnings;

# Goes on after the segments that are there. `bytes` is the size of a segment, `count` how many are kept.
sub open {
    my ($class, $folder, $bytes, $count) = @_;
    my @segments = sort glob "$folder/*";
    my $offset = @segments ? ($segments[-1] =~ m{(\d+)$})[0] + (-s $segments[-1] || 0) : 0;
    return bless { folder => $folder, bytes => $bytes, count => $count, offset => $offset, left => 0,
        segments => \@segments }, $class;
}

sub append {
    my ($self, $bytes) = @_;
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
