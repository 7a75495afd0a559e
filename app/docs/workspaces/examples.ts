export const COMMAND_LINE = `svc workspaces create --name api --image python:3.12
svc workspaces open wsp_…
svc workspaces shell wsp_…
svc workspaces exec wsp_… -- python3 --version
svc workspace-files write wsp_… --path /workspace/sum.py --content 'print(6 * 7)'
svc workspaces stop wsp_…
svc workspaces start wsp_…
svc workspaces delete wsp_…`;

export const TOOL = `{
  "name": "svc_workspaces_create",
  "arguments": { "name": "api", "image": "python:3.12", "memory_mb": 1024 }
}`;

export const LIMITS = [
  ["Workspaces", "20 per tenant that are not deleted; your operator can raise it"],
  ["Disk", "1 GiB to 1 TiB at /workspace, default 10 GiB; it counts as a volume, of which a tenant has 1 TiB in all"],
  ["CPU", "1 to 256 cores, default 1: the most that a workspace can use, not a reservation"],
  ["Memory", "64 MiB to 4 TiB, default 2 GiB"],
  ["Idle time-out", "0 for never, or 1 minute to 7 days without use, default 1 hour"],
  ["One start", "30 days; then it is stopped, and can be started again"],
  [
    "Files",
    "8 MiB each by the API, 1,000 files of a folder; the built-in editor opens text of up to 2,000,000 characters",
  ],
  ["Terminals", "10 of a workspace and 50 of a tenant at a time, in a process of svc"],
  ["Connections of code-server", "100 of a workspace and 500 of a tenant at a time, in a process of svc"],
] as const;
