import { QueryContent } from "../../../components/query-content";
import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./conversion";
import { orderCall } from "./order-call";

interface SetUpProps {
  advertiser: Advertiser;
  publicUrl: string;
}

/** The two ways to report orders: scripts on the shop's pages, or one call from its server. */
export function SetUp({ advertiser, publicUrl }: SetUpProps) {
  const { mode } = useMode();
  const pixel = useQueryOf("getPixel", { id: advertiser.id, mode });
  return (
    <Section
      title={`Report the orders of ${advertiser.name}`}
      description="Use the two scripts, your server, or both: each order counts once, and your server's report replaces the pixel's."
      actions={<Badge tone={mode === "live" ? "good" : "warn"}>{mode} mode</Badge>}
    >
      <div className="grid gap-x-6 gap-y-6 lg:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <ReportingMethod
            title="With the pixel"
            text="For a shop whose pages you can edit. It counts orders that follow a click, as unverified, because anyone can call a pixel. Nothing else is stored in the browser."
          />
          <QueryContent query={pixel}>
            {({ landing_script, order_script }) => (
              <>
                <CodeBlock label="1. On every page that offers lead to" code={landing_script} />
                <CodeBlock label="2. On the page after an order, with its id and value" code={order_script} />
              </>
            )}
          </QueryContent>
        </div>
        <div className="min-w-0 space-y-4">
          <ReportingMethod
            title="From your server"
            text="More reliable than a page, which can be closed or blocked. Store svc_click_id from the landing page with the cart."
          />
          <CodeBlock
            label="With a platform key that has ads:write"
            code={orderCall({ publicUrl, advertiserId: advertiser.id })}
          />
          <ul className="list-disc space-y-1 pl-5 text-muted-foreground text-sm">
            <li>
              <Code>order_id</Code> is your own number; the same one again from your server changes nothing.
            </li>
            <li>
              <Code>value_micros</Code> is the value in millionths: 49.90 is 49900000.
            </li>
            <li>
              <Code>user_id</Code> in place of <Code>click_id</Code> finds clicks and views of a user of your own
              channels.
            </li>
          </ul>
        </div>
      </div>
    </Section>
  );
}

const ReportingMethod = ({ title, text }: { title: string; text: string }) => (
  <div className="space-y-1">
    <h3 className="font-medium text-sm">{title}</h3>
    <p className="text-muted-foreground text-sm">{text}</p>
  </div>
);

const Code = ({ children }: { children: string }) => (
  <code className="font-mono text-foreground text-xs">{children}</code>
);
