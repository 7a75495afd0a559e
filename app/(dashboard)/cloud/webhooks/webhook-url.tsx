import { cn } from "../../../components/ui/cn";
import { urlParts } from "./webhook";

/** A URL with its host emphasized. */
export function WebhookUrl({ url, className }: { url: string; className?: string }) {
  const { scheme, host, rest } = urlParts(url);
  return (
    <span className={cn("font-mono text-muted-foreground text-xs", className)} title={url}>
      {scheme}
      <span className="font-semibold text-foreground">{host}</span>
      {rest}
    </span>
  );
}
