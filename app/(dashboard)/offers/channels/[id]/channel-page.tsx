"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useTRPC } from "../../../../trpc/client";
import { PageHeader } from "../../../components/page-header";
import { useFollowMode } from "../../../components/shell/mode";
import { useScrollToHash } from "../../../components/use-scroll-to-hash";
import { archiveQuestion, useArchiveChannel } from "../archive-channel";
import type { Channel } from "./channel";
import { ChannelKeys } from "./channel-keys";
import { ChannelSettings } from "./channel-settings";
import { CopyChannel } from "./copy-channel";
import { FirstTraffic } from "./first-traffic";
import { Snippet } from "./snippet";

interface ChannelPageProps {
  id: string;
  publicUrl: string;
}

export function ChannelPage({ id, publicUrl }: ChannelPageProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.getChannel.queryOptions({ id }));
  useFollowMode(query.data);
  return (
    <>
      <PageHeader
        back={{ href: "/offers/channels", label: "Channels" }}
        title={query.data?.name ?? "Channel"}
        description={<span className="font-mono text-xs">{id}</span>}
        actions={
          query.data && (
            <>
              <Badge tone={query.data.mode === "live" ? "good" : "warn"}>{query.data.mode}</Badge>
              {query.data.mode === "test" && <CopyChannel id={id} />}
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(channel) => <Sections key={id} channel={channel} publicUrl={publicUrl} />}
      </QueryContent>
    </>
  );
}

function Sections({ channel, publicUrl }: { channel: Channel; publicUrl: string }) {
  useScrollToHash();
  return (
    <div className="space-y-6">
      <FirstTraffic channel={channel} />
      <ChannelKeys channel={channel} publicUrl={publicUrl} />
      <Snippet channel={channel} publicUrl={publicUrl} />
      <ChannelSettings channel={channel} />
      <ArchiveChannel channel={channel} />
    </div>
  );
}

function ArchiveChannel({ channel: { id, name } }: { channel: Channel }) {
  const router = useRouter();
  const archive = useArchiveChannel(id, () => router.push("/offers/channels"));
  return (
    <Section title="Archive channel" description="Its keys stop working immediately. Its figures stay in reports.">
      <Confirm
        trigger={<Button variant="outline">Archive channel</Button>}
        {...archiveQuestion(name)}
        onConfirm={archive}
      />
    </Section>
  );
}
