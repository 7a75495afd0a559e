import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code } from "../docs-text";
import { DOWNLOAD, UPLOAD } from "./examples";

const KEY = "quick-start/hello.txt";

/** An object from its upload to its download. */
export const QuickStart = () => (
  <>
    <h3 className="pt-2 font-semibold">1. Create a URL for the upload</h3>
    <Call
      title="Presign an upload"
      call="POST /v1/storage/presign"
      body={{ key: KEY, operation: "put_object", content_type: "text/plain", content_length_max: 1_048_576 }}
      saveAs={["bucket", "bucket"]}
    />
    <p>
      Without a <Code>bucket</Code>, this is the default bucket of the key&apos;s project and mode, which the first such
      call creates. To have a bucket with a name of your own, create it with <Code>POST /v1/storage/buckets</Code>.
    </p>
    <h3 className="pt-2 font-semibold">2. Upload</h3>
    <p>
      Send the request with exactly the <Code>headers</Code> of the response to its <Code>url</Code>; no key is needed:
    </p>
    <DocsCode label="Upload" code={UPLOAD} language="bash" />
    <h3 className="pt-2 font-semibold">3. List the objects</h3>
    <Call title="List objects" call="GET /v1/storage/buckets/<bucket>/objects?prefix=quick-start/&delimiter=/" />
    <h3 className="pt-2 font-semibold">4. Share it for ten minutes</h3>
    <Call
      title="Presign a download"
      call="POST /v1/storage/presign"
      body={{ bucket: "<bucket>", key: KEY, operation: "get_object", expires_in: 600 }}
    />
    <DocsCode label="Download" code={DOWNLOAD} language="bash" />
    <h3 className="pt-2 font-semibold">5. Look at the bucket</h3>
    <Call title="Get the bucket" call="GET /v1/storage/buckets/<bucket>" />
  </>
);
