import * as entryExamples from '../../src/account/entry.examples.tsx'
import { entry as accountEntry } from '../../src/account/entry.tsx'
import * as enterAddressExamples from '../../src/account/link/enter-address.examples.tsx'
import { enterAddress } from '../../src/account/link/enter-address.tsx'
import * as linkPasskeyExamples from '../../src/account/link/link-passkey.examples.tsx'
import { linkPasskey } from '../../src/account/link/link-passkey.tsx'
import * as passkeysExamples from '../../src/account/passkeys/passkeys.examples.tsx'
import { passkeys } from '../../src/account/passkeys/passkeys.tsx'
import * as renamePasskeyExamples from '../../src/account/passkeys/rename-passkey.examples.tsx'
import { renamePasskey } from '../../src/account/passkeys/rename-passkey.tsx'
import * as addAccountExamples from '../../src/account/settings/add-account.examples.tsx'
import { addAccount } from '../../src/account/settings/add-account.tsx'
import * as settingsExamples from '../../src/account/settings/settings.examples.tsx'
import { accountSettings } from '../../src/account/settings/settings.tsx'
import * as confirmRemovalExamples from '../../src/account/unlink/confirm-removal.examples.tsx'
import { confirmRemoval } from '../../src/account/unlink/confirm-removal.tsx'
import * as lastLoginExamples from '../../src/account/unlink/last-login.examples.tsx'
import { lastLogin } from '../../src/account/unlink/last-login.tsx'
import * as accountNotFoundExamples from '../../src/app/failure/account-not-found.examples.tsx'
import { accountNotFound } from '../../src/app/failure/account-not-found.tsx'
import * as allowlistExamples from '../../src/app/failure/allowlist.examples.tsx'
import { allowlistRejected } from '../../src/app/failure/allowlist.tsx'
import * as failureExamples from '../../src/app/failure/failure.examples.tsx'
import { failure } from '../../src/app/failure/failure.tsx'
import * as userLimitExamples from '../../src/app/failure/user-limit.examples.tsx'
import { userLimitReached } from '../../src/app/failure/user-limit.tsx'
import * as walletBalancesExamples from '../../src/balances/wallet-balances.examples.tsx'
import { walletBalances } from '../../src/balances/wallet-balances.tsx'
import * as watchTokenExamples from '../../src/balances/watch-token.examples.tsx'
import { watchToken } from '../../src/balances/watch-token.tsx'
import { addWords } from '../../src/copy/copy.ts'
import { en } from '../../src/copy/en/index.ts'
import type { Example, Screen } from '../../src/dialog/screen.ts'
import * as editAmountExamples from '../../src/funding/amount/edit-amount.examples.tsx'
import { editAmount } from '../../src/funding/amount/edit-amount.tsx'
import * as confirmBridgeExamples from '../../src/funding/bridge/confirm-bridge.examples.tsx'
import { confirmBridge } from '../../src/funding/bridge/confirm-bridge.tsx'
import * as pickSourceExamples from '../../src/funding/bridge/pick-source.examples.tsx'
import { pickSource } from '../../src/funding/bridge/pick-source.tsx'
import * as payInFrameExamples from '../../src/funding/card/pay-in-frame.examples.tsx'
import { payInFrame } from '../../src/funding/card/pay-in-frame.tsx'
import * as purchaseDetailExamples from '../../src/funding/card/purchase-detail.examples.tsx'
import { purchaseDetail } from '../../src/funding/card/purchase-detail.tsx'
import * as purchaseStatusExamples from '../../src/funding/card/purchase-status.examples.tsx'
import { purchaseStatus } from '../../src/funding/card/purchase-status.tsx'
import * as selectQuoteExamples from '../../src/funding/card/select-quote.examples.tsx'
import { selectQuote } from '../../src/funding/card/select-quote.tsx'
import * as receiveFundsExamples from '../../src/funding/receive/receive-funds.examples.tsx'
import { receiveFunds } from '../../src/funding/receive/receive-funds.tsx'
import * as selectMethodExamples from '../../src/funding/select-method.examples.tsx'
import { selectMethod } from '../../src/funding/select-method.tsx'
import * as awaitingTransferExamples from '../../src/funding/transfer/awaiting-transfer.examples.tsx'
import {
  awaitingEthereum,
  awaitingEthereumBridge,
  awaitingEthereumToSolana,
  awaitingSolana,
  awaitingSolanaBridge,
  awaitingSolanaToEthereum,
} from '../../src/funding/transfer/awaiting-transfer.tsx'
import * as checkPaymentExamples from '../../src/funding/transfer/check-payment.examples.tsx'
import { checkPayment } from '../../src/funding/transfer/check-payment.tsx'
import * as selectWalletExamples from '../../src/funding/transfer/select-wallet.examples.tsx'
import { selectWallet } from '../../src/funding/transfer/select-wallet.tsx'
import * as transferFailedExamples from '../../src/funding/transfer/transfer-failed.examples.tsx'
import { transferFailed } from '../../src/funding/transfer/transfer-failed.tsx'
import * as captchaExamples from '../../src/login/captcha/captcha.examples.tsx'
import { captcha } from '../../src/login/captcha/captcha.tsx'
import * as enterCodeExamples from '../../src/login/code/enter-code.examples.tsx'
import { enterCode } from '../../src/login/code/enter-code.tsx'
import * as appRequestExamples from '../../src/login/cross-app/app-request.examples.tsx'
import { appRequest } from '../../src/login/cross-app/app-request.tsx'
import * as crossAppExamples from '../../src/login/cross-app/cross-app.examples.tsx'
import { crossApp } from '../../src/login/cross-app/cross-app.tsx'
import * as farcasterExamples from '../../src/login/farcaster/farcaster.examples.tsx'
import { awaitingFarcaster, awaitingFarcasterSigner } from '../../src/login/farcaster/farcaster.tsx'
import * as farcasterSignerExamples from '../../src/login/farcaster/farcaster-signer.examples.tsx'
import * as landingExamples from '../../src/login/landing/landing.examples.tsx'
import { landing } from '../../src/login/landing/landing.tsx'
import * as startingExamples from '../../src/login/landing/starting.examples.tsx'
import { starting } from '../../src/login/landing/starting.tsx'
import * as awaitingOAuthExamples from '../../src/login/oauth/awaiting-oauth.examples.tsx'
import { awaitingOAuth } from '../../src/login/oauth/awaiting-oauth.tsx'
import * as inAppBrowserExamples from '../../src/login/oauth/in-app-browser.examples.tsx'
import { inAppBrowser } from '../../src/login/oauth/in-app-browser.tsx'
import * as passkeyExamples from '../../src/login/passkey/passkey.examples.tsx'
import { passkey } from '../../src/login/passkey/passkey.tsx'
import * as telegramExamples from '../../src/login/telegram/telegram.examples.tsx'
import { telegram } from '../../src/login/telegram/telegram.tsx'
import * as termsExamples from '../../src/login/terms/terms.examples.tsx'
import { terms } from '../../src/login/terms/terms.tsx'
import * as linkConflictExamples from '../../src/login/transfer/link-conflict.examples.tsx'
import { linkConflict } from '../../src/login/transfer/link-conflict.tsx'
import * as continueHereExamples from '../../src/login/wallet/continue-here.examples.tsx'
import { continueHere } from '../../src/login/wallet/continue-here.tsx'
import * as authenticatorExamples from '../../src/mfa/enroll/authenticator.examples.tsx'
import { authenticator } from '../../src/mfa/enroll/authenticator.tsx'
import * as chooseMethodExamples from '../../src/mfa/enroll/choose-method.examples.tsx'
import { chooseMethod } from '../../src/mfa/enroll/choose-method.tsx'
import * as mfaEnrolledExamples from '../../src/mfa/enroll/enrolled.examples.tsx'
import { mfaEnrolled } from '../../src/mfa/enroll/enrolled.tsx'
import * as mfaPhoneExamples from '../../src/mfa/enroll/enter-phone.examples.tsx'
import { mfaPhone } from '../../src/mfa/enroll/enter-phone.tsx'
import * as mfaIntroExamples from '../../src/mfa/enroll/intro.examples.tsx'
import { mfaIntro } from '../../src/mfa/enroll/intro.tsx'
import * as mfaPasskeysExamples from '../../src/mfa/enroll/passkeys.examples.tsx'
import { mfaPasskeys } from '../../src/mfa/enroll/passkeys.tsx'
import * as recoveryCodesExamples from '../../src/mfa/enroll/recovery-codes.examples.tsx'
import { recoveryCodes } from '../../src/mfa/enroll/recovery-codes.tsx'
import * as mfaCodeExamples from '../../src/mfa/enter-code.examples.tsx'
import { mfaCode } from '../../src/mfa/enter-code.tsx'
import * as mfaLoadingExamples from '../../src/mfa/loading.examples.tsx'
import { mfaLoading } from '../../src/mfa/loading.tsx'
import * as removeMethodExamples from '../../src/mfa/remove/remove.examples.tsx'
import { removeMethod } from '../../src/mfa/remove/remove.tsx'
import * as chooseVerificationExamples from '../../src/mfa/verify/choose-verification.examples.tsx'
import { chooseVerification } from '../../src/mfa/verify/choose-verification.tsx'
import * as enterRecoveryCodeExamples from '../../src/mfa/verify/enter-recovery-code.examples.tsx'
import { enterRecoveryCode } from '../../src/mfa/verify/enter-recovery-code.tsx'
import * as verifyPasskeyExamples from '../../src/mfa/verify/verify-passkey.examples.tsx'
import { verifyPasskey } from '../../src/mfa/verify/verify-passkey.tsx'
import * as activityDetailExamples from '../../src/signing/activity/activity-detail.examples.tsx'
import { activityDetail } from '../../src/signing/activity/activity-detail.tsx'
import * as activityListExamples from '../../src/signing/activity/activity-list.examples.tsx'
import { activityList } from '../../src/signing/activity/activity-list.tsx'
import * as signAuthorizationExamples from '../../src/signing/authorization/sign-authorization.examples.tsx'
import { signAuthorization } from '../../src/signing/authorization/sign-authorization.tsx'
import * as approveCallsExamples from '../../src/signing/calls/approve-calls.examples.tsx'
import { approveCalls } from '../../src/signing/calls/approve-calls.tsx'
import * as callsDetailExamples from '../../src/signing/calls/calls-detail.examples.tsx'
import { callsDetail } from '../../src/signing/calls/calls-detail.tsx'
import * as signMessageExamples from '../../src/signing/message/sign-message.examples.tsx'
import { signMessage } from '../../src/signing/message/sign-message.tsx'
import * as sendAmountExamples from '../../src/signing/send/send-amount.examples.tsx'
import { sendAmount } from '../../src/signing/send/send-amount.tsx'
import * as sendAssetExamples from '../../src/signing/send/send-asset.examples.tsx'
import { sendAsset } from '../../src/signing/send/send-asset.tsx'
import * as sendRecipientExamples from '../../src/signing/send/send-recipient.examples.tsx'
import { sendRecipient } from '../../src/signing/send/send-recipient.tsx'
import * as approveTransactionExamples from '../../src/signing/transaction/approve-transaction.examples.tsx'
import { approveTransaction } from '../../src/signing/transaction/approve-transaction.tsx'
import * as transactionFailedExamples from '../../src/signing/transaction/transaction-failed.examples.tsx'
import { transactionFailed } from '../../src/signing/transaction/transaction-failed.tsx'
import * as transactionReceiptExamples from '../../src/signing/transaction/transaction-receipt.examples.tsx'
import { transactionReceipt } from '../../src/signing/transaction/transaction-receipt.tsx'
import * as transactionSentExamples from '../../src/signing/transaction/transaction-sent.examples.tsx'
import { transactionSent } from '../../src/signing/transaction/transaction-sent.tsx'
import * as signTypedDataExamples from '../../src/signing/typed-data/sign-typed-data.examples.tsx'
import { signTypedData } from '../../src/signing/typed-data/sign-typed-data.tsx'
import * as sponsorDeclinedExamples from '../../src/signing/user-operation/sponsor-declined.examples.tsx'
import { sponsorDeclined } from '../../src/signing/user-operation/sponsor-declined.tsx'
import * as accountChangeExamples from '../../src/vault/approval/account-change/account-change.examples.tsx'
import { accountChange } from '../../src/vault/approval/account-change/account-change.tsx'
import * as approveDeviceExamples from '../../src/vault/approval/approve-device/approve-device.examples.tsx'
import { approveDevice } from '../../src/vault/approval/approve-device/approve-device.tsx'
import * as deviceAnsweredExamples from '../../src/vault/approval/approve-device/device-answered.examples.tsx'
import { deviceAnswered } from '../../src/vault/approval/approve-device/device-answered.tsx'
import * as showKeyExamples from '../../src/vault/approval/export/show-key.examples.tsx'
import { showKey } from '../../src/vault/approval/export/show-key.tsx'
import * as accountFrozenExamples from '../../src/vault/approval/frozen/account-frozen.examples.tsx'
import { accountFrozen } from '../../src/vault/approval/frozen/account-frozen.tsx'
import * as givePermissionExamples from '../../src/vault/approval/grant/give-permission.examples.tsx'
import { givePermission } from '../../src/vault/approval/grant/give-permission.tsx'
import * as importKeyExamples from '../../src/vault/approval/import/import-key.examples.tsx'
import { importKey } from '../../src/vault/approval/import/import-key.tsx'
import * as visitProviderExamples from '../../src/vault/approval/providers/visit-provider.examples.tsx'
import { visitProvider } from '../../src/vault/approval/providers/visit-provider.tsx'
import * as chooseFactorExamples from '../../src/vault/approval/recover/choose-factor.examples.tsx'
import { chooseFactor } from '../../src/vault/approval/recover/choose-factor.tsx'
import * as confirmDriveExamples from '../../src/vault/approval/recover/confirm-drive.examples.tsx'
import { confirmDrive } from '../../src/vault/approval/recover/confirm-drive.tsx'
import * as deviceApprovalExamples from '../../src/vault/approval/recover/device-approval.examples.tsx'
import { deviceApproval } from '../../src/vault/approval/recover/device-approval.tsx'
import * as walletProofExamples from '../../src/vault/approval/recover/wallet-proof.examples.tsx'
import { walletProof } from '../../src/vault/approval/recover/wallet-proof.tsx'
import * as removeDeviceExamples from '../../src/vault/approval/remove-device/remove-device.examples.tsx'
import { removeDevice } from '../../src/vault/approval/remove-device/remove-device.tsx'
import * as removeVaultPasskeyExamples from '../../src/vault/approval/vault-passkeys/remove-vault-passkey.examples.tsx'
import { removeVaultPasskey } from '../../src/vault/approval/vault-passkeys/remove-vault-passkey.tsx'
import * as vaultPasskeyExamples from '../../src/vault/approval/vault-passkeys/vault-passkey.examples.tsx'
import { vaultPasskey } from '../../src/vault/approval/vault-passkeys/vault-passkey.tsx'
import * as vaultPasskeysExamples from '../../src/vault/approval/vault-passkeys/vault-passkeys.examples.tsx'
import { vaultPasskeys } from '../../src/vault/approval/vault-passkeys/vault-passkeys.tsx'
import * as continueInWindowExamples from '../../src/vault/approval/window/continue-in-window.examples.tsx'
import { continueInWindow } from '../../src/vault/approval/window/continue-in-window.tsx'
import * as waitingForWindowExamples from '../../src/vault/approval/window/waiting-for-window.examples.tsx'
import { waitingForWindow } from '../../src/vault/approval/window/waiting-for-window.tsx'
import * as windowDoneExamples from '../../src/vault/approval/window/window-done.examples.tsx'
import { windowDone } from '../../src/vault/approval/window/window-done.tsx'
import * as windowEndedExamples from '../../src/vault/approval/window/window-ended.examples.tsx'
import { windowEnded } from '../../src/vault/approval/window/window-ended.tsx'
import * as awaitingConnectionExamples from '../../src/wallets/connect/awaiting-connection.examples.tsx'
import { awaitingConnection } from '../../src/wallets/connect/awaiting-connection.tsx'
import * as installWalletExamples from '../../src/wallets/connect/install-wallet.examples.tsx'
import { installWallet } from '../../src/wallets/connect/install-wallet.tsx'
import * as openInWalletExamples from '../../src/wallets/connect/open-in-wallet.examples.tsx'
import { openInWallet } from '../../src/wallets/connect/open-in-wallet.tsx'
import * as walletConnectExamples from '../../src/wallets/connect/wallet-connect.examples.tsx'
import { walletConnectCode } from '../../src/wallets/connect/wallet-connect.tsx'
import * as walletListExamples from '../../src/wallets/connect/wallet-list.examples.tsx'
import { walletList } from '../../src/wallets/connect/wallet-list.tsx'
import * as walletLoginFailedExamples from '../../src/wallets/connect/wallet-login-failed.examples.tsx'
import { walletLoginFailed } from '../../src/wallets/connect/wallet-login-failed.tsx'
import * as permissionResultExamples from '../../src/wallets/delegation/permission-result.examples.tsx'
import { permissionResult } from '../../src/wallets/delegation/permission-result.tsx'
import * as revokePermissionExamples from '../../src/wallets/delegation/revoke-permission.examples.tsx'
import { revokePermission } from '../../src/wallets/delegation/revoke-permission.tsx'
import * as onlyBrowserExamples from '../../src/wallets/devices/only-browser.examples.tsx'
import { onlyBrowser } from '../../src/wallets/devices/only-browser.tsx'
import * as connectingExamples from '../../src/wallets/embedded/connecting.examples.tsx'
import { connectingWallet } from '../../src/wallets/embedded/connecting.tsx'
import * as createdExamples from '../../src/wallets/embedded/create/created.examples.tsx'
import { walletCreated } from '../../src/wallets/embedded/create/created.tsx'
import * as creatingExamples from '../../src/wallets/embedded/create/creating.examples.tsx'
import { creatingWallet } from '../../src/wallets/embedded/create/creating.tsx'
import * as keyExportExamples from '../../src/wallets/export/key-export.examples.tsx'
import { keyExport } from '../../src/wallets/export/key-export.tsx'
import * as automaticRecoveryExamples from '../../src/wallets/recovery/automatic-recovery.examples.tsx'
import { automaticRecovery } from '../../src/wallets/recovery/automatic-recovery.tsx'
import * as recoveryOAuthExamples from '../../src/wallets/recovery/drives/recovery-oauth.examples.tsx'
import { recoveryOAuth } from '../../src/wallets/recovery/drives/recovery-oauth.tsx'
import * as confirmPasswordExamples from '../../src/wallets/recovery/password/confirm-password.examples.tsx'
import { confirmPassword } from '../../src/wallets/recovery/password/confirm-password.tsx'
import * as finishPasswordExamples from '../../src/wallets/recovery/password/finish-password.examples.tsx'
import { finishPassword } from '../../src/wallets/recovery/password/finish-password.tsx'
import * as passwordRecoveryExamples from '../../src/wallets/recovery/password/password-recovery.examples.tsx'
import { passwordRecovery } from '../../src/wallets/recovery/password/password-recovery.tsx'
import * as passwordResultExamples from '../../src/wallets/recovery/password/password-result.examples.tsx'
import { passwordResult } from '../../src/wallets/recovery/password/password-result.tsx'
import * as passwordSplashExamples from '../../src/wallets/recovery/password/password-splash.examples.tsx'
import { passwordSplash } from '../../src/wallets/recovery/password/password-splash.tsx'
import * as savePasswordExamples from '../../src/wallets/recovery/password/save-password.examples.tsx'
import { savePassword } from '../../src/wallets/recovery/password/save-password.tsx'
import * as setPasswordExamples from '../../src/wallets/recovery/password/set-password.examples.tsx'
import { setPassword } from '../../src/wallets/recovery/password/set-password.tsx'
import * as recoverySelectionExamples from '../../src/wallets/recovery/recovery-selection.examples.tsx'
import { selectRecovery } from '../../src/wallets/recovery/recovery-selection.tsx'
import * as approvePaymentExamples from '../../src/x402/approve-payment.examples.tsx'
import { approvePayment } from '../../src/x402/approve-payment.tsx'

