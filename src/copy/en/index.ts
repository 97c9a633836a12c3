import { account } from './account.ts'
import { accountChange } from './account-change.ts'
import { accounts } from './accounts.ts'
import { activity } from './activity.ts'
import { approval } from './approval.ts'
import { approvalWindow } from './approval-window.ts'
import { balances } from './balances.ts'
import { calls } from './calls.ts'
import { captcha } from './captcha.ts'
import { code } from './code.ts'
import { common } from './common.ts'
import { connect } from './connect.ts'
import { crossAppRequests } from './cross-app.ts'
import { delegation } from './delegation.ts'
import { device } from './device.ts'
import { devices } from './devices.ts'
import { errors } from './errors.ts'
import { keyExport } from './export.ts'
import { farcaster } from './farcaster.ts'
import { farcasterSigner } from './farcaster-signer.ts'
import { funding } from './funding.ts'
import { gate } from './gate.ts'
import { importKey } from './import-key.ts'
import { login } from './login.ts'
import { mfa } from './mfa.ts'
import { oauth } from './oauth.ts'
import { operationErrors } from './operation-errors.ts'
import { passkey } from './passkey.ts'
import { password } from './password.ts'
import { permission } from './permission.ts'
import { recovery } from './recovery.ts'
import { recoveryErrors } from './recovery-errors.ts'
import { send } from './send.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { showKey } from './show-key.ts'
import { sign } from './sign.ts'
import { smartAccount } from './smart-account.ts'
import { sms } from './sms.ts'
import { telegram } from './telegram.ts'
import { transaction } from './transaction.ts'
import { visits } from './visits.ts'
import { wallet } from './wallet.ts'
import { walletErrors } from './wallet-errors.ts'
import { x402 } from './x402.ts'

/** English, complete: the shape of every locale. */
export const en = {
  ...common,
  ...login,
  ...code,
  ...captcha,
  ...gate,
  ...account,
  ...accounts,
  ...accountChange,
  ...crossAppRequests,
  ...delegation,
  ...permission,
  ...activity,
  ...approval,
  ...balances,
  ...calls,
  ...smartAccount,
  ...farcasterSigner,
  ...x402,
  ...approvalWindow,
  ...visits,
  ...wallet,
  ...connect,
  ...device,
  ...oauth,
  ...sign,
  ...transaction,
  ...sms,
  ...passkey,
  ...telegram,
  ...farcaster,
  ...errors,
  ...walletErrors,
  ...operationErrors,
  ...recovery,
  ...password,
  ...keyExport,
  ...recoveryErrors,
  ...send,
  ...funding,
  ...session,
  ...settings,
  ...showKey,
  ...importKey,
  ...devices,
  ...mfa,
} as const
