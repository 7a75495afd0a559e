import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Reservation } from "./reservation";
import { reservationExample } from "./reservation.example";

const kind = (type: string, description: string, fields: Partial<Reservation> = {}) =>
  eventKind({ type, description, data: Reservation, example: { ...reservationExample, ...fields } });

const SCHEDULED = { status: "scheduled", assigned: 0, starts_at: "2026-11-27T09:00:00.000Z" } as const;
const LATER = { ...SCHEDULED, ends_at: "2026-12-27T09:00:00.000Z" };

export const reservationCreated = kind("reservation.created", "GPUs were reserved.", LATER);
export const reservationStarted = kind(
  "reservation.started",
  "The term of a reservation began: pods can use its GPUs.",
);
export const reservationEndAnnounced = kind(
  "reservation.end_announced",
  "A reservation ends within a day: its pods are stopped then.",
);
export const reservationEnded = kind("reservation.ended", "The term of a reservation is over.", {
  status: "ended",
  assigned: 0,
});
export const reservationCanceled = kind("reservation.canceled", "A reservation was canceled, free of charge.", {
  ...LATER,
  status: "canceled",
  canceled_at: "2026-11-20T10:00:00.000Z",
});

export const reservationEventKinds: readonly EventKind[] = [
  reservationCreated,
  reservationStarted,
  reservationEndAnnounced,
  reservationEnded,
  reservationCanceled,
];
