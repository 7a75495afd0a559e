import { createAdvertiser } from "../../ads/advertisers/create-advertiser";
import { deleteAdvertiser } from "../../ads/advertisers/delete-advertiser";
import { listAdvertisers } from "../../ads/advertisers/list-advertisers";
import { requestReview } from "../../ads/advertisers/request-review";
import { restoreAdvertiser } from "../../ads/advertisers/restore-advertiser";
import { updateAdvertiser } from "../../ads/advertisers/update-advertiser";
import { verifyDomain } from "../../ads/advertisers/verify-domain";
import { listAttention } from "../../ads/attention/list-attention";
import { getBalance } from "../../ads/balances/get-balance";
import { getCampaignPlan } from "../../ads/budgets/get-campaign-plan";
import { getCampaignSpend } from "../../ads/budgets/get-campaign-spend";
import { createCampaign } from "../../ads/campaigns/create-campaign";
import { deleteCampaign } from "../../ads/campaigns/delete-campaign";
import { getCampaign } from "../../ads/campaigns/get-campaign";
import { listCampaignFigures } from "../../ads/campaigns/list-campaign-figures";
import { listCampaigns } from "../../ads/campaigns/list-campaigns";
import { restoreCampaign } from "../../ads/campaigns/restore-campaign";
import { updateCampaign } from "../../ads/campaigns/update-campaign";
import { copyChannel } from "../../ads/channels/copy-channel";
import { createChannel } from "../../ads/channels/create-channel";
import { createChannelKey } from "../../ads/channels/create-channel-key";
import { deleteChannel } from "../../ads/channels/delete-channel";
import { getChannel } from "../../ads/channels/get-channel";
import { listChannelKeys } from "../../ads/channels/list-channel-keys";
import { listChannels } from "../../ads/channels/list-channels";
import { restoreChannel } from "../../ads/channels/restore-channel";
import { revokeChannelKey } from "../../ads/channels/revoke-channel-key";
import { updateChannel } from "../../ads/channels/update-channel";
import { getPixel } from "../../ads/conversions/get-pixel";
import { listConversions } from "../../ads/conversions/list-conversions";
import { reportConversion } from "../../ads/conversions/report-conversion";
import { copyCampaign } from "../../ads/creatives/copy-campaign";
import { createCreative } from "../../ads/creatives/create-creative";
import { deleteCreative } from "../../ads/creatives/delete-creative";
import { listCreatives } from "../../ads/creatives/list-creatives";
import { restoreCreative } from "../../ads/creatives/restore-creative";
import { updateCreative } from "../../ads/creatives/update-creative";
import { getSimulatedTraffic } from "../../ads/demo/get-simulated-traffic";
import { getEarnings } from "../../ads/earnings/get-earnings";
import { explainOffers } from "../../ads/explain/explain-offers";
import { deleteFeedSchedule } from "../../ads/feed-schedules/delete-feed-schedule";
import { readFeedSchedule } from "../../ads/feed-schedules/read-feed-schedule";
import { requestFeedFetch } from "../../ads/feed-schedules/request-feed-fetch";
import { setFeedSchedule } from "../../ads/feed-schedules/set-feed-schedule";
import { listNetworkChannels } from "../../ads/network-channels/list-network-channels";
import { countProducts } from "../../ads/products/count-products";
import { deleteProduct } from "../../ads/products/delete-product";
import { importProducts } from "../../ads/products/import-products";
import { listProducts } from "../../ads/products/list-products";
import { restoreProduct } from "../../ads/products/restore-product";
import { getReport } from "../../ads/reports/get-report";
import { getEarningsStatement } from "../../ads/statements/get-earnings-statement";
import { getSpendStatement } from "../../ads/statements/get-spend-statement";
import { listStatements } from "../../ads/statements/list-statements";
import { createChatCompletion } from "../../cloud/ai/gateway/create-chat-completion";
import { listChatModels } from "../../cloud/ai/gateway/list-chat-models";
import { requestChatAnswer } from "../../cloud/ai/gateway/request-chat-answer";
import { createChatBudget } from "../../cloud/ai/ledger/create-chat-budget";
import { deleteChatBudget } from "../../cloud/ai/ledger/delete-chat-budget";
import { getChatBudget } from "../../cloud/ai/ledger/get-chat-budget";
import { getChatRequest } from "../../cloud/ai/ledger/get-chat-request";
import { getChatSettings } from "../../cloud/ai/ledger/get-chat-settings";
import { getChatUsage } from "../../cloud/ai/ledger/get-chat-usage";
import { listChatBudgets } from "../../cloud/ai/ledger/list-chat-budgets";
import { listChatRequests } from "../../cloud/ai/ledger/list-chat-requests";
import { updateChatBudget } from "../../cloud/ai/ledger/update-chat-budget";
import { updateChatSettings } from "../../cloud/ai/ledger/update-chat-settings";
import { createChatUpstream } from "../../cloud/ai/upstreams/create-chat-upstream";
import { deleteChatUpstream } from "../../cloud/ai/upstreams/delete-chat-upstream";
import { getChatUpstream } from "../../cloud/ai/upstreams/get-chat-upstream";
import { listChatUpstreams } from "../../cloud/ai/upstreams/list-chat-upstreams";
import { updateChatUpstream } from "../../cloud/ai/upstreams/update-chat-upstream";
import { createFunction } from "../../cloud/compute/functions/create-function";
import { deleteFunction } from "../../cloud/compute/functions/delete-function";
import { deployFunction } from "../../cloud/compute/functions/deploy-function";
import { getFunction } from "../../cloud/compute/functions/get-function";
import { getFunctionInvocation } from "../../cloud/compute/functions/get-function-invocation";
import { getFunctionVersion } from "../../cloud/compute/functions/get-function-version";
import { invokeFunction } from "../../cloud/compute/functions/invoke-function";
import { listFunctionInvocations } from "../../cloud/compute/functions/list-function-invocations";
import { listFunctionVersions } from "../../cloud/compute/functions/list-function-versions";
import { listFunctions } from "../../cloud/compute/functions/list-functions";
import { restoreFunctionVersion } from "../../cloud/compute/functions/restore-function-version";
import { updateFunction } from "../../cloud/compute/functions/update-function";
import { startInstance } from "../../cloud/compute/instances/start-instance";
import { stopInstance } from "../../cloud/compute/instances/stop-instance";
import { checkpointPod } from "../../cloud/compute/pods/checkpoint-pod";
import { createPod } from "../../cloud/compute/pods/create-pod";
import { deletePod } from "../../cloud/compute/pods/delete-pod";
import { deletePodCheckpoint } from "../../cloud/compute/pods/delete-pod-checkpoint";
import { estimatePod } from "../../cloud/compute/pods/estimate-pod";
import { execPod } from "../../cloud/compute/pods/exec-pod";
import { explainPod } from "../../cloud/compute/pods/explain-pod";
import { getPod } from "../../cloud/compute/pods/get-pod";
import { readPodLogs } from "../../cloud/compute/pods/get-pod-logs";
import { listPodCheckpoints } from "../../cloud/compute/pods/list-pod-checkpoints";
import { listPodEvents } from "../../cloud/compute/pods/list-pod-events";
import { listPods } from "../../cloud/compute/pods/list-pods";
import { startPod } from "../../cloud/compute/pods/start-pod";
import { stopPod } from "../../cloud/compute/pods/stop-pod";
import { getGpuPool } from "../../cloud/compute/pools/get-gpu-pool";
import { listGpuPools } from "../../cloud/compute/pools/list-gpu-pools";
import { cancelReservation } from "../../cloud/compute/reservations/cancel-reservation";
import { createReservation } from "../../cloud/compute/reservations/create-reservation";
import { getReservation } from "../../cloud/compute/reservations/get-reservation";
import { getReservationCalendar } from "../../cloud/compute/reservations/get-reservation-calendar";
import { listReservations } from "../../cloud/compute/reservations/list-reservations";
import { createSandbox } from "../../cloud/compute/sandboxes/create-sandbox";
import { deleteSandbox } from "../../cloud/compute/sandboxes/delete-sandbox";
import { execSandbox } from "../../cloud/compute/sandboxes/exec-sandbox";
import { getSandbox } from "../../cloud/compute/sandboxes/get-sandbox";
import { listSandboxFiles } from "../../cloud/compute/sandboxes/list-sandbox-files";
import { listSandboxes } from "../../cloud/compute/sandboxes/list-sandboxes";
import { readSandboxFile } from "../../cloud/compute/sandboxes/read-sandbox-file";
import { writeSandboxFile } from "../../cloud/compute/sandboxes/write-sandbox-file";
import { createWorkspace } from "../../cloud/compute/workspaces/create-workspace";
import { createWorkspaceFolder } from "../../cloud/compute/workspaces/create-workspace-folder";
import { deleteWorkspace } from "../../cloud/compute/workspaces/delete-workspace";
import { deleteWorkspaceFile } from "../../cloud/compute/workspaces/delete-workspace-file";
import { getWorkspace } from "../../cloud/compute/workspaces/get-workspace";
import { listWorkspaceFiles } from "../../cloud/compute/workspaces/list-workspace-files";
import { listWorkspaces } from "../../cloud/compute/workspaces/list-workspaces";
import { moveWorkspaceFile } from "../../cloud/compute/workspaces/move-workspace-file";
import { readWorkspaceFile } from "../../cloud/compute/workspaces/read-workspace-file";
import { startWorkspace } from "../../cloud/compute/workspaces/start-workspace";
import { stopWorkspace } from "../../cloud/compute/workspaces/stop-workspace";
import { writeWorkspaceFile } from "../../cloud/compute/workspaces/write-workspace-file";
import { activateService } from "../../cloud/core/resources/activate-service";
import { createResource } from "../../cloud/core/resources/create-resource";
import { deactivateService } from "../../cloud/core/resources/deactivate-service";
import { deleteResource } from "../../cloud/core/resources/delete-resource";
import { getResource } from "../../cloud/core/resources/get-resource";
import { listActivations } from "../../cloud/core/resources/list-activations";
import { listResourceKinds } from "../../cloud/core/resources/list-resource-kinds";
import { listResources } from "../../cloud/core/resources/list-resources";
import { updateResource } from "../../cloud/core/resources/update-resource";
import { createBucket } from "../../cloud/data/buckets/create-bucket";
import { createStorageCredentials } from "../../cloud/data/buckets/create-storage-credentials";
import { deleteBucket } from "../../cloud/data/buckets/delete-bucket";
import { deleteObject } from "../../cloud/data/buckets/delete-object";
import { deleteObjects } from "../../cloud/data/buckets/delete-objects";
import { getBucket } from "../../cloud/data/buckets/get-bucket";
import { getBucketUsage } from "../../cloud/data/buckets/get-bucket-usage";
import { getObject } from "../../cloud/data/buckets/get-object";
import { listBuckets } from "../../cloud/data/buckets/list-buckets";
import { listObjects } from "../../cloud/data/buckets/list-objects";
import { presignObject } from "../../cloud/data/buckets/presign-object";
import { restoreObject } from "../../cloud/data/buckets/restore-object";
import { updateBucket } from "../../cloud/data/buckets/update-bucket";
import { createQueue } from "../../cloud/data/queues/create-queue";
import { deleteQueue } from "../../cloud/data/queues/delete-queue";
import { getQueue } from "../../cloud/data/queues/get-queue";
import { getQueueHistory } from "../../cloud/data/queues/get-queue-history";
import { listQueueFigures } from "../../cloud/data/queues/list-queue-figures";
import { listQueues } from "../../cloud/data/queues/list-queues";
import { peekMessages } from "../../cloud/data/queues/peek-messages";
import { purgeQueue } from "../../cloud/data/queues/purge-queue";
import { redriveMessages } from "../../cloud/data/queues/redrive-messages";
import { sendMessages } from "../../cloud/data/queues/send-messages";
import { updateQueue } from "../../cloud/data/queues/update-queue";
import { createSecret } from "../../cloud/data/secrets/create-secret";
import { deleteSecret } from "../../cloud/data/secrets/delete-secret";
import { getSecret } from "../../cloud/data/secrets/get-secret";
import { listSecrets } from "../../cloud/data/secrets/list-secrets";
import { putSecret } from "../../cloud/data/secrets/put-secret";
import { revealSecret } from "../../cloud/data/secrets/reveal-secret";
import { createEdgeFunction } from "../../cloud/edge/workers/create-edge-function";
import { deleteEdgeFunction } from "../../cloud/edge/workers/delete-edge-function";
import { getEdgeFunction } from "../../cloud/edge/workers/get-edge-function";
import { readEdgeLogs } from "../../cloud/edge/workers/get-edge-logs";
import { getEdgeVersion } from "../../cloud/edge/workers/get-edge-version";
import { listEdgeFunctions } from "../../cloud/edge/workers/list-edge-functions";
import { listEdgeVersions } from "../../cloud/edge/workers/list-edge-versions";
import { publishEdgeFunction } from "../../cloud/edge/workers/publish-edge-function";
import { restoreEdgeVersion } from "../../cloud/edge/workers/restore-edge-version";
import { updateEdgeFunction } from "../../cloud/edge/workers/update-edge-function";
import { createWebhook } from "../../cloud/events/webhooks/create-webhook";
import { deleteWebhook } from "../../cloud/events/webhooks/delete-webhook";
import { getWebhook } from "../../cloud/events/webhooks/get-webhook";
import { getWebhookDelivery } from "../../cloud/events/webhooks/get-webhook-delivery";
import { listWebhookDeliveries } from "../../cloud/events/webhooks/list-webhook-deliveries";
import { listWebhooks } from "../../cloud/events/webhooks/list-webhooks";
import { replayWebhookDeliveries } from "../../cloud/events/webhooks/replay-webhook-deliveries";
import { replayWebhookDelivery } from "../../cloud/events/webhooks/replay-webhook-delivery";
import { rotateWebhookSecret } from "../../cloud/events/webhooks/rotate-webhook-secret";
import { testWebhook } from "../../cloud/events/webhooks/test-webhook";
import { updateWebhook } from "../../cloud/events/webhooks/update-webhook";
import { getResourceUsage } from "../../cloud/families/gpuc/get-resource-usage";
import { listSkus } from "../../cloud/families/gpuc/list-skus";
import { deleteBillingBudget } from "../../cloud/money/billing/delete-billing-budget";
import { getBillingBudget } from "../../cloud/money/billing/get-billing-budget";
import { getInvoice } from "../../cloud/money/billing/get-invoice";
import { getUsage } from "../../cloud/money/billing/get-usage";
import { listInvoices } from "../../cloud/money/billing/list-invoices";
import { putBillingBudget } from "../../cloud/money/billing/put-billing-budget";
import { cancelShieldScan } from "../../cloud/shield/scans/cancel-shield-scan";
import { createShieldScan } from "../../cloud/shield/scans/create-shield-scan";
import { getShieldScan } from "../../cloud/shield/scans/get-shield-scan";
import { listShieldFindings } from "../../cloud/shield/scans/list-shield-findings";
import { listShieldScans } from "../../cloud/shield/scans/list-shield-scans";
import { createApiKey } from "../../identity/api-keys/create-api-key";
import { getApiKey } from "../../identity/api-keys/get-api-key";
import { listApiKeys } from "../../identity/api-keys/list-api-keys";
import { listScopes } from "../../identity/api-keys/list-scopes";
import { revokeApiKey } from "../../identity/api-keys/revoke-api-key";
import { rotateApiKey } from "../../identity/api-keys/rotate-api-key";
import { listAudit } from "../../identity/audit/list-audit";
import { verifyAudit } from "../../identity/audit/verify-audit";
import { getEvent } from "../../identity/events/get-event";
import { listEventKinds } from "../../identity/events/list-event-kinds";
import { listEvents } from "../../identity/events/list-events";
import { acceptInvitation } from "../../identity/invitations/accept-invitation";
import { getInvitation } from "../../identity/invitations/get-invitation";
import { inviteMember } from "../../identity/invitations/invite-member";
import { listInvitations } from "../../identity/invitations/list-invitations";
import { revokeInvitation } from "../../identity/invitations/revoke-invitation";
import { listOutbox } from "../../identity/outbox/list-outbox";
import { changePassword } from "../../identity/passwords/change-password";
import { requestPasswordReset } from "../../identity/passwords/request-password-reset";
import { resetPassword } from "../../identity/passwords/reset-password";
import { createProject } from "../../identity/projects/create-project";
import { deleteProject } from "../../identity/projects/delete-project";
import { getProject } from "../../identity/projects/get-project";
import { listProjects } from "../../identity/projects/list-projects";
import { restoreProject } from "../../identity/projects/restore-project";
import { updateProject } from "../../identity/projects/update-project";
import { getRates } from "../../identity/quotas/get-rates";
import { listQuotas } from "../../identity/quotas/list-quotas";
import { getRequestCounts } from "../../identity/request-counts/get-request-counts";
import { getAccount } from "../../identity/sessions/get-account";
import { getSession } from "../../identity/sessions/get-session";
import { listSessions } from "../../identity/sessions/list-sessions";
import { logIn } from "../../identity/sessions/log-in";
import { logOut } from "../../identity/sessions/log-out";
import { revokeOtherSessions } from "../../identity/sessions/revoke-other-sessions";
import { revokeSession } from "../../identity/sessions/revoke-session";
import { switchTenant } from "../../identity/sessions/switch-tenant";
import { signUp } from "../../identity/sign-up/sign-up";
import { changeRole } from "../../identity/tenants/change-role";
import { listMembers } from "../../identity/tenants/list-members";
import { listTenants } from "../../identity/tenants/list-tenants";
import { removeMember } from "../../identity/tenants/remove-member";
import { renameTenant } from "../../identity/tenants/rename-tenant";
import { getToolCalls } from "../../identity/tool-calls/get-tool-calls";
import { resendVerification } from "../../identity/users/resend-verification";
import { verifyEmail } from "../../identity/users/verify-email";
import { feedInputOf } from "./feed-upload";
import { mutation, query, stream, upload } from "./procedures";
import { createCallerFactory, router } from "./trpc";

