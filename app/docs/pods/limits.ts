export const LIMITS = [
  ["Pods", "500 per tenant that are not deleted; your operator can raise it"],
  [
    "GPUs",
    "On-demand, per tenant and region: 32 h100 and 16 b200; 32 h200, a100 and l40s; 16 b300, gb200 and gb300. An operator can raise each up to 8 times that; GPUs of reservations have limits of their own, as large",
  ],
  ["GPUs of a pod", "1 to 8 on one node; at most 4 for gb200 and gb300, whose racks have 18 trays of 4"],
  ["Lifetime", "30 days from the creation, then the pod is stopped and cannot be started again"],
  ["CPU", "1 to 256 cores, default 1: the most that a pod can use, not a reservation"],
  ["Memory", "64 MiB to 4 TiB, default 512 MiB. All pods of a node together reserve at most 75 % of its memory"],
  ["Environment", "200 variables, 64 KiB in all"],
  ["Command", "1,000 arguments, 64 KiB in all"],
  ["Ports", "8; through each process of svc 100 connections at once of a pod, and 500 of a tenant"],
  ["Labels", "50"],
  ["Output", "The newest 14 to 16 MiB of the last run; 1 MiB per call; 20 followers per tenant"],
  ["Terminals", "10 of a pod, and 50 of a tenant in a process of svc; an hour without input or output"],
  [
    "Disk",
    "10 GiB for the files that a pod writes, where limits are enforced. Of that 256 MiB are promised: a pod waits with no_disk until its node has so much for it; more is there as far as other pods leave it",
  ],
  ["Volume", "1 to 1,024 GiB; 1,024 GiB of all pods of a tenant, which an operator can raise"],
  [
    "Checkpoints",
    "10 GiB of files each, and twice the size of the volume; the newest 5 of a pod are kept, and deleted with it; 100 GiB compressed per tenant, which an operator can raise; one of a pod is saved at a time",
  ],
  ["Notice of a spot pod", "30 seconds"],
  ["Processes", "4,096 processes and threads of a pod"],
] as const;
