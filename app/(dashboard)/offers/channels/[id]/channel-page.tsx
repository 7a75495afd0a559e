"use client";

import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { NounPage } from "../../../components/noun-page";
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

export const ChannelPage = ({ id, publicUrl }: ChannelPageProps) => (
  <NounPage
    id={id}
    noun="Channel"
    list={{ href: "/offers/channels", label: "Channels" }}
    scope="ads:read"
    query={(trpc) => trpc.getChannel.queryOptions({ id })}
    actions={({ mode }) => mode === "test" && <CopyChannel id={id} />}
  >
    {(channel) => <Sections channel={channel} publicUrl={publicUrl} />}
  </NounPage>
);

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
