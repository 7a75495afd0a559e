import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { CampaignPage } from "./campaign-page";

export const metadata: Metadata = { title: "Campaign" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <CampaignPage id={id} publicUrl={surfaces().publicUrl} />;
}
