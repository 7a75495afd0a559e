import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { Confirm } from "../../../../components/ui/confirm";
import { useMutationOf } from "../../../../trpc/use-operation";
import { archiveQuestion } from "../archive-question";
import type { Campaign } from "../campaign";

export function EndCampaign({ campaign: { id, name, status } }: { campaign: Campaign }) {
  const router = useRouter();
  const end = useMutationOf("updateCampaign", { meta: { done: "Campaign ended." } });
  const restore = useMutationOf("restoreCampaign", { meta: { done: "Campaign restored." } });
  const archive = useMutationOf("deleteCampaign", {
    meta: { done: "Campaign archived.", undo: () => restore.mutateAsync({ id }), leaves: true },
    onSuccess: () => router.push("/offers/campaigns"),
  });
  return (
    <Section id="end" title="End or archive" description="Figures stay in reports either way.">
      <div className="flex flex-wrap gap-2">
        {status !== "ended" && (
          <Confirm
            trigger={<Button variant="outline">End campaign</Button>}
            title={`End ${name}?`}
            consequence="It stops serving immediately and cannot be restarted. To stop it temporarily, pause it."
            action="End campaign"
            onConfirm={() => end.mutateAsync({ id, status: "ended" })}
          />
        )}
        <Confirm
          trigger={<Button variant="outline">Archive campaign</Button>}
          {...archiveQuestion(name)}
          onConfirm={() => archive.mutateAsync({ id })}
        />
      </div>
    </Section>
  );
}
