export const COMMAND_LINE = `svc sandboxes run --image python:3.12 -- python3 -c 'print(6 * 7)'
svc sandboxes create --image python:3.12 --timeout-seconds 3600
svc sandbox-files write sbx_… --path /work/sum.py --content 'print(6 * 7)'
svc sandboxes exec sbx_… -- python3 /work/sum.py
svc sandbox-files list sbx_… --path /work
svc sandbox-files read sbx_… --path /work/sum.py
svc sandboxes delete sbx_…`;

export const TOOL = `{
  "name": "svc_sandbox_create",
  "arguments": {
    "image": "python:3.12",
    "command": ["python3", "-c", "print(6 * 7)"],
    "timeout_seconds": 60
  }
}`;

export const SECRET_ENV = `{
  "image": "python:3.12",
  "command": ["python3", "-c", "import os; print(len(os.environ['TOKEN']))"],
  "env": { "TOKEN": { "secret": "API_TOKEN" } }
}`;

export const LIMITS = [
  ["Sandboxes", "32 per tenant that have not ended; your operator can raise it"],
  [
    "Time",
    "timeout_seconds from the start, 1 to 86,400, default 300. Before it: 15 minutes for capacity and the image",
  ],
  ["CPU", "1 to 256 cores, default 1: the most that a sandbox can use, not a reservation"],
  ["Memory", "64 MiB to 4 TiB, default 512 MiB. Pods and sandboxes of a node together reserve at most 75 % of it"],
  ["Processes", "1,024 processes and threads"],
  ["Disk", "10 GiB for the files that are written, where limits are enforced; 256 MiB of that are promised"],
  ["Output", "1 MiB of each command, both streams together; that of the first command is kept for 24 hours"],
  ["Files", "8 MiB each by the API; 1,000 files of a folder"],
  ["Programs at a time", "20 further commands and accesses to files per tenant, in a process of svc"],
  ["Standard input", "64 KiB"],
] as const;
