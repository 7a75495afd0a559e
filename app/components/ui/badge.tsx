import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./cn";

const styles = cva(
  "inline-flex w-fit items-center gap-1.5 whitespace-nowrap rounded-full border px-2 py-0.5 font-medium text-xs",
  {
    variants: {
      tone: {
        neutral: "border-border bg-muted text-muted-foreground",
        good: "border-transparent bg-success text-success-foreground",
        warn: "border-transparent bg-warning text-warning-foreground",
        bad: "border-destructive/40 text-destructive",
        accent: "border-transparent bg-accent text-accent-foreground",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export const Badge = ({ className, tone, ...props }: ComponentProps<"span"> & VariantProps<typeof styles>) => (
  <span className={cn(styles({ tone }), className)} {...props} />
);
