import { Copy } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { useMutationOf } from "../../../../trpc/use-operation";

/** Copies a test channel to live mode, and opens the copy. */
export function CopyChannel({ id }: { id: string }) {
  const router = useRouter();
  const copy = useMutationOf("copyChannel", {
    meta: { done: "Copied to live mode. Next: create a live key." },
    onSuccess: (created) => router.push(`/offers/channels/${created.id}`),
  });
  return (
    <Button variant="outline" size="sm" pending={copy.isPending} onClick={() => copy.mutate({ id })}>
      <Copy aria-hidden />
      Copy to live
    </Button>
  );
}
