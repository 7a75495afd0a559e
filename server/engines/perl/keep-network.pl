# Makes or removes a private network.
#   perl keep-network.pl make|remove < specification
# Field: file (an existing file on the machine, on which it is mounted).
use strict;
use warnings;

my ($folder) = $0 =~ m{^(.*)/};
require "$folder/system-calls.pl";
require "$folder/private-network.pl";

my $spec = SystemCalls::read_fields(*STDIN);
my ($file) = @{ $spec->{file} };
if   ($ARGV[0] eq "make") { PrivateNetwork::make($file) }
else                      { PrivateNetwork::remove($file) }
