import styles from "./demo.module.css";

interface OfferSlotProps {
  query: string;
  placement: string;
  limit: number;
}

/** The element that a publisher pastes. Its reserved height keeps the page still until the script is there. */
export function OfferSlot({ query, placement, limit }: OfferSlotProps) {
  return (
    <div
      className={limit > 1 ? styles.slotWide : styles.slot}
      data-svc-offers=""
      data-query={query}
      data-placement={placement}
      data-limit={limit}
      data-theme="auto"
    />
  );
}
