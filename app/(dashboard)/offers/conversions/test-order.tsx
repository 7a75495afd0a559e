import { FlaskConical } from "lucide-react";
import { MoneyField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { microsIn, textIn } from "../../../components/form/read-fields";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { formatMoney } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";
import { useMutationOf } from "../../../trpc/use-operation";
import { useCampaignNames } from "../components/use-campaign-names";
import { useCurrency } from "../components/use-currency";
import type { Advertiser } from "./conversion";
import { resultText } from "./conversion-text";

const CLICK_ID = /^([0-9a-f]{32})?$/i;

/** Reports an order in test mode, as the advertiser's server would, and shows its attribution. */
export function TestOrder({ advertiser }: { advertiser: Advertiser }) {
  const currency = useCurrency();
  const report = useMutationOf("reportConversion", { meta: { inline: true } });
  const submit = (fields: FormData) => {
    // The last order's result must not remain under a new error.
    report.reset();
    const clickId = textIn(fields, "click_id");
    if (!CLICK_ID.test(clickId)) {
      throw new FieldError("click_id", "Paste the 32 characters of svc_click_id from the landing page's address.");
    }
    report.mutate({
      mode: "test",
      order_id: textIn(fields, "order_id") || testOrderId(),
      advertiser_id: advertiser.id,
      click_id: clickId,
      value_micros: microsIn(fields, "value_micros"),
    });
  };
  return (
    <Section
      title="Send a test order"
      description="It is processed like a real order, but in test mode: it is listed with the test orders and does not affect live figures."
    >
      <div className="space-y-5">
        <Form error={report.error} onSubmit={submit}>
          <TextField
            name="click_id"
            label="Click ID"
            optional
            placeholder="svc_click_id of a landing page"
            hint="Click an offer of a test channel, and copy svc_click_id from the address that it leads to."
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <MoneyField name="value_micros" label="Value" currency={currency} defaultValue="49.90" />
            <TextField name="order_id" label="Order ID" optional maxLength={128} hint="Leave empty to generate one." />
          </div>
          <Button type="submit" pending={report.isPending}>
            <FlaskConical aria-hidden />
            Send test order
          </Button>
        </Form>
        {report.data && <OrderResult conversion={report.data} advertiser={advertiser} />}
      </div>
    </Section>
  );
}

const testOrderId = (): string => `TEST-${Date.now().toString(36).toUpperCase()}`;

interface OrderResultProps {
  conversion: Outputs["reportConversion"];
  advertiser: Advertiser;
}

function OrderResult({ conversion, advertiser }: OrderResultProps) {
  const nameOf = useCampaignNames("test");
  const { order_id, value_micros, currency, attribution, duplicate } = conversion;
  const campaign = conversion.campaign_id ? nameOf(conversion.campaign_id) : "";
  return (
    <Alert tone={attribution === "none" ? "info" : "good"}>
      <p className="font-medium">
        Order {order_id}, {formatMoney(value_micros, currency)}
      </p>
      <p>{resultText(conversion, { campaign, duplicate })}</p>
      <Link
        href={`/offers/conversions?mode=test&advertiser=${advertiser.id}#orders`}
        className="underline underline-offset-4"
      >
        View in test orders
      </Link>
    </Alert>
  );
}
