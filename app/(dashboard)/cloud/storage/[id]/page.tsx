import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { BucketPage } from "./bucket-page";

export const metadata: Metadata = { title: "Bucket" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <BucketPage id={id} publicUrl={surfaces().publicUrl} />;
}
