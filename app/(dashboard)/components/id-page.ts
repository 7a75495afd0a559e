import type { ReactNode } from "react";

interface IdPageProps {
  params: Promise<{ id: string }>;
}

/** A page of Next.js for the thing whose ID is a part of its address. */
export const idPage =
  (page: (id: string) => ReactNode) =>
  async ({ params }: IdPageProps) =>
    page((await params).id);
