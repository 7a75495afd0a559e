import { ExternalLink } from "lucide-react";
import { RowMenu } from "../../../../components/ui/row-menu";
import { useMutationOf } from "../../../../trpc/use-operation";
import { archiveAction } from "../../../components/row-actions";

interface ProductMenuProps {
  id: string;
  campaignId: string;
  title: string;
  link: string;
}

/** What can be done with a product of the feed. */
export function ProductMenu({ id, campaignId, title, link }: ProductMenuProps) {
  const ids = { id: campaignId, product_id: id };
  const restore = useMutationOf("restoreProduct", { meta: { done: "Product restored." } });
  const archive = useMutationOf("deleteProduct", {
    meta: { done: "Product archived.", undo: () => restore.mutateAsync(ids) },
  });
  const archiving = archiveAction({
    noun: "product",
    name: `"${title}"`,
    consequence:
      "It stops serving immediately and returns with the next feed that contains it. You can undo this for 10 seconds.",
    onConfirm: () => archive.mutateAsync(ids),
  });
  return (
    <RowMenu
      name={title}
      actions={[{ label: "Open the landing page", icon: ExternalLink, href: link, isExternal: true }, archiving]}
    />
  );
}
