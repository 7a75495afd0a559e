import { useRouter } from "next/navigation";
import { type MutationId, useMutationOf } from "../../trpc/use-operation";

interface Deletion {
  /** The toast. */
  done: string;
  /** The list that is opened. */
  href: string;
  /** Whether the page shows an error itself. */
  inline?: boolean;
}

/** Calls the operation that deletes what the page shows; then the page is left. */
export function useDeletion<Id extends MutationId>(operation: Id, { done, href, inline = false }: Deletion) {
  const router = useRouter();
  return useMutationOf(operation, { meta: { done, inline, leaves: true }, onSuccess: () => router.push(href) });
}