/** A screen with its examples, with any props and answers. */
export interface Entry {
  readonly screen: Screen<object, unknown>
  readonly examples: Readonly<Record<string, Example<object, unknown>>>
}

const entry = <P extends object, A>(
  screen: Screen<P, A>,
  examples: Record<string, Example<P, A>>,
): Entry => ({
  screen: screen as unknown as Screen<object, unknown>,
  examples,
})

const entries: readonly Entry[] = [
  entry(starting, startingExamples.examples),
  entry(landing, landingExamples.examples),
  entry(enterCode, enterCodeExamples.examples),
  entry(passkey, passkeyExamples.examples),
  entry(captcha, captchaExamples.examples),
  entry(awaitingOAuth, awaitingOAuthExamples.examples),
  entry(crossApp, crossAppExamples.examples),
  entry(appRequest, appRequestExamples.examples),
  entry(telegram, telegramExamples.examples),
  entry(awaitingFarcaster, farcasterExamples.examples),
  entry(awaitingFarcasterSigner, farcasterSignerExamples.examples),
  entry(walletList, walletListExamples.examples),
  entry(awaitingConnection, awaitingConnectionExamples.examples),
  entry(walletConnectCode, walletConnectExamples.examples),
  entry(continueHere, continueHereExamples.examples),
  entry(installWallet, installWalletExamples.examples),
  entry(openInWallet, openInWalletExamples.examples),
  entry(walletLoginFailed, walletLoginFailedExamples.examples),
  entry(inAppBrowser, inAppBrowserExamples.examples),
  entry(terms, termsExamples.examples),
  entry(allowlistRejected, allowlistExamples.examples),
  entry(accountNotFound, accountNotFoundExamples.examples),
  entry(userLimitReached, userLimitExamples.examples),
  entry(enterAddress, enterAddressExamples.examples),
  entry(linkPasskey, linkPasskeyExamples.examples),
  entry(linkConflict, linkConflictExamples.examples),
  entry(confirmRemoval, confirmRemovalExamples.examples),
  entry(lastLogin, lastLoginExamples.examples),
  entry(accountSettings, settingsExamples.examples),
  entry(accountEntry, entryExamples.examples),
  entry(addAccount, addAccountExamples.examples),
  entry(passkeys, passkeysExamples.examples),
  entry(renamePasskey, renamePasskeyExamples.examples),
  entry(failure, failureExamples.examples),
  entry(creatingWallet, creatingExamples.examples),
  entry(connectingWallet, connectingExamples.examples),
  entry(walletCreated, createdExamples.examples),
  entry(selectRecovery, recoverySelectionExamples.examples),
  entry(automaticRecovery, automaticRecoveryExamples.examples),
  entry(recoveryOAuth, recoveryOAuthExamples.examples),
  entry(passwordSplash, passwordSplashExamples.examples),
  entry(setPassword, setPasswordExamples.examples),
  entry(savePassword, savePasswordExamples.examples),
  entry(confirmPassword, confirmPasswordExamples.examples),
  entry(finishPassword, finishPasswordExamples.examples),
  entry(passwordResult, passwordResultExamples.examples),
  entry(passwordRecovery, passwordRecoveryExamples.examples),
  entry(keyExport, keyExportExamples.examples),
  entry(approvePayment, approvePaymentExamples.examples),
  entry(signMessage, signMessageExamples.examples),
  entry(signAuthorization, signAuthorizationExamples.examples),
  entry(signTypedData, signTypedDataExamples.examples),
  entry(approveTransaction, approveTransactionExamples.examples),
  entry(transactionSent, transactionSentExamples.examples),
  entry(transactionReceipt, transactionReceiptExamples.examples),
  entry(transactionFailed, transactionFailedExamples.examples),
  entry(sponsorDeclined, sponsorDeclinedExamples.examples),
  entry(activityList, activityListExamples.examples),
  entry(approveCalls, approveCallsExamples.examples),
  entry(callsDetail, callsDetailExamples.examples),
  entry(activityDetail, activityDetailExamples.examples),
  entry(walletBalances, walletBalancesExamples.examples),
  entry(watchToken, watchTokenExamples.examples),
  entry(selectMethod, selectMethodExamples.examples),
  entry(editAmount, editAmountExamples.examples),
  entry(selectQuote, selectQuoteExamples.examples),
  entry(purchaseStatus, purchaseStatusExamples.examples),
  entry(payInFrame, payInFrameExamples.examples),
  entry(purchaseDetail, purchaseDetailExamples.examples),
  entry(receiveFunds, receiveFundsExamples.examples),
  entry(selectWallet, selectWalletExamples.examples),
  entry(awaitingEthereum, awaitingTransferExamples.ethereum),
  entry(awaitingSolana, awaitingTransferExamples.solana),
  entry(awaitingEthereumBridge, awaitingTransferExamples.ethereumBridge),
  entry(awaitingSolanaBridge, awaitingTransferExamples.solanaBridge),
  entry(awaitingEthereumToSolana, awaitingTransferExamples.ethereumToSolana),
  entry(awaitingSolanaToEthereum, awaitingTransferExamples.solanaToEthereum),
  entry(checkPayment, checkPaymentExamples.examples),
  entry(transferFailed, transferFailedExamples.examples),
  entry(pickSource, pickSourceExamples.examples),
  entry(confirmBridge, confirmBridgeExamples.examples),
  entry(sendRecipient, sendRecipientExamples.examples),
  entry(sendAsset, sendAssetExamples.examples),
  entry(sendAmount, sendAmountExamples.examples),
  entry(chooseFactor, chooseFactorExamples.examples),
  entry(confirmDrive, confirmDriveExamples.examples),
  entry(visitProvider, visitProviderExamples.examples),
  entry(continueInWindow, continueInWindowExamples.examples),
  entry(waitingForWindow, waitingForWindowExamples.examples),
  entry(windowDone, windowDoneExamples.examples),
  entry(windowEnded, windowEndedExamples.examples),
  entry(showKey, showKeyExamples.examples),
  entry(importKey, importKeyExamples.examples),
  entry(givePermission, givePermissionExamples.examples),
  entry(permissionResult, permissionResultExamples.examples),
  entry(revokePermission, revokePermissionExamples.examples),
  entry(removeDevice, removeDeviceExamples.examples),
  entry(accountChange, accountChangeExamples.examples),
  entry(accountFrozen, accountFrozenExamples.examples),
  entry(onlyBrowser, onlyBrowserExamples.examples),
  entry(approveDevice, approveDeviceExamples.examples),
  entry(deviceAnswered, deviceAnsweredExamples.examples),
  entry(deviceApproval, deviceApprovalExamples.examples),
  entry(walletProof, walletProofExamples.examples),
  entry(vaultPasskey, vaultPasskeyExamples.examples),
  entry(vaultPasskeys, vaultPasskeysExamples.examples),
  entry(removeVaultPasskey, removeVaultPasskeyExamples.examples),
  entry(mfaIntro, mfaIntroExamples.examples),
  entry(chooseMethod, chooseMethodExamples.examples),
  entry(authenticator, authenticatorExamples.examples),
  entry(mfaPhone, mfaPhoneExamples.examples),
  entry(mfaCode, mfaCodeExamples.examples),
  entry(mfaPasskeys, mfaPasskeysExamples.examples),
  entry(mfaEnrolled, mfaEnrolledExamples.examples),
  entry(recoveryCodes, recoveryCodesExamples.examples),
  entry(removeMethod, removeMethodExamples.examples),
  entry(chooseVerification, chooseVerificationExamples.examples),
  entry(verifyPasskey, verifyPasskeyExamples.examples),
  entry(enterRecoveryCode, enterRecoveryCodeExamples.examples),
  entry(mfaLoading, mfaLoadingExamples.examples),
]

addWords(en)

/** Every screen by its id: for the gallery and for tests; the product imports the screens that it needs. */
export const all: Readonly<Record<string, Entry>> = Object.fromEntries(
  entries.map((entry) => [entry.screen.id, entry]),
)
