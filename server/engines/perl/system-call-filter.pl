# A filter of system calls (seccomp): a workload may make those that programs need, and no other one, whatever further
# calls and kinds of sockets a kernel has. Docker's default profile, https://docs.docker.com/engine/security/seccomp/, is
# the model.
package SystemCallFilter;
use strict;
use warnings;

my ($folder) = __FILE__ =~ m{^(.*)/};
require "$folder/system-call-numbers.pl";

# AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 from <linux/audit.h>.
my %ARCHITECTURES = (x86_64 => 0xc000003e, aarch64 => 0xc00000b7);
# From <linux/prctl.h>, <linux/seccomp.h>, <linux/bpf_common.h> and <asm/errno.h>.
my ($PR_SET_SECCOMP, $MODE_FILTER) = (22, 2);
my ($LOAD_WORD, $JUMP_IF_EQUAL, $JUMP_IF_AT_LEAST, $JUMP_IF_SET, $RETURN) = (0x20, 0x15, 0x35, 0x45, 0x06);
my ($ALLOW, $FAIL) = (0x7fff0000, 0x00050000);
my ($EPERM, $ENOSYS, $EPROTONOSUPPORT, $EAFNOSUPPORT) = (1, 38, 93, 97);
# Offsets in struct seccomp_data; of arguments, which have 8 bytes, the lower half on these architectures.
my ($NUMBER_AT, $ARCHITECTURE_AT, $FIRST_AT, $THIRD_AT) = (0, 4, 16, 32);
# clone3, whose flags are in memory: programs fall back to clone.
my $CLONE3 = 435;
# CLONE_NEWNS to CLONE_NEWNET.
my $NAMESPACES = 0x7e020000;
# PER_LINUX and PER_LINUX32, each also with UNAME26, and the value that asks for the present one.
my @PERSONALITIES = (0, 8, 0x20000, 0x20008, 0xffffffff);
my ($AF_UNIX, $AF_INET, $AF_INET6, $AF_NETLINK, $NETLINK_ROUTE) = (1, 2, 10, 16, 0);

# Installs the filter for this process and its children; needs no_new_privs.
sub install {
    my @program = program(SystemCalls::machine());
    # struct sock_filter: code, jump if true, jump if false, operand; struct sock_fprog: length and pointer.
    my $filter = join "", map { pack "S C C L", @$_ } @program;
    my $pointer = pack "S x![P] P", scalar @program, $filter;
    SystemCalls::call("prctl", $PR_SET_SECCOMP, $MODE_FILTER, $pointer, 0, 0);
}

sub program {
    my ($machine) = @_;
    my $calls = SystemCallNumbers::allowed($machine);
    return (
        [$LOAD_WORD, 0, 0, $ARCHITECTURE_AT],
        # The calls of other architectures, such as 32-bit x86, have other numbers.
        [$JUMP_IF_EQUAL, 1, 0, $ARCHITECTURES{$machine}],
        [$RETURN, 0, 0, $FAIL | $ENOSYS],
        [$LOAD_WORD, 0, 0, $NUMBER_AT],
        # Also those of x32, which are above.
        [$JUMP_IF_AT_LEAST, 0, 1, SystemCallNumbers::newest() + 1],
        [$RETURN, 0, 0, $FAIL | $ENOSYS],
        only_for($CLONE3, [$RETURN, 0, 0, $FAIL | $ENOSYS]),
        only_for($calls->{clone},
            [$LOAD_WORD, 0, 0, $FIRST_AT],
            [$JUMP_IF_SET, 0, 1, $NAMESPACES],
            [$RETURN, 0, 0, $FAIL | $EPERM],
            [$RETURN, 0, 0, $ALLOW]),
        only_for($calls->{personality},
            [$LOAD_WORD, 0, 0, $FIRST_AT],
            allow_if(@PERSONALITIES),
            [$RETURN, 0, 0, $FAIL | $EPERM]),
        # The families of pairs are no others: a kernel may load a module for one.
        map({ only_for($calls->{$_}, families()) } qw(socket socketpair)),
        map({ allow_range(@$_) } ranges(values %$calls)),
        [$RETURN, 0, 0, $FAIL | $EPERM],
    );
}

# What follows is for one call, and ends with a result.
sub only_for {
    my ($number, @rest) = @_;
    return ([$JUMP_IF_EQUAL, 0, scalar @rest, $number], @rest);
}

sub allow_if { return map { ([$JUMP_IF_EQUAL, 0, 1, $_], [$RETURN, 0, 0, $ALLOW]) } @_ }

sub families {
    return (
        [$LOAD_WORD, 0, 0, $FIRST_AT],
        allow_if($AF_UNIX, $AF_INET, $AF_INET6),
        [$JUMP_IF_EQUAL, 1, 0, $AF_NETLINK],
        [$RETURN, 0, 0, $FAIL | $EAFNOSUPPORT],
        [$LOAD_WORD, 0, 0, $THIRD_AT],
        allow_if($NETLINK_ROUTE),
        [$RETURN, 0, 0, $FAIL | $EPROTONOSUPPORT],
    );
}

sub allow_range {
    my ($first, $last) = @_;
    return ([$JUMP_IF_AT_LEAST, 0, 2, $first], [$JUMP_IF_AT_LEAST, 1, 0, $last + 1], [$RETURN, 0, 0, $ALLOW]);
}

# Numbers that follow each other as first and last one.
sub ranges {
    my @ranges;
    for my $number (sort { $a <=> $b } @_) {
        if (@ranges && $ranges[-1][1] == $number - 1) { $ranges[-1][1] = $number }
        else                                          { push @ranges, [$number, $number] }
    }
    return @ranges;
}

1;
