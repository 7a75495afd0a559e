/** The steps that the page cannot run, since they need a program on the reader's machine. */
export const UPLOAD = `curl -X PUT -H "Content-Type: text/plain" --data-binary "Hello, world" "$UPLOAD_URL"`;

export const DOWNLOAD = `curl "$DOWNLOAD_URL"`;

export const BROWSER_UPLOAD = `// Your server presigns; the browser sends the file straight to the bucket.
const response = await fetch("/api/upload-url", { method: "POST", body: JSON.stringify({ type: file.type }) });
const { url, method, headers } = await response.json();
await fetch(url, { method, headers, body: file });`;

const SDK_TEXT = (url: string) => `import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({
  endpoint: "${url}/v1/s3",
  region: "us-east-1",
  forcePathStyle: true,
  credentials: {
    accessKeyId: process.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  },
});

const Bucket = "acme-uploads";
await s3.send(new PutObjectCommand({ Bucket, Key: "notes/hello.txt", Body: "Hello", ContentType: "text/plain" }));
const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: "notes/hello.txt" }));
console.log(await Body.transformToString());`;

const CLI_TEXT = (url: string) => `export AWS_ACCESS_KEY_ID=svck… AWS_SECRET_ACCESS_KEY=… AWS_REGION=us-east-1
export AWS_ENDPOINT_URL_S3=${url}/v1/s3
aws s3 cp ./report.pdf s3://acme-uploads/reports/report.pdf
aws s3 ls s3://acme-uploads/reports/
aws s3 sync ./photos s3://acme-uploads/photos`;

/** Without `requestChecksumCalculation` the URL would demand the checksum of an empty body. */
const PRESIGNER_TEXT = (url: string) => `import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const s3 = new S3Client({
  endpoint: "${url}/v1/s3",
  region: "us-east-1",
  forcePathStyle: true,
  requestChecksumCalculation: "WHEN_REQUIRED",
  credentials: {
    accessKeyId: process.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  },
});

const upload = new PutObjectCommand({ Bucket: "acme-uploads", Key: "notes/later.txt", ContentType: "text/plain" });
const url = await getSignedUrl(s3, upload, { expiresIn: 600 });
const { status } = await fetch(url, { method: "PUT", headers: { "Content-Type": "text/plain" }, body: "Hello" });
console.log(status);`;

const RCLONE_TEXT = (url: string) => `# ~/.config/rclone/rclone.conf
[svc]
type = s3
provider = Other
access_key_id = svck…
secret_access_key = …
endpoint = ${url}/v1/s3
region = us-east-1
force_path_style = true`;

const BOTO_TEXT = (url: string) => `import boto3
from botocore.config import Config

s3 = boto3.client(
    "s3",
    endpoint_url="${url}/v1/s3",
    region_name="us-east-1",
    aws_access_key_id="svck…",
    aws_secret_access_key="…",
    config=Config(s3={"addressing_style": "path"}),
)
s3.upload_file("report.pdf", "acme-uploads", "reports/report.pdf", ExtraArgs={"ChecksumAlgorithm": "SHA256"})
print(s3.head_object(Bucket="acme-uploads", Key="reports/report.pdf", ChecksumMode="ENABLED")["ChecksumSHA256"])`;

/** Clients whose endpoint cannot have a path. */
const ROOT_TEXT = (url: string) => `export AWS_ACCESS_KEY_ID=svck… AWS_SECRET_ACCESS_KEY=…
restic -r s3:${url}/acme-backups init
restic -r s3:${url}/acme-backups backup ./photos

mc alias set svc ${url} "$AWS_ACCESS_KEY_ID" "$AWS_SECRET_ACCESS_KEY" --api S3v4 --path on
mc cp ./report.pdf svc/acme-uploads/reports/

echo "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" > ~/.passwd-s3fs && chmod 600 ~/.passwd-s3fs
s3fs acme-uploads /mnt/uploads -o url=${url},use_path_request_style`;

/** Settings of S3 clients for the endpoint of this installation. */
export const clientExamples = (publicUrl: string) => ({
  sdk: SDK_TEXT(publicUrl),
  presigner: PRESIGNER_TEXT(publicUrl),
  cli: CLI_TEXT(publicUrl),
  boto: BOTO_TEXT(publicUrl),
  rclone: RCLONE_TEXT(publicUrl),
  root: ROOT_TEXT(publicUrl),
  lock: LOCK_TEXT(publicUrl),
});

export const CORS = `{
  "cors_rules": [
    {
      "allowed_origins": ["https://app.example.com", "https://*.preview.example.com"],
      "allowed_methods": ["GET", "PUT"],
      "allowed_headers": ["content-type"],
      "expose_headers": ["ETag"],
      "max_age_seconds": 3600
    }
  ]
}`;

export const LIFECYCLE = `{
  "lifecycle_rules": [
    { "id": "exports", "prefix": "exports/", "expire_days": 30 },
    { "id": "old-versions", "expire_noncurrent_days": 90 },
    { "id": "logs", "prefix": "logs/", "transitions": [{ "days": 30, "tier": "cold" }, { "days": 90, "tier": "archive" }] },
    { "id": "uploads", "abort_upload_days": 3 }
  ]
}`;

const LOCK_TEXT = (url: string) => `export AWS_ENDPOINT_URL_S3=${url}/v1/s3
aws s3api create-bucket --bucket acme-archive --object-lock-enabled-for-bucket
aws s3api put-object-lock-configuration --bucket acme-archive --object-lock-configuration \\
  '{"ObjectLockEnabled":"Enabled","Rule":{"DefaultRetention":{"Mode":"GOVERNANCE","Days":30}}}'
aws s3api put-object --bucket acme-archive --key ledger/2026.csv --body ./2026.csv \\
  --object-lock-mode COMPLIANCE --object-lock-retain-until-date 2033-12-31T00:00:00Z
aws s3api put-object-legal-hold --bucket acme-archive --key ledger/2026.csv --legal-hold Status=ON
aws s3api get-object-retention --bucket acme-archive --key ledger/2026.csv`;

/** The same over the REST API: a bucket, and the lock of an object. */
export const LOCK_BUCKET = `{
  "name": "acme-archive",
  "object_lock": { "default_retention": { "mode": "governance", "days": 30 } }
}`;

export const LOCK_OBJECT = `{
  "retention": { "mode": "compliance", "until": "2033-12-31T00:00:00.000Z" },
  "legal_hold": true
}`;

export const POLICY = `{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "AnyoneReadsImages",
      "Effect": "Allow",
      "Principal": "*",
      "Action": "s3:GetObject",
      "Resource": "arn:aws:s3:::acme-uploads/images/*"
    },
    {
      "Sid": "OnlyFromTheOffice",
      "Effect": "Deny",
      "Principal": "*",
      "Action": "s3:DeleteObject",
      "Resource": "arn:aws:s3:::acme-uploads/*",
      "Condition": { "NotIpAddress": { "aws:SourceIp": "203.0.113.0/24" } }
    }
  ]
}`;
