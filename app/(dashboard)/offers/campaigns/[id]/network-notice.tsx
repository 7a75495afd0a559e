import { Alert } from "../../../../components/ui/alert";
import { formatMoney } from "../../../../format/money";
import { useQueryOf } from "../../../../trpc/use-operation";
import type { Campaign } from "../campaign";
import { NETWORK_BLOCK_TEXTS } from "../network-block-texts";

const REFRESH_MS = 15_000;

/** Whether a campaign may serve on other publishers' channels, what it still needs, and the remaining balance. */
export function NetworkNotice({ campaign: { network, mode } }: { campaign: Campaign }) {
  const isShown = network !== null;
  const balance = useQueryOf("getBalance", {}, { enabled: isShown, refetchInterval: REFRESH_MS });
  if (!network) return null;
  const left = mode === "live" && balance.data && (
    <p>Prepaid balance: {formatMoney(balance.data.available_micros, balance.data.currency)} available.</p>
  );
  if (network.serving) return left && <Alert>{left}</Alert>;
  return (
    <Alert tone="warn">
      <p>This campaign does not serve on channels of other publishers yet.</p>
      <ul className="my-1 list-disc pl-5">
        {network.blocked_by.map((block) => (
          <li key={block}>{NETWORK_BLOCK_TEXTS[block]}</li>
        ))}
      </ul>
      {left}
    </Alert>
  );
}
