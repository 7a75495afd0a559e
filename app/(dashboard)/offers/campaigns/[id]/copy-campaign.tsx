"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { QueryContent } from "../../../../components/query-content";
import { Button } from "../../../../components/ui/button";
import { Dialog } from "../../../../components/ui/dialog";
import { Link } from "../../../../components/ui/link";
import { copyCampaignInput } from "../../../../generated/inputs/copyCampaign";
import { useQueryOf } from "../../../../trpc/use-operation";
import { SchemaForm } from "../../../components/schema-form";
import type { Campaign } from "../campaign";

const ADVERTISERS_MAX = 1000;

interface CopyCampaignProps {
  campaign: Campaign;
  /** Selects the live advertiser of the same name. */
  advertiserName: string;
}

/** Copies a test campaign to live mode, for a live advertiser, and opens the copy. */
export function CopyCampaign(props: CopyCampaignProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)} icon={Copy}>
        Copy to live
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Copy to live mode"
        description="The copy begins as a draft with the same terms and creatives. Products are not copied: upload the feed again. It targets all channels, because test channels do not exist in live mode."
      >
        <CopyForm {...props} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function CopyForm({ campaign, advertiserName, onDone }: CopyCampaignProps & { onDone: () => void }) {
  const advertisers = useQueryOf("listAdvertisers", { mode: "live", limit: ADVERTISERS_MAX });
  return (
    <QueryContent query={advertisers}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-sm">
            There is no live advertiser yet.{" "}
            <Link href="/offers/advertisers?mode=live" className="underline underline-offset-4">
              Create one first
            </Link>
            .
          </p>
        ) : (
          <SchemaForm
            input={copyCampaignInput}
            fields={{
              advertiser_id: {
                as: "choice",
                label: "Live advertiser",
                hint: null,
                value: data.find(({ name }) => name === advertiserName)?.id,
                choices: Object.fromEntries(data.map(({ id, name }) => [id, name])),
              },
            }}
            fixed={{ id: campaign.id }}
            submit="Copy campaign"
            done="Copied to live mode as a draft."
            page={({ id }) => `/offers/campaigns/${id}`}
            onDone={onDone}
            onCancel={onDone}
          />
        )
      }
    </QueryContent>
  );
}
