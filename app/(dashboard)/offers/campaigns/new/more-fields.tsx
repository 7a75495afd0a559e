import type { ReactNode } from "react";

interface MoreFieldsProps {
  /** What is inside: "devices, placements". */
  about: string;
  children: ReactNode;
}

/** Fields that few people change; the form opens it for an invalid one. */
export const MoreFields = ({ about, children }: MoreFieldsProps) => (
  <details className="rounded-xl border bg-card shadow-xs">
    <summary className="cursor-pointer px-4 py-4 font-medium text-sm sm:px-6">
      More <span className="font-normal text-muted-foreground">{about}</span>
    </summary>
    <div className="space-y-6 px-4 pb-5 sm:px-6 sm:pb-6">{children}</div>
  </details>
);
