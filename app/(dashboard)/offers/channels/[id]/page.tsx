import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { ChannelPage } from "./channel-page";

export const metadata: Metadata = { title: "Channel" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <ChannelPage id={id} publicUrl={surfaces().publicUrl} />;
}
