/**
 * What the calls of a host load lazily, in one table: beside `../features.ts` and `../services/features.ts`. It comes
 * with those calls, so that a page which only shows a landing screen does not carry it.
 */
import { lazily } from '../../errors/lazily.ts'

export const hostFeatures = {
  /** A login that left the page. */
  resume: lazily(() => import('../resume/resume.ts')),
  /** What is said where a link would go on for somebody who is gone. */
  sessionChanged: lazily(() => import('../session/session-changed.ts')),
  /** The calls of hosts with screens of their own. */
  headless: lazily(() => import('./headless-calls.ts')),
  /** The end of such a login that left the page. */
  completeLogin: lazily(() => import('../../login/redirect/complete.ts')),

  /** What a host asks about the accounts of a person. */
  account: lazily(() => import('./account.ts')),
  sessions: lazily(() => import('./sessions.ts')),
  /** The dialogs in which a person looks after their account. */
  settings: lazily(() => import('./settings.ts')),

  /** What a host asks of embedded wallets. */
  embeddedMethods: lazily(() => import('./embedded-methods.ts')),
  devices: lazily(() => import('./devices.ts')),
  /** Permissions of the app's servers. */
  permissions: lazily(() => import('./permissions.ts')),
  /** Notifies the host of new devices that wait, and of a wallet that lives in one browser alone. */
  followDevices: lazily(() => import('./follow-devices.ts')),
  /** Second factors: adding and removing them. */
  mfa: lazily(() => import('./mfa.ts')),
  /** Being verified by one. */
  prompt: lazily(() => import('./prompt.ts')),
  /** The providers by which the page's libraries find embedded wallets. */
  embeddedWallets: lazily(() => import('../wallets/embedded.ts')),
  connect: lazily(() => import('./connect.ts')),
  walletBrowser: lazily(() => import('../resume/wallet-browser.ts')),

  /** What the console says to the page's developer; it knows every word, wherever those are loaded. */
  advice: lazily(() => import('./advice.ts')),
  /** Signing, for hosts and for the page's libraries. */
  signing: lazily(() => import('./signing.ts')),
  transactions: lazily(() => import('./transactions.ts')),
  solana: lazily(() => import('./solana.ts')),
  /** Requests to wallets of other apps, and of other apps to those of this one's users. */
  crossApp: lazily(() => import('./cross-app.ts')),
  crossAppAnswers: lazily(() => import('./cross-app-answers.ts')),
  sendCalls: lazily(() => import('./send-calls.ts')),
  /** Smart wallets: all that they sign and send. */
  smartWallets: lazily(() => import('./smart-wallets.ts')),
  /** Code for a wallet's own address (EIP-7702). */
  walletCode: lazily(() => import('./wallet-code.ts')),
  activity: lazily(() => import('./activity.ts')),
  balances: lazily(() => import('./balances.ts')),
  watchToken: lazily(() => import('./watch-token.ts')),
  sendForm: lazily(() => import('./send-form.ts')),
  /** The key that signs for the user on Farcaster. */
  farcasterSigner: lazily(() => import('./farcaster-signer.ts')),
  /** Requests that are paid (x402). */
  payments: lazily(() => import('./payments.ts')),
  funding: lazily(() => import('./funding.ts')),
  purchases: lazily(() => import('./purchases.ts')),
  /** Bridges that were started on any device. */
  bridges: lazily(() => import('./bridges.ts')),
  /** Funding from another wallet, and by a bridge. */
  fundingTransfer: lazily(() => import('./funding-transfer.ts')),
  /** The queue of requests, and the transactions that are followed. */
  sending: lazily(() => import('../wallets/sending.ts')),
} as const
