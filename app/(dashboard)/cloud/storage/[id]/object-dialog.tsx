import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { SelectField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { textIn } from "../../../../components/form/read-fields";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { CodeBlock } from "../../../../components/ui/code-block";
import { Dialog } from "../../../../components/ui/dialog";
import { Skeleton } from "../../../../components/ui/skeleton";
import { formatBytes } from "../../../../format/bytes";
import { formatDateTime } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import { useTRPCClient } from "../../../../trpc/client";
import { FactLine, FactLines } from "../../../components/facts";
import type { Bucket, StoredObject } from "../bucket";
import { download } from "./download";
import { LockFacts } from "./lock-facts";
import { previewOf } from "./object-keys";
import { RestoreObject } from "./restore-object";

interface ObjectDialogProps {
  bucket: Bucket;
  /** Shown while defined. */
  object: StoredObject | undefined;
  publicUrl: string;
  onClose: () => void;
}

/** What is known of an object, a preview of images and text, and links that expire. */
export const ObjectDialog = ({ bucket, object, publicUrl, onClose }: ObjectDialogProps) => (
  <Dialog
    open={object !== undefined}
    onOpenChange={onClose}
    title={object?.key.split("/").findLast(Boolean) ?? "Object"}
    className="max-w-2xl"
  >
    {object && <Details key={object.key} bucket={bucket} object={object} publicUrl={publicUrl} />}
  </Dialog>
);

type DetailsProps = Omit<ObjectDialogProps, "onClose" | "object"> & { object: StoredObject };

function Details({ bucket, object, publicUrl }: DetailsProps) {
  const client = useTRPCClient();
  const { key, size, content_type, etag, last_modified, version_id, tier } = object;
  return (
    <div className="space-y-5">
      <ObjectPreview bucket={bucket} object={object} />
      <FactLines>
        <FactLine name="Key">{key}</FactLine>
        <FactLine name="Size">
          {formatBytes(size)} ({formatCount(size)} bytes)
        </FactLine>
        <FactLine name="Content type">{content_type}</FactLine>
        <FactLine name="Last modified">{formatDateTime(last_modified)}</FactLine>
        <FactLine name="ETag">{etag}</FactLine>
        <FactLine name="Storage class">{tier}</FactLine>
        {version_id !== null && <FactLine name="Version">{version_id}</FactLine>}
        {bucket.object_lock && <LockFacts bucket={bucket} object={object} />}
      </FactLines>
      {tier === "archive" && <RestoreObject bucket={bucket} object={object} />}
      <Button variant="outline" onClick={() => void download(client, bucket, key)} icon={Download}>
        Download
      </Button>
      {bucket.public_read && <CodeBlock label="Public address" code={publicAddressOf(publicUrl, bucket, key)} />}
      <LinkForm bucket={bucket} object={object} />
    </div>
  );
}

const publicAddressOf = (publicUrl: string, { name }: Bucket, key: string): string =>
  `${publicUrl}/v1/s3/${name}/${key.split("/").map(encodeURIComponent).join("/")}`;

const LIVES = [
  { seconds: 3600, label: "1 hour" },
  { seconds: 86_400, label: "1 day" },
  { seconds: 604_800, label: "7 days" },
];

/** Creates a link to the object that works without an account until it expires. */
function LinkForm({ bucket: { id }, object: { key } }: Pick<DetailsProps, "bucket" | "object">) {
  const client = useTRPCClient();
  const [link, setLink] = useState<{ url: string; expires_at: string }>();
  const [error, setError] = useState<unknown>(null);
  const [pending, setPending] = useState(false);
  const submit = async (fields: FormData) => {
    setPending(true);
    setError(null);
    try {
      const expires_in = Number(textIn(fields, "expires_in"));
      setLink(await client.presignObject.mutate({ bucket: id, key, operation: "get_object", expires_in }));
    } catch (failure) {
      setError(failure);
    }
    setPending(false);
  };
  return (
    <Form error={error} onSubmit={(fields) => void submit(fields)}>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          name="expires_in"
          label="Link that expires in"
          className="w-40"
          choices={LIVES.map(({ seconds, label }) => ({ value: seconds, label }))}
        />
        <Button type="submit" variant="outline" pending={pending}>
          Create link
        </Button>
      </div>
      {link && (
        <div ref={(shown) => shown?.scrollIntoView({ block: "nearest" })} className="scroll-mb-6 space-y-2">
          <CodeBlock label={`Works until ${formatDateTime(link.expires_at)}`} code={link.url} />
          <p className="text-muted-foreground text-xs">Everybody who has the link can read the object until then.</p>
        </div>
      )}
    </Form>
  );
}

const TEXT_BYTES_MAX = 65_536;
const IMAGE_BYTES_MAX = 20_000_000;
const PREVIEW_SECONDS = 300;

function ObjectPreview({ bucket, object }: Pick<DetailsProps, "bucket" | "object">) {
  const client = useTRPCClient();
  const { key, size, content_type, etag, tier } = object;
  const preview = previewOf(content_type);
  const isReadable = size > 0 && tier !== "archive";
  const isShown = preview !== undefined && isReadable && (preview === "text" || size <= IMAGE_BYTES_MAX);
  const [isBroken, setBroken] = useState(false);
  const query = useQuery({
    queryKey: ["object-preview", bucket.id, key, etag],
    enabled: isShown,
    staleTime: PREVIEW_SECONDS * 500,
    queryFn: async () => {
      const { url } = await client.presignObject.mutate({
        bucket: bucket.id,
        key,
        operation: "get_object",
        expires_in: PREVIEW_SECONDS,
      });
      return preview === "text" ? { text: await beginningOf(url) } : { url };
    },
  });
  if (!isShown) return null;
  if (query.error) return <Alert tone="warn">The preview could not be loaded.</Alert>;
  if (isBroken) return <Alert tone="warn">No preview: the content is not an image that browsers can show.</Alert>;
  if (!query.data) return <Skeleton className="h-40" />;
  if ("url" in query.data) {
    return (
      <div className="flex max-h-80 justify-center overflow-hidden rounded-lg border bg-muted/40">
        {/* biome-ignore lint/performance/noImgElement: the address is a link that expires, which must not be cached elsewhere. */}
        <img
          src={query.data.url}
          alt={`Content of ${key}`}
          className="max-h-80 object-contain"
          onError={() => setBroken(true)}
        />
      </div>
    );
  }
  return (
    <div className="[&_pre]:max-h-80 [&_pre]:overflow-y-auto">
      <CodeBlock
        label={size > TEXT_BYTES_MAX ? `The first ${formatBytes(TEXT_BYTES_MAX)}` : "Content"}
        code={query.data.text}
      />
    </div>
  );
}

/** The first 64 KiB of an object as text; what is no UTF-8 is replaced. */
async function beginningOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { range: `bytes=0-${TEXT_BYTES_MAX - 1}` } });
  if (!response.ok) throw new Error(`The server responded with status ${response.status}.`);
  return response.text();
}
