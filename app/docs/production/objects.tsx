import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsLink, DocsSection } from "../docs-text";
import { S3_STORE } from "./examples";

/** Where the contents of stored objects are. */
export const Objects = () => (
  <DocsSection id="objects" title="Stored objects">
    <p>
      Objects of <DocsLink href="/docs/storage">object storage</DocsLink> are files in the folder <Code>objects</Code>{" "}
      of the data directory, with a checksum per block. Uploads are refused with 503 when{" "}
      <Code>SVC_OBJECTS_DISK_SHARE</Code> of that disk is in use, files of other programs included. Every file is
      verified in the background; see <a href="#monitoring">Monitoring</a>.{" "}
      <DocsLink href="/docs/storage#classes">Storage classes</DocsLink> are the folders <Code>.warm</Code>,{" "}
      <Code>.cold</Code> and <Code>.archive</Code> in it, which may be volumes of their own, or prefixes of names in an
      external store.
    </p>
    <p>
      Such files belong to one machine. For several machines, or more than one disk holds, keep objects in a bucket of
      an external S3 store, in which their names begin with <Code>svc-objects/</Code>:
    </p>
    <CodeBlock label="Environment" code={S3_STORE} />
    <p>
      Choose this before the first object is stored: objects are not moved from one to the other. A bucket must belong
      to one installation alone, because every night svc deletes objects below that prefix that its database does not
      name and that are older than an hour: two installations with one bucket would delete each other&apos;s objects.
    </p>
    <p>
      Clients reach the S3 endpoint at <Code>PUBLIC_URL</Code> + <Code>/v1/s3</Code> in path style. Those that cannot
      have a path in their endpoint use <Code>PUBLIC_URL</Code> itself: there, a request that is not signed with Version
      4, such as an anonymous one, a form or a preflight, is for a bucket if no page of svc has its name and the name
      has no dot. With <Code>S3_HOST=s3.svc.example</Code> it is also at that host and, in virtual-host style, at one
      host for each bucket: set a DNS record for it and for <Code>*.s3.svc.example</Code>, and have both in the
      certificate and in the proxy&apos;s <Code>server_name</Code>. A wildcard certificate does not cover names of
      buckets with dots.
    </p>
  </DocsSection>
);
