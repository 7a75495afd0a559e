import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { countText } from "../../../../format/count-text";
import { formatCount } from "../../../../format/numbers";
import { useTRPCClient } from "../../../../trpc/client";
import type { Bucket } from "../bucket";
import { type Chosen, deleteChosen } from "./delete-chosen";

interface DeleteButtonProps {
  bucket: Bucket;
  chosen: Chosen;
  onDeleted: () => void;
}

/** Deletes the chosen objects and folders, after a question; nothing while none is chosen. */
export function DeleteButton({ bucket, chosen, onDeleted }: DeleteButtonProps) {
  const client = useTRPCClient();
  const deletion = useMutation({
    mutationFn: () => deleteChosen(client, bucket, chosen),
    meta: { done: "Deleted." },
    onSuccess: onDeleted,
  });
  const count = chosen.keys.length + chosen.folders.length;
  if (count === 0) return null;
  const kept =
    bucket.versioning === "on" ? "Older versions stay, and S3 clients can restore them." : "This is permanent.";
  return (
    <Confirm
      trigger={
        <Button variant="outline" className="text-destructive hover:text-destructive">
          <Trash2 aria-hidden />
          Delete {formatCount(count)} selected
        </Button>
      }
      title={`Delete ${whatIs(chosen)}?`}
      consequence={chosen.folders.length > 0 ? `Everything in a folder is deleted with it. ${kept}` : kept}
      action="Delete"
      onConfirm={() => deletion.mutateAsync()}
    />
  );
}

const whatIs = ({ keys, folders }: Chosen): string =>
  [keys.length > 0 && countText(keys.length, "object"), folders.length > 0 && countText(folders.length, "folder")]
    .filter(Boolean)
    .join(" and ");
