# Finds processes that belong together, where no control group holds them.
package MarkedProcesses;
use strict;
use warnings;

# The descendants of the process `ancestor`, the session `session`, and all that have the variable `mark` (`NAME=value`),
# without this process. A process is not found that has left all three.
sub find_all {
    my ($own) = @_;
    my (%parents, @found);
    opendir(my $proc, "/proc") or return;
    for my $id (grep { /^\d+$/ && $_ != $$ } readdir $proc) {
        open(my $stat, "<", "/proc/$id/stat") or next;
        my $line = <$stat> // next;
        my ($state, $parent, undef, $session) = split / /, substr($line, rindex($line, ")") + 2);
        next if $state =~ /[ZX]/;
        $parents{$id} = $parent;
        push @found, $id if $session == $own->{session} || has_mark($id, $own->{mark});
    }
    my %is_found = map { $_ => 1 } @found;
    push @found, grep { !$is_found{$_} && is_below($_, $own->{ancestor}, \%parents) } keys %parents;
    return @found;
}

sub is_below {
    my ($id, $ancestor, $parents) = @_;
    # Ids that were used again meanwhile could lead in a circle.
    for (1 .. keys %$parents) {
        $id = $parents->{$id} // return 0;
        return 1 if $id == $ancestor;
    }
    return 0;
}

sub has_mark {
    my ($id, $mark) = @_;
    local $/ = "\0";
    open(my $environment, "<", "/proc/$id/environ") or return 0;
    while (my $variable = <$environment>) {
        chomp $variable;
        return 1 if $variable eq $mark;
    }
    return 0;
}

1;
