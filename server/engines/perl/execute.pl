# Runs a further program in a workload, with this process's standard streams.
#   perl execute.pl 3< specification 4> report 5< control
# Fields: pid and started (of the workload's first process), supervisor (its process id), cgroup... and mark of
# execution-group.pl, terminal (its columns and rows; without it the program has none), and those of confine.pl, whose env
# is added to the environment of the first process. Reports "pid <id>" when the program runs, or a sentence, and then
# "status <wait status>". With a terminal, each line of `control` is its new columns and rows. The end of `control` ends
# the program with all that it has started, also when the process that holds it was killed.
use strict;
use warnings;
use Errno;
use POSIX qw(:sys_wait_h);

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/system-call-filter.pl";
require "$folder/confine.pl";
require "$folder/terminal.pl";
require "$folder/marked-processes.pl";
require "$folder/execution-group.pl";

# The end of a program interrupts a wait, except when it comes just before.
my $LOOK_SECONDS = 1;
my $READ_BYTES   = 4096;

open(my $fields, "<&=", 3) or die "specification: $!\n";
open(my $report, ">&=", 4) or die "report: $!\n";
open(my $control, "<&=", 5) or die "control: $!\n";
SystemCalls::close_inherited(3, 4, 5);
$report->autoflush(1);
$SIG{PIPE} = "IGNORE";
$SIG{CHLD} = sub { };
my $spec = SystemCalls::read_fields($fields);
close $fields;
my $group = ExecutionGroup->new($spec);

my $target = $spec->{pid}[0];
my %namespaces;
for my $kind (qw(user mnt uts ipc net cgroup pid)) {
    open($namespaces{$kind}, "<", "/proc/$target/ns/$kind") or stop_with("the workload does not run");
}
open(my $supervisor, "<", "/proc/$spec->{supervisor}[0]/ns/user") or stop_with("the workload does not run");
my ($terminal, $terminal_number);
if (my $size = $spec->{terminal}[0]) {
    eval { ($terminal, $terminal_number) = Terminal::open_in($target, $size); 1 } or stop_with($@);
}
my $environment = read_environment("/proc/$target/environ");
# Checked after the files were opened, which then belong to this process and to no other of the same id.
stop_with("the workload does not run") if (SystemCalls::process_mark($target) // "") ne $spec->{started}[0];
unshift @{ $spec->{env} }, @$environment;
push @{ $spec->{env} }, @{ $spec->{mark} || [] };

pipe(my $failures, my $failures_end) && pipe(my $start, my $start_end) or stop_with("pipe: $!");
# The workload's namespaces belong to that of an ordinary user's supervisor.
my $is_root = $> == 0;
eval {
    SystemCalls::enter_namespace($supervisor, "user") if !$is_root;
    SystemCalls::enter_namespace($namespaces{$_}, $_) for qw(uts ipc net cgroup pid);
    1;
} or stop_with($@);
my $pid = fork() // stop_with("fork: $!");
if ($pid == 0) {
    $SIG{PIPE} = "DEFAULT";
    close $_ for $start_end, $failures, $report, $control, grep { defined } $terminal;
    eval { become_program() };
    syswrite($failures_end, $@);
    POSIX::_exit(127);
}
close $_ for $start, $failures_end;
eval { $group->join_groups($pid); 1 } or stop_with($@);
syswrite($start_end, "\n");
# The pipe closes when the program is executed.
my $failure = <$failures>;
stop_with($failure) if defined $failure;
print {$report} "pid $pid\n";
my $status;
if (defined $terminal) {
    # What the program has left behind may have the terminal open.
    my $is_held = Terminal::relay($terminal, $control, { seconds => $LOOK_SECONDS, at_look => \&reap });
    end_program() if !$is_held && !defined $status;
    # Its session ends, if this process could not write any more.
    close $terminal;
}
# The streams end with the program.
open(STDIN, "<", "/dev/null");
open($_, ">", "/dev/null") for *STDOUT, *STDERR;
until (defined $status) {
    wait_for_control();
    reap();
}
$group->remove();

sub wait_for_control {
    my $readable = "";
    vec($readable, fileno $control, 1) = 1;
    return if select($readable, undef, undef, $LOOK_SECONDS) <= 0;
    my $count = sysread($control, my $ignored, $READ_BYTES);
    end_program() if defined $count ? $count == 0 : !$!{EAGAIN} && !$!{EINTR};
}

sub end_program {
    $group->end(\&reap);
    # One that the kernel cannot end yet is reported when it has ended.
    waitpid($pid, 0) == $pid and report_end($?) if !defined $status;
}

# Reports the end of the program.
sub reap {
    report_end($?) if !defined $status && waitpid($pid, WNOHANG) == $pid;
}

sub report_end {
    ($status) = @_;
    print {$report} "status $status\n";
}

sub become_program {
    <$start> // die "the supervisor ended\n";
    POSIX::setsid();
    SystemCalls::enter_namespace($namespaces{mnt}, "mnt");
    Terminal::attach($terminal_number, (split / /, $spec->{ids}[0])[0]) if defined $terminal;
    SystemCalls::enter_namespace($namespaces{user}, "user");
    Confine::become_root();
    umask 022;
    Confine::run($spec);
}

sub read_environment {
    my ($file) = @_;
    open(my $handle, "<", $file) or stop_with("the workload does not run");
    local $/ = undef;
    return [grep { /=/ } split /\0/, <$handle> // ""];
}

sub stop_with {
    my ($reason) = @_;
    chomp $reason;
    if ($pid) {
        kill "KILL", $pid;
        waitpid($pid, 0);
        $group->remove();
    }
    print {$report} "$reason\n";
    exit 1;
}
