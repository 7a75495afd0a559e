import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { QueuePage } from "./queue-page";

export const metadata: Metadata = { title: "Queue" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <QueuePage id={id} publicUrl={surfaces().publicUrl} />;
}
