import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { surfaces } from "../../../../server/surfaces";
import { Outbox } from "./outbox";

/** Its links carry tokens, which no other site may learn from the Referer header. */
export const metadata: Metadata = { title: "Outbox", referrer: "no-referrer" };

export default async function OutboxPage() {
  await connection();
  if (surfaces().mailDelivery !== "outbox") notFound();
  return <Outbox />;
}
