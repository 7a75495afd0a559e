export const COMMAND_LINE = `svc reservations create --gpu h100 --count 16 --duration 30d --name training
svc reservations list --status active
svc reservations get rsv_…
svc pods create --image ghcr.io/example/train:2 --reservation-id rsv_… --gpu-count 8
svc reservations cancel rsv_…`;

export const NO_CAPACITY = `{ "error": { "code": "conflict", "param": "starts_at",
  "message": "use/h100 has 8 GPUs free for this whole term; the earliest start for 16 is 2026-12-20T09:01:00.000Z.",
  "details": { "reason": "no_capacity", "free": 8, "earliest_start": "2026-12-20T09:01:00.000Z" } } }`;
