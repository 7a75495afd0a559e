# A filter of system calls (seccomp): those that a workload has no use for and that reach parts of the kernel which
# namespaces do not separate. Docker's default profile, https://docs.docker.com/engine/security/seccomp/, denies these
# too for containers without privileges.
package SystemCallFilter;
use strict;
use warnings;

my %DENIED = (
    x86_64 => {
        # AUDIT_ARCH_X86_64 from <linux/audit.h>.
        architecture => 0xc000003e,
        numbers => {
            keys    => [248, 249, 250],                    # add_key request_key keyctl
            trace   => [298, 312, 321, 323],               # perf_event_open kcmp bpf userfaultfd
            uring   => [425, 426, 427],                    # io_uring_setup io_uring_enter io_uring_register
            modules => [175, 176, 246, 313, 320],          # init_module delete_module kexec_load finit_module kexec_file_load
            mounts  => [155, 165, 166, 428 .. 433, 442],   # pivot_root mount umount2 open_tree to fspick mount_setattr
            spaces  => [272, 308],                         # unshare setns
            files   => [179, 212, 303, 304, 443],          # quotactl lookup_dcookie name_to_handle_at open_by_handle_at quotactl_fd
            machine => [103, 153, 163, 164, 167 .. 169, 172, 173, 227],    # syslog vhangup acct settimeofday swapon swapoff reboot iopl ioperm clock_settime
        },
    },
    aarch64 => {
        # AUDIT_ARCH_AARCH64
        architecture => 0xc00000b7,
        numbers => {
            keys    => [217, 218, 219],
            trace   => [241, 272, 280, 282],
            uring   => [425, 426, 427],
            modules => [104, 105, 106, 273, 294],
            mounts  => [39, 40, 41, 428 .. 433, 442],
            spaces  => [97, 268],
            files   => [18, 60, 264, 265, 443],
            machine => [58, 89, 112, 116, 142, 170, 224, 225],
        },
    },
);

# From <linux/prctl.h>, <linux/seccomp.h>, <linux/bpf_common.h> and <asm/errno.h>.
my ($PR_SET_SECCOMP, $MODE_FILTER)  = (22, 2);
my ($LOAD_WORD, $JUMP_IF_EQUAL, $JUMP_IF_AT_LEAST, $RETURN) = (0x20, 0x15, 0x35, 0x06);
my ($ALLOW, $FAIL) = (0x7fff0000, 0x00050000);
my ($EPERM, $ENOSYS) = (1, 38);
# Offsets in struct seccomp_data.
my ($NUMBER_AT, $ARCHITECTURE_AT) = (0, 4);
# The number of the first call of the x32 interface, which has further numbers for the same calls.
my $X32_FIRST = 0x40000000;

# Installs the filter for this process and its children; needs no_new_privs.
sub install {
    my $denied = $DENIED{ SystemCalls::machine() };
    my @program = (
        [$LOAD_WORD, 0, 0, $ARCHITECTURE_AT],
        # The calls of other architectures, such as 32-bit x86, have other numbers.
        [$JUMP_IF_EQUAL, 1, 0, $denied->{architecture}],
        [$RETURN, 0, 0, $FAIL | $ENOSYS],
        [$LOAD_WORD, 0, 0, $NUMBER_AT],
        [$JUMP_IF_AT_LEAST, 0, 1, $X32_FIRST],
        [$RETURN, 0, 0, $FAIL | $ENOSYS],
        (map { ([$JUMP_IF_EQUAL, 0, 1, $_], [$RETURN, 0, 0, $FAIL | $EPERM]) } map { @$_ } values %{ $denied->{numbers} }),
        [$RETURN, 0, 0, $ALLOW],
    );
    # struct sock_filter: code, jump if true, jump if false, operand; struct sock_fprog: length and pointer.
    my $filter = join "", map { pack "S C C L", @$_ } @program;
    my $pointer = pack "S x![P] P", scalar @program, $filter;
    SystemCalls::call("prctl", $PR_SET_SECCOMP, $MODE_FILTER, $pointer, 0, 0);
}

1;
