import { learn } from '../copy/copy.ts'
import { en } from '../copy/en/index.ts'
import type { Example, Screen } from '../core/screen.ts'
import * as awaitingConnection from './connect/awaiting-connection.tsx'
import * as goOnHere from './connect/go-on-here.tsx'
import * as installWallet from './connect/install-wallet.tsx'
import * as openInWallet from './connect/open-in-wallet.tsx'
import * as walletConnect from './connect/wallet-connect.tsx'
import * as walletList from './connect/wallet-list.tsx'
import * as walletLoginFailed from './connect/wallet-login-failed.tsx'
import * as accountNotFound from './gate/account-not-found.tsx'
import * as allowlist from './gate/allowlist.tsx'
import * as failure from './gate/failure.tsx'
import * as inAppBrowser from './gate/in-app-browser.tsx'
import * as linkConflict from './gate/link-conflict.tsx'
import * as terms from './gate/terms.tsx'
import * as userLimit from './gate/user-limit.tsx'
import * as awaitingOAuth from './login/awaiting-oauth.tsx'
import * as captcha from './login/captcha.tsx'
import * as crossApp from './login/cross-app.tsx'
import * as enterCode from './login/enter-code.tsx'
import * as farcaster from './login/farcaster.tsx'
import * as landing from './login/landing.tsx'
import * as passkey from './login/passkey.tsx'
import * as starting from './login/starting.tsx'
import * as telegram from './login/telegram.tsx'
import * as approveTransaction from './sign/approve-transaction.tsx'
import * as signMessage from './sign/sign-message.tsx'
import * as signTypedData from './sign/sign-typed-data.tsx'
import * as automaticRecovery from './wallet/automatic-recovery.tsx'
import * as confirmPassword from './wallet/confirm-password.tsx'
import * as connecting from './wallet/connecting.tsx'
import * as created from './wallet/created.tsx'
import * as creating from './wallet/creating.tsx'
import * as finishPassword from './wallet/finish-password.tsx'
import * as keyExport from './wallet/key-export.tsx'
import * as passwordRecovery from './wallet/password-recovery.tsx'
import * as passwordResult from './wallet/password-result.tsx'
import * as passwordSplash from './wallet/password-splash.tsx'
import * as recoveryOAuth from './wallet/recovery-oauth.tsx'
import * as recoverySelection from './wallet/recovery-selection.tsx'
import * as savePassword from './wallet/save-password.tsx'
import * as setPassword from './wallet/set-password.tsx'

/** A screen with its examples, whatever its props and answers are. */
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
  entry(starting.starting, starting.examples),
  entry(landing.landing, landing.examples),
  entry(enterCode.enterCode, enterCode.examples),
  entry(passkey.passkey, passkey.examples),
  entry(captcha.captcha, captcha.examples),
  entry(awaitingOAuth.awaitingOAuth, awaitingOAuth.examples),
  entry(crossApp.crossApp, crossApp.examples),
  entry(telegram.telegram, telegram.examples),
  entry(farcaster.awaitingFarcaster, farcaster.examples),
  entry(walletList.walletList, walletList.examples),
  entry(awaitingConnection.awaitingConnection, awaitingConnection.examples),
  entry(walletConnect.walletConnectCode, walletConnect.examples),
  entry(goOnHere.goOnHere, goOnHere.examples),
  entry(installWallet.installWallet, installWallet.examples),
  entry(openInWallet.openInWallet, openInWallet.examples),
  entry(walletLoginFailed.walletLoginFailed, walletLoginFailed.examples),
  entry(inAppBrowser.inAppBrowser, inAppBrowser.examples),
  entry(terms.terms, terms.examples),
  entry(allowlist.allowlistRejected, allowlist.examples),
  entry(accountNotFound.accountNotFound, accountNotFound.examples),
  entry(userLimit.userLimitReached, userLimit.examples),
  entry(linkConflict.linkConflict, linkConflict.examples),
  entry(failure.failure, failure.examples),
  entry(creating.creatingWallet, creating.examples),
  entry(connecting.connectingWallet, connecting.examples),
  entry(created.walletCreated, created.examples),
  entry(recoverySelection.selectRecovery, recoverySelection.examples),
  entry(automaticRecovery.automaticRecovery, automaticRecovery.examples),
  entry(recoveryOAuth.recoveryOAuth, recoveryOAuth.examples),
  entry(passwordSplash.passwordSplash, passwordSplash.examples),
  entry(setPassword.setPassword, setPassword.examples),
  entry(savePassword.savePassword, savePassword.examples),
  entry(confirmPassword.confirmPassword, confirmPassword.examples),
  entry(finishPassword.finishPassword, finishPassword.examples),
  entry(passwordResult.passwordResult, passwordResult.examples),
  entry(passwordRecovery.passwordRecovery, passwordRecovery.examples),
  entry(keyExport.keyExport, keyExport.examples),
  entry(signMessage.signMessage, signMessage.examples),
  entry(signTypedData.signTypedData, signTypedData.examples),
  entry(approveTransaction.approveTransaction, approveTransaction.examples),
]

learn(en)

/** Every screen by its id: for the gallery and for tests; the product imports the screens that it needs. */
export const all: Readonly<Record<string, Entry>> = Object.fromEntries(
  entries.map((entry) => [entry.screen.id, entry]),
)
