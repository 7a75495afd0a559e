# Runs a further program in a workload, with this process's standard streams.
#   perl execute.pl 3< specification 4> report 5< control
# Fields: pid and mark (of the workload's first process), supervisor (its process id), cgroup..., terminal (its columns
# and rows; without it the program has none), and those of confine.pl, whose env is added to the environment of the first
# process. Reports "pid <id>" when the program runs, or a sentence, and then "status <wait status>". With a terminal, each
# line of `control` is its new columns and rows, and the end of `control` hangs up.
use strict;
use warnings;
use POSIX ();

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/system-call-filter.pl";
require "$folder/confine.pl";
require "$folder/terminal.pl";

open(my $fields, "<&=", 3) or die "specification: $!\n";
open(my $report, ">&=", 4) or die "report: $!\n";
SystemCalls::close_inherited(3, 4, 5);
$report->autoflush(1);
$SIG{PIPE} = "IGNORE";
my $spec = SystemCalls::read_fields($fields);
close $fields;

my $target = $spec->{pid}[0];
my %namespaces;
for my $kind (qw(user mnt uts ipc net cgroup pid)) {
    open($namespaces{$kind}, "<", "/proc/$target/ns/$kind") or stop_with("the workload does not run");
}
open(my $supervisor, "<", "/proc/$spec->{supervisor}[0]/ns/user") or stop_with("the workload does not run");
my ($terminal, $terminal_number, $control);
if (my $size = $spec->{terminal}[0]) {
    open($control, "<&=", 5) or stop_with("control: $!");
    eval { ($terminal, $terminal_number) = Terminal::open_in($target, $size); 1 } or stop_with($@);
}
my $environment = read_environment("/proc/$target/environ");
# Checked after the files were opened, which then belong to this process and to no other of the same id.
stop_with("the workload does not run") if (SystemCalls::process_mark($target) // "") ne $spec->{mark}[0];
unshift @{ $spec->{env} }, @$environment;

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
    close $_ for $start_end, $failures, $report, grep { defined } $terminal, $control;
    eval { become_program() };
    syswrite($failures_end, $@);
    POSIX::_exit(127);
}
close $_ for $start, $failures_end;
join_cgroups($_) for @{ $spec->{cgroup} || [] };
syswrite($start_end, "\n");
# The pipe closes when the program is executed.
my $failure = <$failures>;
if (defined $failure) {
    waitpid($pid, 0);
    stop_with($failure);
}
print {$report} "pid $pid\n";
Terminal::relay($terminal, $control) if defined $terminal;
# Its session ends, if this process could not write any more.
close $terminal if defined $terminal;
# The streams end with the program.
open(STDIN, "<", "/dev/null");
open($_, ">", "/dev/null") for *STDOUT, *STDERR;
waitpid($pid, 0);
print {$report} "status $?\n";

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

sub join_cgroups {
    my ($cgroup) = @_;
    my $procs;
    open($procs, ">", "$cgroup/cgroup.procs") && defined syswrite($procs, $pid) && close $procs and return;
    kill "KILL", $pid;
    stop_with("cgroup.procs: $!");
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
    print {$report} "$reason\n";
    exit 1;
}