/** The API of the dashboard: one router per page; each procedure is an operation. */
export const appRouter = router({
  auth: router({
    session: query(getSession),
    signUp: mutation(signUp),
    logIn: mutation(logIn),
    logOut: mutation(logOut),
    verifyEmail: mutation(verifyEmail),
    resendVerification: mutation(resendVerification),
    requestPasswordReset: mutation(requestPasswordReset),
    resetPassword: mutation(resetPassword),
    invitation: query(getInvitation),
    acceptInvitation: mutation(acceptInvitation),
  }),
  channels: router({
    list: query(listChannels),
    get: query(getChannel),
    create: mutation(createChannel),
    copy: mutation(copyChannel),
    update: mutation(updateChannel),
    delete: mutation(deleteChannel),
    restore: mutation(restoreChannel),
    listKeys: query(listChannelKeys),
    createKey: mutation(createChannelKey),
    revokeKey: mutation(revokeChannelKey),
  }),
  advertisers: router({
    list: query(listAdvertisers),
    networkChannels: query(listNetworkChannels),
    create: mutation(createAdvertiser),
    update: mutation(updateAdvertiser),
    verifyDomain: mutation(verifyDomain),
    requestReview: mutation(requestReview),
    delete: mutation(deleteAdvertiser),
    restore: mutation(restoreAdvertiser),
  }),
  campaigns: router({
    list: query(listCampaigns),
    listWithFigures: query(listCampaignFigures),
    get: query(getCampaign),
    create: mutation(createCampaign),
    copy: mutation(copyCampaign),
    update: mutation(updateCampaign),
    delete: mutation(deleteCampaign),
    restore: mutation(restoreCampaign),
    listCreatives: query(listCreatives),
    createCreative: mutation(createCreative),
    updateCreative: mutation(updateCreative),
    deleteCreative: mutation(deleteCreative),
    restoreCreative: mutation(restoreCreative),
    spend: query(getCampaignSpend),
    plan: query(getCampaignPlan),
    importProducts: upload(importProducts, feedInputOf),
    countProducts: query(countProducts),
    listProducts: query(listProducts),
    deleteProduct: mutation(deleteProduct),
    restoreProduct: mutation(restoreProduct),
    feedSchedule: query(readFeedSchedule),
    setFeedSchedule: mutation(setFeedSchedule),
    deleteFeedSchedule: mutation(deleteFeedSchedule),
    requestFeedFetch: mutation(requestFeedFetch),
  }),
  overview: router({ balance: query(getBalance), attention: query(listAttention) }),
  reports: router({
    get: query(getReport),
    earnings: query(getEarnings),
    simulated: query(getSimulatedTraffic),
  }),
  statements: router({
    list: query(listStatements),
    earnings: query(getEarningsStatement),
    spend: query(getSpendStatement),
  }),
  conversions: router({
    pixel: query(getPixel),
    list: query(listConversions),
    report: mutation(reportConversion),
  }),
  /** A mutation only because the context of a page is too long for a URL: it changes nothing. */
  explain: router({ offers: mutation(explainOffers) }),
  cloud: router({
    webhooks: router({
      list: query(listWebhooks),
      get: query(getWebhook),
      create: mutation(createWebhook),
      update: mutation(updateWebhook),
      delete: mutation(deleteWebhook),
      rotateSecret: mutation(rotateWebhookSecret),
      test: mutation(testWebhook),
      listDeliveries: query(listWebhookDeliveries),
      getDelivery: query(getWebhookDelivery),
      replay: mutation(replayWebhookDelivery),
      replayRange: mutation(replayWebhookDeliveries),
    }),
    gateway: router({
      models: query(listChatModels),
      complete: mutation(requestChatAnswer),
      stream: stream(createChatCompletion),
      upstreams: router({
        list: query(listChatUpstreams),
        get: query(getChatUpstream),
        create: mutation(createChatUpstream),
        update: mutation(updateChatUpstream),
        delete: mutation(deleteChatUpstream),
      }),
      budgets: router({
        list: query(listChatBudgets),
        get: query(getChatBudget),
        create: mutation(createChatBudget),
        update: mutation(updateChatBudget),
        delete: mutation(deleteChatBudget),
      }),
      requests: router({ list: query(listChatRequests), get: query(getChatRequest) }),
      usage: query(getChatUsage),
      settings: router({ get: query(getChatSettings), update: mutation(updateChatSettings) }),
    }),
    functions: router({
      list: query(listFunctions),
      get: query(getFunction),
      create: mutation(createFunction),
      update: mutation(updateFunction),
      delete: mutation(deleteFunction),
      deploy: mutation(deployFunction),
      restore: mutation(restoreFunctionVersion),
      versions: query(listFunctionVersions),
      version: query(getFunctionVersion),
      invoke: mutation(invokeFunction),
      invocations: query(listFunctionInvocations),
      invocation: query(getFunctionInvocation),
    }),
    edge: router({
      list: query(listEdgeFunctions),
      get: query(getEdgeFunction),
      create: mutation(createEdgeFunction),
      update: mutation(updateEdgeFunction),
      delete: mutation(deleteEdgeFunction),
      publish: mutation(publishEdgeFunction),
      restore: mutation(restoreEdgeVersion),
      versions: query(listEdgeVersions),
      version: query(getEdgeVersion),
      logs: query(readEdgeLogs),
    }),
    secrets: router({
      list: query(listSecrets),
      get: query(getSecret),
      create: mutation(createSecret),
      put: mutation(putSecret),
      reveal: mutation(revealSecret),
      delete: mutation(deleteSecret),
    }),
    pods: router({
      list: query(listPods),
      get: query(getPod),
      explain: query(explainPod),
      estimate: query(estimatePod),
      create: mutation(createPod),
      stop: mutation(stopPod),
      start: mutation(startPod),
      delete: mutation(deletePod),
      checkpoint: mutation(checkpointPod),
      checkpoints: query(listPodCheckpoints),
      deleteCheckpoint: mutation(deletePodCheckpoint),
      logs: query(readPodLogs),
      exec: mutation(execPod),
      events: query(listPodEvents),
    }),
    sandboxes: router({
      list: query(listSandboxes),
      get: query(getSandbox),
      create: mutation(createSandbox),
      delete: mutation(deleteSandbox),
      exec: mutation(execSandbox),
      files: query(listSandboxFiles),
      readFile: query(readSandboxFile),
      writeFile: mutation(writeSandboxFile),
    }),
    workspaces: router({
      list: query(listWorkspaces),
      get: query(getWorkspace),
      create: mutation(createWorkspace),
      start: mutation(startWorkspace),
      stop: mutation(stopWorkspace),
      delete: mutation(deleteWorkspace),
      files: query(listWorkspaceFiles),
      readFile: query(readWorkspaceFile),
      writeFile: mutation(writeWorkspaceFile),
      moveFile: mutation(moveWorkspaceFile),
      deleteFile: mutation(deleteWorkspaceFile),
      createFolder: mutation(createWorkspaceFolder),
    }),
    resources: router({
      list: query(listResources),
      kinds: query(listResourceKinds),
      get: query(getResource),
      create: mutation(createResource),
      update: mutation(updateResource),
      delete: mutation(deleteResource),
      skus: query(listSkus),
      usage: query(getResourceUsage),
    }),
    activations: router({
      list: query(listActivations),
      activate: mutation(activateService),
      deactivate: mutation(deactivateService),
    }),
    instances: router({
      start: mutation(startInstance),
      stop: mutation(stopInstance),
    }),
    gpuPools: router({
      list: query(listGpuPools),
      get: query(getGpuPool),
    }),
    reservations: router({
      list: query(listReservations),
      get: query(getReservation),
      calendar: query(getReservationCalendar),
      create: mutation(createReservation),
      cancel: mutation(cancelReservation),
    }),
    shield: router({
      scans: query(listShieldScans),
      get: query(getShieldScan),
      findings: query(listShieldFindings),
      scan: mutation(createShieldScan),
      cancel: mutation(cancelShieldScan),
    }),
    queues: router({
      list: query(listQueues),
      listWithFigures: query(listQueueFigures),
      get: query(getQueue),
      history: query(getQueueHistory),
      create: mutation(createQueue),
      update: mutation(updateQueue),
      delete: mutation(deleteQueue),
      purge: mutation(purgeQueue),
      redrive: mutation(redriveMessages),
      peek: query(peekMessages),
      send: mutation(sendMessages),
    }),
    storage: router({
      listBuckets: query(listBuckets),
      getBucket: query(getBucket),
      createBucket: mutation(createBucket),
      updateBucket: mutation(updateBucket),
      deleteBucket: mutation(deleteBucket),
      usage: query(getBucketUsage),
      listObjects: query(listObjects),
      getObject: query(getObject),
      restoreObject: mutation(restoreObject),
      deleteObject: mutation(deleteObject),
      deleteObjects: mutation(deleteObjects),
      presign: mutation(presignObject),
      createCredentials: mutation(createStorageCredentials),
    }),
    billing: router({
      usage: query(getUsage),
      invoices: query(listInvoices),
      invoice: query(getInvoice),
      budget: query(getBillingBudget),
      setBudget: mutation(putBillingBudget),
      deleteBudget: mutation(deleteBillingBudget),
    }),
    events: router({ list: query(listEvents), get: query(getEvent), kinds: query(listEventKinds) }),
  }),
  keys: router({
    scopes: query(listScopes),
    list: query(listApiKeys),
    get: query(getApiKey),
    create: mutation(createApiKey),
    rotate: mutation(rotateApiKey),
    revoke: mutation(revokeApiKey),
  }),
  projects: router({
    list: query(listProjects),
    get: query(getProject),
    create: mutation(createProject),
    update: mutation(updateProject),
    delete: mutation(deleteProject),
    restore: mutation(restoreProject),
  }),
  usage: router({
    quotas: query(listQuotas),
    rates: query(getRates),
    requests: query(getRequestCounts),
    toolCalls: query(getToolCalls),
  }),
  audit: router({ list: query(listAudit), verify: query(verifyAudit) }),
  settings: router({
    account: query(getAccount),
    changePassword: mutation(changePassword),
    listSessions: query(listSessions),
    revokeSession: mutation(revokeSession),
    revokeOtherSessions: mutation(revokeOtherSessions),
    listTenants: query(listTenants),
    switchTenant: mutation(switchTenant),
    renameTenant: mutation(renameTenant),
    listMembers: query(listMembers),
    changeRole: mutation(changeRole),
    removeMember: mutation(removeMember),
    listInvitations: query(listInvitations),
    inviteMember: mutation(inviteMember),
    revokeInvitation: mutation(revokeInvitation),
  }),
  outbox: router({ list: query(listOutbox) }),
});

export type AppRouter = typeof appRouter;

export const createAppCaller = createCallerFactory(appRouter);

/** Every procedure as a function, for pages rendered on the server. */
export type AppCaller = ReturnType<typeof createAppCaller>;
