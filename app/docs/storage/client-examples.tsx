"use client";

import { DocsCode } from "../docs-code";
import { Code } from "../docs-text";
import { useRunner } from "../runner";
import { clientExamples } from "./examples";

/** The settings of S3 clients, with the address of this installation. */
export function ClientExamples() {
  const { sdk, presigner, cli, boto, rclone, root } = clientExamples(useRunner().publicUrl);
  return (
    <>
      <p>
        With the AWS SDK for JavaScript. The region can be any; addresses are in path style, so set{" "}
        <Code>forcePathStyle</Code>:
      </p>
      <DocsCode label="storage.js" code={sdk} language="javascript" />
      <p>
        Its presigner needs <Code>{'requestChecksumCalculation: "WHEN_REQUIRED"'}</Code> for uploads. Otherwise it signs
        the checksum of an empty body into the URL, and an upload with content is rejected as <Code>BadDigest</Code>:
      </p>
      <DocsCode label="presign.js" code={presigner} language="javascript" />
      <p>With the AWS command line:</p>
      <DocsCode label="Shell" code={cli} language="bash" />
      <p>
        Versions before 1.29 and 2.13 do not know <Code>AWS_ENDPOINT_URL_S3</Code>: add <Code>--endpoint-url</Code> with
        the same address to each command. <Code>aws s3 presign</Code> of version 1 also needs{" "}
        <Code>aws configure set default.s3.signature_version s3v4</Code>.
      </p>
      <p>With boto3:</p>
      <DocsCode label="storage.py" code={boto} language="python" />
      <p>With rclone:</p>
      <DocsCode label="rclone.conf" code={rclone} language="bash" />
      <p>
        Some clients, such as restic, mc and s3fs, cannot have a path in their endpoint: give them the address without{" "}
        <Code>/v1/s3</Code>. Requests that are signed for S3 with Version 4 find their bucket there too; public objects,
        forms and preflight requests need the path.
      </p>
      <DocsCode label="Shell" code={root} language="bash" />
      <p>
        Tried with these settings: aws 1.45.11 and 2.9.19, boto3 1.43.11, rclone 1.60.1, restic 0.14.0, s3fs 1.90. A
        client that can only address a bucket by a host of its own needs the host name that your operator sets with{" "}
        <Code>S3_HOST</Code>.
      </p>
    </>
  );
}
