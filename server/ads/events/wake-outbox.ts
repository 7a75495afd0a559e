export const OUTBOX_TOPIC = "outbox";

/** Makes the outbox due, as an expression of a statement that writes to it, when its transaction commits. */
export const WAKE_OUTBOX = `pg_notify('svc_rounds', '${OUTBOX_TOPIC}')`;
