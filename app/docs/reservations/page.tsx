import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection } from "../usual-sections";
import { COMMAND_LINE, NO_CAPACITY } from "./examples";

export const metadata: Metadata = { title: "Reservations" };

export default function ReservationsPage() {
  return (
    <DocsPage title="Reservations" lead="GPUs for a month or a year: kept for your pods, at the lowest price per hour.">
      <DocsSection id="start" title="Quick start">
        <p>
          A reservation has a model, a number of GPUs, a region and a term of <Code>30d</Code> or <Code>365d</Code>. A
          key needs the scopes <Code>pods:read</Code> and <Code>pods:write</Code>;{" "}
          <DocsLink href="/cloud/reservations">the dashboard</DocsLink> shows what is free and when.
        </p>
        <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
        <p>
          With a test key GPUs and prices are simulated, and the record says <Code>simulated</Code>. With a live key the
          GPUs are <DocsLink href="/docs/pods#gpu-nodes">real</DocsLink>; the request is 503 with the reason{" "}
          <Code>no_capacity</Code> if the installation has no such GPUs in the region, and 422 with the reason{" "}
          <Code>pool_too_small</Code> if it has fewer.
        </p>
      </DocsSection>
      <Capacity />
      <InPods />
      <Price />
      <Canceling />
      <LimitsSection of="reservations" rows={LIMITS} />
    </DocsPage>
  );
}

const Capacity = () => (
  <DocsSection id="capacity" title="Capacity">
    <p>
      A reservation is admitted only if its GPUs are free for the whole term. Other reservations count, and on-demand
      pods until the end of their 30 days; spot pods do not. Otherwise the request is a conflict that says when the term
      can begin:
    </p>
    <DocsCode label="Response" code={NO_CAPACITY} language="json" />
    <p>
      From its admission on, nothing takes the place of a reservation: on-demand pods that would run into its start
      wait. Between the end of one reservation and the start of the next on the same GPUs is a minute, in which the
      processes of the first one end. <Code>GET /v1/reservations/calendar</Code> returns what is free over time, and the
      price of a plan.
    </p>
    <p>
      At its start a reservation has devices of its own, whole nodes first and for gb200 and gb300 in one NVLink domain.
      What its pods do not use is lent to spot pods, and to nothing else; when a pod of the reservation needs it, they
      are given 30 seconds of notice.
    </p>
    <p>
      When a node of an active reservation accepts no pods, because it does not report or was cordoned, or one of its
      GPUs has an error, the reservation gets other GPUs of the pool, if they are free. Until then <Code>lacking</Code>{" "}
      says how many it misses; they are still charged.
    </p>
  </DocsSection>
);

const InPods = () => (
  <DocsSection id="pods" title="Pods in a reservation">
    <p>
      Create a pod with <Code>reservation_id</Code>: it has the model and the region of the reservation, runs on its
      devices, and does not count against the on-demand limits. Pods of a{" "}
      <DocsLink href="/docs/pods#gangs">gang</DocsLink> do so all together or not at all. Any project of the tenant can
      use a reservation of the same mode. A pod that needs more GPUs than are left is a conflict with the reason{" "}
      <Code>reservation_full</Code>. A day before the end there is the event <Code>reservation.end_announced</Code>; at
      the end the pods are stopped, with the reason <Code>reservation_ended</Code>.
    </p>
  </DocsSection>
);

const Price = () => (
  <DocsSection id="price" title="Price">
    <p>
      All GPUs of a reservation cost <Code>price_per_hour</Code> for each second of the term, used or not;{" "}
      <Code>total_price</Code> is that of the term. Its pods pay for CPU and memory. Prices are of this installation,
      and <DocsLink href="/docs/billing">each month</DocsLink> is invoiced for its part of the term.
    </p>
  </DocsSection>
);

const Canceling = () => (
  <DocsSection id="canceling" title="Canceling">
    <p>
      A reservation can be canceled free of charge until its start, and within an hour of its creation if no pod has
      used it. After that it is a conflict with the reason <Code>committed</Code>. <Code>reservation.created</Code>,{" "}
      <Code>reservation.started</Code>, <Code>reservation.ended</Code> and <Code>reservation.canceled</Code> go to{" "}
      <DocsLink href="/docs/webhooks">webhooks</DocsLink>.
    </p>
  </DocsSection>
);

const LIMITS = [
  ["Start", "Now, or at most 90 days ahead"],
  ["Term", "30d or 365d"],
  [
    "GPUs",
    "Per tenant and region, as many as on demand: 32 h100 and 16 b200; 32 h200, a100 and l40s; 16 b300, gb200 and gb300. An operator can raise each up to 8 times that",
  ],
  ["Exactness", "A term begins and ends within a second of its time while svc runs; after a downtime at once"],
] as const;
