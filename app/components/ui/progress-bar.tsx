import type { ComponentProps } from "react";
import { cn } from "./cn";

const STYLE =
  "h-2 appearance-none overflow-hidden rounded-full border-0 bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-primary [&:indeterminate]:bg-primary/50";

/** How much of something is done; without `value` it only shows that something is running. */
export const ProgressBar = ({ className, ...props }: ComponentProps<"progress"> & { "aria-label": string }) => (
  <progress className={cn(STYLE, className)} {...props} />
);
