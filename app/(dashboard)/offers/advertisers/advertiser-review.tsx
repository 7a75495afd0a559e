import { FailureAlert } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { failureOf } from "../../../trpc/failure";
import { useMutationOf } from "../../../trpc/use-operation";
import type { Advertiser } from "./advertiser";

const STATES: Readonly<Record<Advertiser["review"], string>> = {
  unreviewed: "Not reviewed. Verify the domain, then request a review.",
  pending: "Waiting for the operator's review.",
  approved: "Approved.",
  rejected: "Rejected.",
};

/** What an advertiser needs before its campaigns serve on channels of other publishers. */
export function AdvertiserReview({ advertiser }: { advertiser: Advertiser }) {
  const { id, review, review_note, domain_verified_at, domain_verification } = advertiser;
  const verify = useMutationOf("verifyAdvertiserDomain", { meta: { inline: true, done: "Domain verified." } });
  const request = useMutationOf("requestAdvertiserReview", { meta: { inline: true, done: "Review requested." } });
  const { data } = verify;
  const isVerified = (data ?? advertiser).domain_verified_at !== null && domain_verification !== null;
  const state = request.data?.review ?? review;
  const error = verify.error ?? request.error;
  return (
    <section className="space-y-3 border-t pt-4 text-sm">
      <h3 className="font-medium">Channels of other publishers</h3>
      <p>
        {STATES[state]} {review_note}
      </p>
      {domain_verification && !domain_verified_at && (
        <p className="break-words text-muted-foreground">
          To verify the domain, publish <code>{domain_verification.token}</code> as a TXT record under{" "}
          <code>{domain_verification.dns_name}</code>, or as text at <code>{domain_verification.file_url}</code>.
        </p>
      )}
      {error && <FailureAlert failure={failureOf(error)} />}
      <div className="flex gap-2">
        {domain_verification && !isVerified && (
          <Button variant="outline" pending={verify.isPending} onClick={() => verify.mutate({ id })}>
            Verify domain
          </Button>
        )}
        {isVerified && (state === "unreviewed" || state === "rejected") && (
          <Button variant="outline" pending={request.isPending} onClick={() => request.mutate({ id })}>
            Request review
          </Button>
        )}
      </div>
    </section>
  );
}
