import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { failureOf } from "../../../trpc/failure";

interface ConfirmBidProps {
  /** The failed mutation's error, or null. */
  error: unknown;
  /** Sends the same again with the bid confirmed. */
  onConfirm: () => void;
}

/** Asks for confirmation of an unusually high bid. */
export function ConfirmBid({ error, onConfirm }: ConfirmBidProps) {
  const [closed, setClosed] = useState<unknown>();
  const failure = error ? failureOf(error) : undefined;
  const isOpen = failure?.reason === "bid_confirmation_required" && closed !== error;
  const close = () => setClosed(error);
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={close}
      title="Confirm this bid"
      description="The bid is much higher than usual for a click or for 1,000 views."
    >
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={close}>
          Change bid
        </Button>
        <Button onClick={confirm}>Confirm bid</Button>
      </div>
    </Dialog>
  );
}
